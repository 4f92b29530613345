//! The CPU time of RPCs, including decoding and encoding: `cargo bench -p terraform-provider-bench`.
//!
//! For each type with a collection and each size, the table contains the CPU time of validate, plan (create, no
//! change, one changed element), apply and read, as the fastest of several runs. The last columns are the exponents
//! of its growth, from the smallest size and from 1,000 elements on. An exponent of 1 is linear.

mod shapes;

use std::time::{Duration, Instant};

use ferroform::value::{Type, Value, msgpack};
use ferroform_engine::Kind;
use ferroform_engine::{ApplyRequest, PlanRequest, ProviderServer, ReadRequest, RpcMetadata};
use shapes::{SIZES, TYPES, config, head, rows};
use terraform_provider_bench::Bench;
use tokio::runtime::{Builder, Runtime};

fn main() {
    let runtime = Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let server = ferroform::server::<Bench>();
    runtime.block_on(server.configure_provider(Value::Null, &RpcMetadata::default()));
    item(&runtime, &server);
    head();
    for name in TYPES {
        rows(name, &SIZES.map(|size| calls(&runtime, &server, name, size)));
    }
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

fn calls(runtime: &Runtime, server: &ProviderServer, name: &str, size: usize) -> [Duration; 6] {
    let wire = Wire { runtime, server, name, ty: shapes::ty(name) };
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
