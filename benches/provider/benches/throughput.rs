//! Throughput and CPU time of calls, one at a time and ten at once:
//! `cargo bench -p terraform-provider-bench --bench throughput`.
//!
//! The provider is started as Terraform starts it, with mutual TLS and without logging. `-- PATH…` measures these
//! programs instead, for example the same provider built from two commits. Every round runs all of them, one after the
//! other, and the table has the median of the rounds. Needs `/proc`.
//!
//! The second table shows by how much methods that block their thread delay other RPCs. `-- --no-delays` omits it, for
//! programs that lack `bench_slow`.

#![allow(clippy::unwrap_used, reason = "a panic ends the benchmark")]

mod client;
mod item;

use std::time::{Duration, Instant};
use std::{env, fs};

use client::wire;
use ferroform::value::{Type, Value};
use ferroform_proto::tfplugin6::{apply_resource_change, stop_provider};
use item::Requests;
use plugin_client::{Channel, Identity, Plugin, Setup, sockets};
use tokio::task::JoinSet;

const CALLS: u32 = 10_000;
const ROUNDS: usize = 5;
/// One call at a time, and Terraform's default parallelism.
const AT_ONCE: [u32; 2] = [1, 10];
/// Clock ticks per second in `/proc/PID/stat`.
const TICKS: f64 = 100.0;

#[derive(Clone, Copy)]
enum Rpc {
    Validate,
    Plan,
    PlanUnchanged,
    Apply,
    Read,
}

const RPCS: [(Rpc, &str); 5] = [
    (Rpc::Validate, "validate"),
    (Rpc::Plan, "plan: create"),
    (Rpc::PlanUnchanged, "plan: no change"),
    (Rpc::Apply, "apply"),
    (Rpc::Read, "read"),
];

/// The results of one case in each round.
#[derive(Clone, Default)]
struct Rounds {
    calls_per_second: Vec<f64>,
    /// The time, in microseconds.
    cpu_per_call: Vec<f64>,
}

/// The rounds of a program, by RPC and number of calls at once.
type Table = [[Rounds; AT_ONCE.len()]; RPCS.len()];

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if fs::metadata("/proc/self/stat").is_err() {
        println!("Not measured: this system has no /proc.");
        return;
    }
    fs::create_dir_all(sockets()).unwrap();
    let mut programs: Vec<String> = env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    if programs.is_empty() {
        programs.push(env!("CARGO_BIN_EXE_terraform-provider-bench").to_owned());
    }
    let mut tables = vec![Table::default(); programs.len()];
    for _ in 0..ROUNDS {
        for (program, table) in programs.iter().zip(&mut tables) {
            round(program, table).await;
        }
    }
    println!(
        "| program | RPC | at once | calls/s | relative to the first | CPU per call | relative to the first |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (program, table) in programs.iter().zip(&tables) {
        for (rpc, (_, name)) in RPCS.iter().enumerate() {
            for (case, at_once) in AT_ONCE.iter().enumerate() {
                let figures = |table: &Table| {
                    let rounds = &table[rpc][case];
                    (median(&rounds.calls_per_second), median(&rounds.cpu_per_call))
                };
                let ((calls, cpu), (first_calls, first_cpu)) = (figures(table), figures(&tables[0]));
                println!(
                    "| `{program}` | {name} | {at_once} | {:.0} | {:.2} | {:.1} µs | {:.2} |",
                    calls,
                    calls / first_calls,
                    cpu,
                    cpu / first_cpu,
                );
            }
        }
    }
    if !env::args().any(|it| it == "--no-delays") {
        for program in &programs {
            delays(program).await;
        }
    }
    fs::remove_dir_all(sockets()).unwrap();
}

/// The number of methods that block while other RPCs are measured.
const BLOCKED: [usize; 4] = [0, 1, 9, 100];
/// The time for which each of them blocks its thread.
const BLOCKS: Duration = Duration::from_millis(300);

/// The delay of other RPCs and of Stop while methods block, from the moment when these begin.
async fn delays(program: &str) {
    println!("\n| `{program}`: methods that block | validate, median | longest | Stop, median | longest |");
    println!("|---|---|---|---|---|");
    for blocked in BLOCKED {
        let (mut validations, mut stops) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (_plugin, channel) = start(program).await;
            let requests = Requests::of(&channel).await;
            let (mut provider, slow) = (channel.provider(), slow(BLOCKS));
            calls(&channel, &requests, Rpc::Validate, 1, 100).await;
            let mut blocking = JoinSet::new();
            for _ in 0..blocked {
                let (mut provider, slow) = (channel.provider(), slow.clone());
                blocking.spawn(async move { provider.apply_resource_change(slow).await.unwrap() });
            }
            // The requests of the methods that block are sent first.
            tokio::task::yield_now().await;
            let begin = Instant::now();
            while begin.elapsed() < BLOCKS / 2 {
                let start = Instant::now();
                provider.validate_resource_config(requests.validate.clone()).await.unwrap();
                validations.push(start.elapsed());
                let start = Instant::now();
                provider.stop_provider(stop_provider::Request {}).await.unwrap();
                stops.push(start.elapsed());
            }
            assert_eq!(blocking.len(), blocked, "they block longer than the measurement takes");
            assert!(blocking.try_join_next().is_none(), "they block longer than the measurement takes");
            blocking.join_all().await;
        }
        let [validate, stop] = [validations, stops].map(|mut times| {
            times.sort();
            let ms = |time: &Duration| time.as_secs_f64() * 1e3;
            format!("{:.2} ms | {:.2} ms", ms(&times[times.len() / 2]), ms(&times[times.len() - 1]))
        });
        println!("| {blocked} | {validate} | {stop} |");
    }
}

/// The creation of a `bench_slow`, which blocks its thread.
fn slow(blocks: Duration) -> apply_resource_change::Request {
    let ty = Type::object([("milliseconds", Type::Number), ("id", Type::String)]);
    let milliseconds = i64::try_from(blocks.as_millis()).unwrap();
    let object = |id| Value::object([("milliseconds", Value::from(milliseconds)), ("id", id)]);
    apply_resource_change::Request {
        type_name: "bench_slow".to_owned(),
        prior_state: Some(wire(&Value::Null, &ty)),
        planned_state: Some(wire(&object(Value::UNKNOWN), &ty)),
        config: Some(wire(&object(Value::Null), &ty)),
        ..Default::default()
    }
}

/// Starts the program as Terraform does.
async fn start(program: &str) -> (Plugin, Channel) {
    let identity = Identity::p521(1);
    let (plugin, handshake) = Setup::of(program)
        .env("BENCH_SLOW", "1")
        .with_client_certificate(&identity)
        .start_and_handshake()
        .await;
    let channel = handshake.connect(&identity).await;
    (plugin, channel)
}

/// Measures all cases in one process of the program.
async fn round(program: &str, table: &mut Table) {
    let (plugin, channel) = start(program).await;
    let requests = Requests::of(&channel).await;
    for ((rpc, _), rounds) in RPCS.iter().zip(table) {
        for (at_once, rounds) in AT_ONCE.into_iter().zip(rounds) {
            // Threads, buffers and caches exist afterwards.
            calls(&channel, &requests, *rpc, at_once, CALLS / 20).await;
            let (cpu_before, start) = (cpu(&plugin), Instant::now());
            calls(&channel, &requests, *rpc, at_once, CALLS).await;
            let (elapsed, cpu) = (start.elapsed().as_secs_f64(), cpu(&plugin) - cpu_before);
            rounds.calls_per_second.push(f64::from(CALLS) / elapsed);
            rounds.cpu_per_call.push(cpu / f64::from(CALLS) * 1e6);
        }
    }
}

/// Sends this number of calls, `at_once` of them concurrently.
async fn calls(channel: &Channel, requests: &Requests, rpc: Rpc, at_once: u32, calls: u32) {
    let mut callers = JoinSet::new();
    for _ in 0..at_once {
        let mut provider = channel.provider();
        let times = calls / at_once;
        macro_rules! repeat {
            ($call:ident, $request:expr) => {{
                let request = $request.clone();
                callers.spawn(async move {
                    for _ in 0..times {
                        let response = provider.$call(request.clone()).await.unwrap().into_inner();
                        assert!(response.diagnostics.is_empty(), "{:?}", response.diagnostics);
                    }
                });
            }};
        }
        match rpc {
            Rpc::Validate => repeat!(validate_resource_config, requests.validate),
            Rpc::Plan => repeat!(plan_resource_change, requests.create),
            Rpc::PlanUnchanged => repeat!(plan_resource_change, requests.unchanged),
            Rpc::Apply => repeat!(apply_resource_change, requests.apply),
            Rpc::Read => repeat!(read_resource, requests.read),
        }
    }
    while let Some(done) = callers.join_next().await {
        done.unwrap();
    }
}

/// The CPU time of the process so far, including threads that have ended, in seconds.
fn cpu(plugin: &Plugin) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", plugin.id())).unwrap();
    // The name, which may contain spaces, is in parentheses; user and system time are the 12th and 13th field after it.
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let ticks: f64 = fields.split(' ').skip(11).take(2).map(|it| it.parse::<f64>().unwrap()).sum();
    ticks / TICKS
}

fn median(rounds: &[f64]) -> f64 {
    let mut rounds = rounds.to_vec();
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}
