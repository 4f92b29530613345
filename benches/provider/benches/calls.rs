//! What a call costs the provider, decoding and encoding included: `cargo bench -p terraform-provider-bench`.
//!
//! For each type with a collection and each size: the CPU time of validate, plan (create, nothing changed, one
//! element changed), apply and read, the fastest of several runs; and the exponent of its growth from the
//! smallest size to the largest (1 is linear).

use std::time::{Duration, Instant};

use ferroform::engine::{ApplyRequest, Caller, PlanRequest, ReadRequest, Server};
use ferroform::value::{Type, Value, msgpack};
use terraform_provider_bench::Bench;
use tokio::runtime::{Builder, Runtime};

const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];
const TYPES: [&str; 5] = ["bench_set", "bench_setblock", "bench_setstring", "bench_list", "bench_map"];

fn main() {
    let runtime = Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let server = Server::new::<Bench>();
    runtime.block_on(server.configure(Value::Null, &Caller::default()));
    item(&runtime, &server);
    println!("\n| type | call | {} | exponent |", SIZES.map(|it| format!("{it}")).join(" | "));
    println!("|---|---|{}---|", "---|".repeat(SIZES.len()));
    for name in TYPES {
        let rows: Vec<[Duration; 6]> =
            SIZES.iter().map(|size| calls(&runtime, &server, name, *size)).collect();
        for (i, call) in ["validate", "plan: create", "plan: no change", "plan: update", "apply", "read"]
            .iter()
            .enumerate()
        {
            let times: Vec<Duration> = rows.iter().map(|it| it[i]).collect();
            let cells: Vec<String> = times.iter().map(|it| show(*it)).collect();
            println!("| {name} | {call} | {} | {:.2} |", cells.join(" | "), exponent(&times));
        }
    }
}

fn show(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// The slope of time over size in a doubly logarithmic plot, from 1,000 elements on: below, constants rule.
fn exponent(times: &[Duration]) -> f64 {
    let (a, b) = (2, SIZES.len() - 1);
    (times[b].as_secs_f64() / times[a].as_secs_f64()).ln() / (SIZES[b] as f64 / SIZES[a] as f64).ln()
}

/// One element of the type's collection.
fn element(name: &str, i: usize, changed: bool) -> Value {
    if name == "bench_setstring" {
        return Value::string(format!("value-{i}{}", if changed { "-changed" } else { "" }));
    }
    let value = if changed { "changed".into() } else { format!("value-{i}") };
    Value::object([
        ("name", Value::string(format!("name-{i}"))),
        ("value", Value::string(value)),
        ("enabled", Value::Null),
    ])
}

/// A configuration with so many elements, the last of them changed or not.
fn config(name: &str, size: usize, changed: bool) -> Value {
    let elements = (0..size).map(|i| element(name, i, changed && i + 1 == size));
    let (field, collection) = match name {
        "bench_setstring" => ("values", Value::set(elements)),
        "bench_list" => ("items", Value::List(elements.collect())),
        "bench_map" => ("items", Value::map(elements.enumerate().map(|(i, it)| (format!("key-{i}"), it)))),
        _ => ("items", Value::set(elements)),
    };
    Value::object([("id", Value::Null), (field, collection)])
}

/// The call as the transport makes it: bytes in, bytes out.
struct Wire<'a> {
    runtime: &'a Runtime,
    server: &'a Server,
    name: &'a str,
    ty: Type,
}

impl Wire<'_> {
    fn read(&self, bytes: &[u8]) -> Option<Value> {
        Some(msgpack::decode(bytes, &self.ty).expect("what was encoded"))
    }

    fn write(&self, value: &Value) -> Vec<u8> {
        msgpack::encode(value, &self.ty).expect("a value of the type")
    }

    fn plan(&self, prior: &[u8], config: &[u8]) -> Vec<u8> {
        let request = PlanRequest {
            type_name: self.name.into(),
            prior: self.read(prior),
            // The transport does not read it: the engine asks only whether there is one.
            proposed: Some(Value::UNKNOWN),
            config: self.read(config),
            ..PlanRequest::default()
        };
        let done = self.runtime.block_on(self.server.plan(request));
        assert!(done.diagnostics.is_empty(), "{}", done.diagnostics);
        self.write(&done.planned.expect("a plan"))
    }

    fn apply(&self, prior: &[u8], planned: &[u8], config: &[u8]) -> Vec<u8> {
        let request = ApplyRequest {
            type_name: self.name.into(),
            prior: self.read(prior),
            planned: self.read(planned),
            config: self.read(config),
            ..ApplyRequest::default()
        };
        let done = self.runtime.block_on(self.server.apply(request));
        assert!(done.diagnostics.is_empty(), "{}", done.diagnostics);
        self.write(&done.state.expect("a state"))
    }

    fn refresh(&self, state: &[u8]) -> Vec<u8> {
        let (type_name, state) = (self.name.into(), self.read(state));
        let request = ReadRequest { type_name, state, ..ReadRequest::default() };
        let done = self.runtime.block_on(self.server.read(request));
        assert!(done.diagnostics.is_empty(), "{}", done.diagnostics);
        self.write(&done.state.expect("a state"))
    }

    fn validate(&self, config: &[u8]) {
        let config = self.read(config).expect("a configuration");
        let found = self.runtime.block_on(self.server.validate_resource(self.name, config, true));
        assert!(found.is_empty(), "{found}");
    }
}

fn calls(runtime: &Runtime, server: &Server, name: &str, size: usize) -> [Duration; 6] {
    let ty = server.resource(name).expect("a type of ours").schema().block.ty();
    let wire = Wire { runtime, server, name, ty };
    let null = wire.write(&Value::Null);
    let config_bytes = wire.write(&config(name, size, false));
    let changed = wire.write(&config(name, size, true));
    let planned = wire.plan(&null, &config_bytes);
    let state = wire.apply(&null, &planned, &config_bytes);
    let times = if size > 10_000 { 3 } else { 7 };
    [
        fastest(times, || wire.validate(&config_bytes)),
        fastest(times, || drop(wire.plan(&null, &config_bytes))),
        fastest(times, || drop(wire.plan(&state, &config_bytes))),
        fastest(times, || drop(wire.plan(&state, &changed))),
        fastest(times, || drop(wire.apply(&null, &planned, &config_bytes))),
        fastest(times, || drop(wire.refresh(&state))),
    ]
}

fn fastest(times: usize, mut call: impl FnMut()) -> Duration {
    let once = |_| {
        let start = Instant::now();
        call();
        start.elapsed()
    };
    (0..times).map(once).min().unwrap_or_default()
}

/// One call on a small resource, over many.
fn item(runtime: &Runtime, server: &Server) {
    let ty = server.resource("bench_item").expect("a type of ours").schema().block.ty();
    let wire = Wire { runtime, server, name: "bench_item", ty };
    let null = wire.write(&Value::Null);
    let config = wire.write(&Value::object([
        ("id", Value::Null),
        ("name", "a".into()),
        ("size", Value::Null),
        ("enabled", Value::Null),
        ("labels", Value::map([("env", "prod".into()), ("team", "core".into())])),
        ("note", "a note".into()),
        ("replace_me", Value::Null),
    ]));
    let planned = wire.plan(&null, &config);
    let state = wire.apply(&null, &planned, &config);
    const MANY: u32 = 2_000;
    println!("| call on bench_item | each |\n|---|---|");
    let row = |call: &str, f: &mut dyn FnMut()| {
        let time = fastest(3, || (0..MANY).for_each(|_| f())) / MANY;
        println!("| {call} | {:.1} µs |", time.as_secs_f64() * 1e6);
    };
    row("validate", &mut || wire.validate(&config));
    row("plan: create", &mut || drop(wire.plan(&null, &config)));
    row("plan: no change", &mut || drop(wire.plan(&state, &config)));
    row("apply", &mut || drop(wire.apply(&null, &planned, &config)));
    row("read", &mut || drop(wire.refresh(&state)));
}
