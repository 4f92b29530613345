//! The costs of a provider process: `cargo bench -p terraform-provider-bench --bench process`.
//!
//! The provider is started as Terraform starts it, with mutual TLS and without logging. The tables contain the CPU
//! time of its process per RPC, and its memory. Needs `/proc`.
//!
//! `--target x86_64-unknown-linux-musl` measures the provider as `cargo ferroform dist` links it. `-- PATH` measures another program, such as the same provider on another framework. `-- schemas`, `-- deepest`,
//! `-- collections`, `-- calls` or the name of a type with a collection measures only that part.
//!
//! With `BENCH_SCHEMAS=FILE` in the environment, `schemas` and `deepest` also measure a provider with the types in the
//! file, which is the output of `terraform providers schema -json` for a configuration with one provider.

#![allow(clippy::unwrap_used, reason = "a panic ends the benchmark")]

mod client;
mod deepest;
mod item;
mod shapes;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs};

use client::{configure, wire};
use deepest::Deepest;
use ferroform::value::{Value, msgpack};
use ferroform_proto::tfplugin6::{
    DynamicValue, apply_resource_change, get_provider_schema, plan_resource_change, read_resource,
    validate_resource_config,
};
use item::Requests;
use plugin_client::{Channel, Identity, Plugin, Setup, sockets};
use shapes::{SIZES, TYPES, head, rows};

const CALLS: u32 = 10_000;
const LONG: u32 = 100_000;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if fs::metadata("/proc/self/schedstat").is_err() {
        println!("Not measured: there is no /proc here.");
        return;
    }
    fs::create_dir_all(sockets()).unwrap();
    let parts: Vec<String> = arguments().filter(|it| is_part(it)).collect();
    let is_selected = |part: &str| parts.is_empty() || parts.iter().any(|it| it == part);
    if is_selected("schemas") {
        schemas().await;
    }
    if is_selected("deepest") {
        deepest().await;
    }
    let names: Vec<&str> =
        TYPES.into_iter().filter(|it| is_selected(it) || is_selected("collections")).collect();
    if !names.is_empty() {
        collections(&names).await;
    }
    if is_selected("calls") {
        calls().await;
    }
    fs::remove_dir_all(sockets()).unwrap();
}

/// The arguments of the user, without the options that Cargo adds.
fn arguments() -> impl Iterator<Item = String> {
    env::args().skip(1).filter(|it| !it.starts_with("--"))
}

fn is_part(it: &str) -> bool {
    ["schemas", "deepest", "collections", "calls"].contains(&it) || TYPES.contains(&it)
}

/// The types that a provider has in addition to its fixed ones.
#[derive(Clone, Copy)]
struct More {
    flat: u32,
    deep: u32,
    /// The types of `BENCH_SCHEMAS`.
    has_described: bool,
}

impl More {
    const NONE: More = More { flat: 0, deep: 0, has_described: false };

    fn description(self) -> String {
        let flat = (self.flat + 7).to_string();
        let deep = (self.deep > 0).then(|| format!("{} with deeply nested blocks", self.deep));
        let described = self.has_described.then(|| "those of `BENCH_SCHEMAS`".to_owned());
        [flat].into_iter().chain(deep).chain(described).collect::<Vec<_>>().join(", and ")
    }
}

/// The file with the schemas of another provider.
fn described() -> Option<OsString> {
    env::var_os("BENCH_SCHEMAS")
}

/// The providers to measure, and that of `BENCH_SCHEMAS`.
fn and_described(all: &[More]) -> Vec<More> {
    let described = described().map(|_| More { has_described: true, ..More::NONE });
    all.iter().copied().chain(described).collect()
}

async fn start(more: More) -> (Plugin, Channel) {
    let identity = Identity::p521(1);
    let other = arguments().find(|it| !is_part(it));
    let setup = Setup::of(other.as_deref().unwrap_or(env!("CARGO_BIN_EXE_terraform-provider-bench")));
    let file = described().filter(|_| more.has_described);
    let setup = file.into_iter().fold(setup, |setup, it| setup.env("BENCH_SCHEMAS", it.to_str().unwrap()));
    let (plugin, handshake) = setup
        .env("BENCH_TYPES", more.flat.to_string())
        .env("BENCH_DEEP", more.deep.to_string())
        .with_client_certificate(&identity)
        .start_and_handshake()
        .await;
    let channel = handshake.connect(&identity).await;
    (plugin, channel)
}

/// The CPU time of all threads in nanoseconds, including threads that have ended.
fn cpu(plugin: &Plugin) -> u64 {
    static SEEN: Mutex<BTreeMap<(u32, OsString), u64>> = Mutex::new(BTreeMap::new());
    let mut seen = SEEN.lock().unwrap();
    for thread in fs::read_dir(format!("/proc/{}/task", plugin.id())).unwrap() {
        let thread = thread.unwrap();
        // The thread may end at any time.
        if let Ok(schedstat) = fs::read_to_string(thread.path().join("schedstat")) {
            let time = schedstat.split(' ').next().unwrap().parse().unwrap();
            seen.insert((plugin.id(), thread.file_name()), time);
        }
    }
    seen.iter().filter(|((of, _), _)| *of == plugin.id()).map(|(_, time)| time).sum()
}

/// A line of `/proc/PID/status`, in KiB.
fn memory(plugin: &Plugin, line: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", plugin.id())).unwrap();
    let found = status.lines().find_map(|it| it.strip_prefix(line)?.strip_prefix(':')).unwrap();
    found.split_whitespace().next().unwrap().parse().unwrap()
}

fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}

/// Measures the first schema of a provider with many types: the best of several processes.
async fn schemas() {
    println!(
        "| types | first schema, CPU time | until the client has received it | memory before | peak memory |\n|---|---|---|---|---|"
    );
    let flat = More { flat: 1_500, ..More::NONE };
    for more in and_described(&[More::NONE, flat, More { deep: 5, ..flat }]) {
        let mut seen = Vec::new();
        for _ in 0..7 {
            let (plugin, channel) = start(more).await;
            // The peak memory before the call is that of reading the file.
            fs::write(format!("/proc/{}/clear_refs", plugin.id()), "5").unwrap();
            let memory_before = memory(&plugin, "VmRSS");
            let (before, begun) = (cpu(&plugin), Instant::now());
            let response = channel.provider().get_provider_schema(get_provider_schema::Request {}).await;
            let elapsed = begun.elapsed();
            let response = response.unwrap().into_inner();
            assert!(response.diagnostics.is_empty(), "{:?}", response.diagnostics);
            let fixed = (7 + more.flat + more.deep) as usize;
            assert!(response.resource_schemas.len() == fixed || more.has_described);
            seen.push((cpu(&plugin) - before, elapsed, memory_before, memory(&plugin, "VmHWM")));
        }
        seen.sort();
        let (cpu, elapsed, memory_before, memory) = seen[0];
        println!(
            "| {} | {:.1} ms | {:.1} ms | {:.1} MiB | {:.1} MiB |",
            more.description(),
            cpu as f64 / 1e6,
            elapsed.as_secs_f64() * 1e3,
            mib(memory_before),
            mib(memory)
        );
    }
}

/// Measures the calls on the resource type with the most deeply nested blocks.
async fn deepest() {
    println!("\n| type | payload | validate | plan: create | apply | read |\n|---|---|---|---|---|---|");
    for more in and_described(&[More { deep: 1, ..More::NONE }]) {
        let (plugin, channel) = start(more).await;
        configure(&channel).await;
        let deepest = Deepest::of(&channel).await;
        let each = deepest_calls(&plugin, &channel, &deepest).await;
        let each = each.map(|it| format!("{:.2} ms", it.as_secs_f64() * 1e3)).join(" | ");
        let Deepest { name, levels, .. } = &deepest;
        println!("| {name}, {levels} levels | {} bytes | {each} |", deepest.size());
    }
}

async fn deepest_calls(plugin: &Plugin, channel: &Channel, deepest: &Deepest) -> [Duration; 4] {
    let Deepest { name, ty, config, proposed, .. } = deepest;
    let (null, config) = (wire(&Value::Null, ty), wire(config, ty));
    let validate = validate_resource_config::Request {
        type_name: name.clone(),
        config: Some(config.clone()),
        client_capabilities: None,
    };
    let create = plan_resource_change::Request {
        type_name: name.clone(),
        prior_state: Some(null.clone()),
        proposed_new_state: Some(wire(proposed, ty)),
        config: Some(config.clone()),
        ..Default::default()
    };
    let mut provider = channel.provider();
    let planned = provider.plan_resource_change(create.clone()).await.unwrap().into_inner().planned_state;
    let apply = apply_resource_change::Request {
        type_name: name.clone(),
        prior_state: Some(null),
        planned_state: planned,
        config: Some(config),
        ..Default::default()
    };
    let state = provider.apply_resource_change(apply.clone()).await.unwrap().into_inner().new_state;
    let read = read_resource::Request { type_name: name.clone(), current_state: state, ..Default::default() };
    macro_rules! each {
        ($call:ident, $request:expr) => {{
            const TIMES: u32 = 200;
            let before = cpu(plugin);
            for _ in 0..TIMES {
                let response = provider.$call($request.clone()).await.unwrap().into_inner();
                assert!(response.diagnostics.is_empty(), "{:?}", response.diagnostics);
            }
            Duration::from_nanos((cpu(plugin) - before) / u64::from(TIMES))
        }};
    }
    [
        each!(validate_resource_config, validate),
        each!(plan_resource_change, create),
        each!(apply_resource_change, apply),
        each!(read_resource, read),
    ]
}

/// A configured provider.
async fn configured() -> (Plugin, Channel) {
    let (plugin, channel) = start(More::NONE).await;
    configure(&channel).await;
    (plugin, channel)
}

/// Measures the types with a collection, by the number of elements.
async fn collections(names: &[&str]) {
    let (plugin, channel) = configured().await;
    head();
    for name in names {
        let mut times = [[Duration::ZERO; 6]; SIZES.len()];
        for (size, times) in SIZES.into_iter().zip(&mut times) {
            *times = collection(&plugin, &channel, name, size).await;
        }
        rows(name, &times);
    }
    let (after, peak) = (mib(memory(&plugin, "VmRSS")), mib(memory(&plugin, "VmHWM")));
    println!("\nMemory after these calls: {after:.0} MiB; at most {peak:.0} MiB");
}

async fn collection(plugin: &Plugin, channel: &Channel, name: &str, size: usize) -> [Duration; 6] {
    let ty = shapes::ty(name);
    let config = |changed| wire(&shapes::config(name, size, changed), &ty);
    let with_id = |config: &DynamicValue, id: Value| {
        let Value::Object(mut object) = msgpack::decode(&config.msgpack, &ty).unwrap() else {
            unreachable!()
        };
        object.insert("id", id);
        wire(&Value::Object(object), &ty)
    };
    let (type_name, null, same, changed) =
        (name.to_owned(), wire(&Value::Null, &ty), config(false), config(true));
    let validate = validate_resource_config::Request {
        type_name: type_name.clone(),
        config: Some(same.clone()),
        client_capabilities: None,
    };
    let create = plan_resource_change::Request {
        type_name: type_name.clone(),
        prior_state: Some(null.clone()),
        proposed_new_state: Some(with_id(&same, Value::UNKNOWN)),
        config: Some(same.clone()),
        ..Default::default()
    };
    let mut provider = channel.provider();
    let planned = provider.plan_resource_change(create.clone()).await.unwrap().into_inner().planned_state;
    let apply = apply_resource_change::Request {
        type_name: type_name.clone(),
        prior_state: Some(null),
        planned_state: planned,
        config: Some(same),
        ..Default::default()
    };
    let state = provider.apply_resource_change(apply.clone()).await.unwrap().into_inner().new_state.unwrap();
    let Value::Object(object) = msgpack::decode(&state.msgpack, &ty).unwrap() else { unreachable!() };
    let id = object.get("id").unwrap().clone();
    let unchanged = plan_resource_change::Request {
        prior_state: Some(state.clone()),
        proposed_new_state: Some(state.clone()),
        ..create.clone()
    };
    let update = plan_resource_change::Request {
        proposed_new_state: Some(with_id(&changed, id)),
        config: Some(changed),
        ..unchanged.clone()
    };
    let read = read_resource::Request { type_name, current_state: Some(state), ..Default::default() };
    let times = (20_000 / size).clamp(3, 200);
    macro_rules! each {
        ($call:ident, $request:expr) => {{
            let before = cpu(plugin);
            for _ in 0..times {
                let response = provider.$call($request.clone()).await.unwrap().into_inner();
                assert!(response.diagnostics.is_empty(), "{:?}", response.diagnostics);
            }
            Duration::from_nanos((cpu(plugin) - before) / times as u64)
        }};
    }
    [
        each!(validate_resource_config, validate),
        each!(plan_resource_change, create),
        each!(plan_resource_change, unchanged),
        each!(plan_resource_change, update),
        each!(apply_resource_change, apply),
        each!(read_resource, read),
    ]
}

async fn calls() {
    let (plugin, channel) = start(More::NONE).await;
    let Requests { validate, create, apply, unchanged, read } = Requests::of(&channel).await;
    let mut provider = channel.provider();

    println!("\n| call on bench_item, {CALLS} times | CPU each |\n|---|---|");
    macro_rules! row {
        ($name:literal, $call:ident, $request:expr) => {
            // Lazily created values exist before the measurement.
            for _ in 0..100 {
                provider.$call($request.clone()).await.unwrap();
            }
            let before = cpu(&plugin);
            for _ in 0..CALLS {
                assert!(provider.$call($request.clone()).await.unwrap().into_inner().diagnostics.is_empty());
            }
            let each = (cpu(&plugin) - before) as f64 / f64::from(CALLS);
            println!("| {} | {:.0} µs |", $name, each / 1e3);
        };
    }
    row!("validate", validate_resource_config, validate);
    row!("plan: create", plan_resource_change, create);
    row!("plan: no change", plan_resource_change, unchanged);
    row!("apply", apply_resource_change, apply);
    row!("read", read_resource, read);

    println!("\n| calls | memory |\n|---|---|");
    println!("| {} | {:.1} MiB |", 5 * CALLS, mib(memory(&plugin, "VmRSS")));
    for i in 1..=LONG {
        match i % 3 {
            0 => drop(provider.plan_resource_change(create.clone()).await.unwrap()),
            1 => drop(provider.apply_resource_change(apply.clone()).await.unwrap()),
            _ => drop(provider.read_resource(read.clone()).await.unwrap()),
        }
        if i % (LONG / 4) == 0 {
            println!("| {} | {:.1} MiB |", 5 * CALLS + i, mib(memory(&plugin, "VmRSS")));
        }
    }
}
