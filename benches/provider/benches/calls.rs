//! The CPU time of RPCs, including decoding and encoding: `cargo bench -p terraform-provider-bench`.
//!
//! For each type with a collection and each size, the table contains the CPU time of validate, plan (create, no
//! change, one changed element), apply and read, as the fastest of several runs. The last columns are the exponents
//! of its growth, from the smallest size and from 1,000 elements on. An exponent of 1 is linear.
//!
//! `-- instructions` counts the instructions of the same RPCs for 1,000 elements, which other load on the machine does
//! not change. Needs Valgrind. `-- TYPE CALL TIMES`, with the number of a call, only repeats this RPC, for a profiler.

#![allow(clippy::unwrap_used, reason = "a panic ends the benchmark")]

mod shapes;

use std::env;
use std::process::Command;
use std::time::{Duration, Instant};

use ferroform::value::{Type, Value, msgpack};
use ferroform_engine::Kind;
use ferroform_engine::{ApplyRequest, PlanRequest, ProviderServer, ReadRequest, RpcMetadata};
use shapes::{CALLS, SIZES, TYPES, config, head, rows};
use terraform_provider_bench::Bench;
use tokio::runtime::{Builder, Runtime};

/// The number of elements for which instructions are counted.
const COUNTED_SIZE: usize = 1_000;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    if arguments == ["instructions"] {
        return instructions();
    }
    let runtime = Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let server = ferroform::server::<Bench>();
    runtime.block_on(server.configure_provider(Value::Null, &RpcMetadata::default()));
    if let [name, call, times] = &arguments[..] {
        let collection = Collection::new(&runtime, &server, name, COUNTED_SIZE);
        let (call, times) = (call.parse().unwrap(), times.parse().unwrap());
        return (0..times).for_each(|_| collection.perform(call));
    }
    item(&runtime, &server);
    head();
    for name in TYPES {
        rows(name, &SIZES.map(|size| calls(&Collection::new(&runtime, &server, name, size), size)));
    }
}

/// Prints the instructions of each RPC: the difference between processes that perform it once and 11 times.
fn instructions() {
    println!("| type | call | million instructions |\n|---|---|---|");
    for name in TYPES {
        for (i, call) in CALLS.into_iter().enumerate() {
            let [once, more] = ["1", "11"].map(|times| counted(&[name, &i.to_string(), times]));
            println!("| {name} | {call} | {:.2} |", (more - once) as f64 / 1e7);
        }
    }
}

/// The instructions of a process of this benchmark with the arguments.
fn counted(arguments: &[&str]) -> u64 {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(env::current_exe().unwrap());
    let output = String::from_utf8(valgrind.args(arguments).output().unwrap().stderr).unwrap();
    let count = output.lines().find_map(|it| it.split_once("Collected : ")).unwrap().1;
    count.trim().parse().unwrap()
}

/// Performs RPCs as the server does: with encoded values.
struct Wire<'a> {
    runtime: &'a Runtime,
    server: &'a ProviderServer,
    name: &'a str,
    ty: Type,
}

impl Wire<'_> {
    fn read(&self, bytes: &[u8]) -> Option<Value> {
        Some(msgpack::decode(bytes, &self.ty).expect("an encoded value"))
    }

    fn write(&self, value: &Value) -> Vec<u8> {
        msgpack::encode(value, &self.ty).expect("a value of the type")
    }

    fn plan(&self, prior: &[u8], config: &[u8]) -> Vec<u8> {
        let request = PlanRequest {
            type_name: self.name.into(),
            prior: self.read(prior),
            // The server does not decode this value, because the engine only checks whether it is null.
            is_destroy: false,
            config: self.read(config),
            ..PlanRequest::default()
        };
        let response = self.runtime.block_on(self.server.plan_resource_change(request));
        assert!(response.diagnostics.is_empty(), "{}", response.diagnostics);
        self.write(&response.planned.expect("a plan"))
    }

    fn apply(&self, prior: &[u8], planned: &[u8], config: &[u8]) -> Vec<u8> {
        let request = ApplyRequest {
            type_name: self.name.into(),
            prior: self.read(prior),
            planned: self.read(planned),
            config: self.read(config),
            ..ApplyRequest::default()
        };
        let response = self.runtime.block_on(self.server.apply_resource_change(request));
        assert!(response.diagnostics.is_empty(), "{}", response.diagnostics);
        self.write(&response.state.expect("a state"))
    }

    fn refresh(&self, state: &[u8]) -> Vec<u8> {
        let (type_name, state) = (self.name.into(), self.read(state));
        let request = ReadRequest { type_name, state, ..ReadRequest::default() };
        let response = self.runtime.block_on(self.server.read_resource(request));
        assert!(response.diagnostics.is_empty(), "{}", response.diagnostics);
        self.write(&response.state.expect("a state"))
    }

    fn validate(&self, config: &[u8]) {
        let config = self.read(config).expect("a configuration");
        let found =
            self.runtime.block_on(self.server.validate_config(Kind::Resource.named(self.name), config, true));
        assert!(found.is_empty(), "{found}");
    }
}

/// The values of the RPCs on a type with a collection, encoded.
struct Collection<'a> {
    wire: Wire<'a>,
    null: Vec<u8>,
    config: Vec<u8>,
    changed: Vec<u8>,
    planned: Vec<u8>,
    state: Vec<u8>,
}

impl<'a> Collection<'a> {
    fn new(runtime: &'a Runtime, server: &'a ProviderServer, name: &'a str, size: usize) -> Collection<'a> {
        let wire = Wire { runtime, server, name, ty: shapes::ty(name) };
        let null = wire.write(&Value::Null);
        let [config, changed] = [false, true].map(|changed| wire.write(&config(name, size, changed)));
        let planned = wire.plan(&null, &config);
        let state = wire.apply(&null, &planned, &config);
        Collection { wire, null, config, changed, planned, state }
    }

    /// Performs one of [`CALLS`].
    fn perform(&self, call: usize) {
        let Collection { wire, null, config, changed, planned, state } = self;
        match call {
            0 => wire.validate(config),
            1 => drop(wire.plan(null, config)),
            2 => drop(wire.plan(state, config)),
            3 => drop(wire.plan(state, changed)),
            4 => drop(wire.apply(null, planned, config)),
            _ => drop(wire.refresh(state)),
        }
    }
}

fn calls(collection: &Collection<'_>, size: usize) -> [Duration; CALLS.len()] {
    let times = if size > 10_000 { 3 } else { 7 };
    std::array::from_fn(|call| fastest(times, || collection.perform(call)))
}

fn fastest(times: usize, mut call: impl FnMut()) -> Duration {
    let once = |_| {
        let start = Instant::now();
        call();
        start.elapsed()
    };
    (0..times).map(once).min().unwrap_or_default()
}

/// The CPU time of one RPC on a small resource, averaged over many.
fn item(runtime: &Runtime, server: &ProviderServer) {
    let ty = server.block(Kind::Resource.named("bench_item")).expect("a resource of the provider").ty();
    let wire = Wire { runtime, server, name: "bench_item", ty: ty.clone() };
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
