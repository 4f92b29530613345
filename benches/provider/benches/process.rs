//! What a provider costs as a process: `cargo bench -p terraform-provider-bench --bench process`.
//!
//! It is started as Terraform starts it, with mutual TLS and no log asked for; what counts is the CPU time of its
//! process over many calls, and its memory. Only where there is `/proc`.

#![allow(clippy::unwrap_used, reason = "a bench ends where something is wrong")]

use std::fs;
use std::time::Instant;

use ferroform::value::{Type, Value, msgpack};
use ferroform_proto::tfplugin6::{
    DynamicValue, apply_resource_change, configure_provider, get_provider_schema, plan_resource_change,
    read_resource, validate_resource_config,
};
use plugin_host::{Channel, Identity, Plugin, Setup, sockets};

const CALLS: u32 = 10_000;
const LONG: u32 = 100_000;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if fs::metadata("/proc/self/schedstat").is_err() {
        println!("Not measured: there is no /proc here.");
        return;
    }
    fs::create_dir_all(sockets()).unwrap();
    schemas().await;
    calls().await;
    fs::remove_dir_all(sockets()).unwrap();
}

async fn start(types: u32) -> (Plugin, Channel) {
    let identity = Identity::p521(1);
    let setup = Setup::of(env!("CARGO_BIN_EXE_terraform-provider-bench"));
    let (plugin, shake) = setup.env("BENCH_TYPES", types.to_string()).trusting(&identity).shake().await;
    let channel = shake.connect(&identity).await;
    (plugin, channel)
}

/// The CPU time of all its threads, in nanoseconds. Those that have ended are missing: it keeps its own for seconds.
fn cpu(plugin: &Plugin) -> u64 {
    let threads = fs::read_dir(format!("/proc/{}/task", plugin.id())).unwrap();
    let of = |it: std::io::Result<fs::DirEntry>| -> u64 {
        let text = fs::read_to_string(it.unwrap().path().join("schedstat")).unwrap();
        text.split(' ').next().unwrap().parse().unwrap()
    };
    threads.map(of).sum()
}

/// A line of its status, in KiB.
fn memory(plugin: &Plugin, line: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", plugin.id())).unwrap();
    let found = status.lines().find_map(|it| it.strip_prefix(line)?.strip_prefix(':')).unwrap();
    found.split_whitespace().next().unwrap().parse().unwrap()
}

fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}

/// The first schema of many types: the best of several processes.
async fn schemas() {
    println!("| types | first schema, CPU | to its end, at the host | most memory |\n|---|---|---|---|");
    for types in [0, 1_500] {
        let mut seen = Vec::new();
        for _ in 0..7 {
            let (plugin, channel) = start(types).await;
            let (before, begun) = (cpu(&plugin), Instant::now());
            let answer = channel.provider().get_provider_schema(get_provider_schema::Request {}).await;
            let took = begun.elapsed();
            let answer = answer.unwrap().into_inner();
            assert!(answer.diagnostics.is_empty() && answer.resource_schemas.len() == 7 + types as usize);
            seen.push((cpu(&plugin) - before, took, memory(&plugin, "VmHWM")));
        }
        seen.sort();
        let (cpu, took, memory) = seen[0];
        println!(
            "| {} | {:.1} ms | {:.1} ms  | {:.1} MiB |",
            types + 7,
            cpu as f64 / 1e6,
            took.as_secs_f64() * 1e3,
            mib(memory)
        );
    }
}

struct Item {
    ty: Type,
    config: DynamicValue,
    null: DynamicValue,
}

impl Item {
    fn new() -> Item {
        let texts = ["id", "name", "note", "replace_me"].map(|it| (it, Type::String));
        let rest = [("size", Type::Number), ("enabled", Type::Bool), ("labels", Type::map(Type::String))];
        let ty = Type::object(texts.into_iter().chain(rest));
        let labels = Value::map([("env", "prod".into()), ("team", "core".into())]);
        let config = Value::object([
            ("id", Value::Null),
            ("name", "a".into()),
            ("size", Value::Null),
            ("enabled", Value::Null),
            ("labels", labels),
            ("note", "a note".into()),
            ("replace_me", Value::Null),
        ]);
        Item { config: wire(&config, &ty), null: wire(&Value::Null, &ty), ty }
    }

    /// What the host makes of the configuration and the prior state.
    fn proposed(&self) -> DynamicValue {
        let config = msgpack::decode(&self.config.msgpack, &self.ty).unwrap();
        let Value::Object(mut object) = config else { unreachable!() };
        object.insert("id", Value::UNKNOWN);
        wire(&Value::Object(object), &self.ty)
    }
}

fn wire(value: &Value, ty: &Type) -> DynamicValue {
    DynamicValue { msgpack: msgpack::encode(value, ty).unwrap().into(), ..Default::default() }
}

async fn calls() {
    let (plugin, channel) = start(0).await;
    let mut provider = channel.provider();
    let configure = configure_provider::Request {
        config: Some(wire(&Value::Object(Default::default()), &Type::object::<&str>([]))),
        ..Default::default()
    };
    assert!(provider.configure_provider(configure).await.unwrap().into_inner().diagnostics.is_empty());
    let item = Item::new();
    let type_name = "bench_item".to_owned();
    let validate = validate_resource_config::Request {
        type_name: type_name.clone(),
        config: Some(item.config.clone()),
        client_capabilities: None,
    };
    let create = plan_resource_change::Request {
        type_name: type_name.clone(),
        prior_state: Some(item.null.clone()),
        proposed_new_state: Some(item.proposed()),
        config: Some(item.config.clone()),
        ..Default::default()
    };
    let planned = provider.plan_resource_change(create.clone()).await.unwrap().into_inner();
    assert!(planned.diagnostics.is_empty());
    let apply = apply_resource_change::Request {
        type_name: type_name.clone(),
        prior_state: Some(item.null.clone()),
        planned_state: planned.planned_state,
        config: Some(item.config.clone()),
        ..Default::default()
    };
    let applied = provider.apply_resource_change(apply.clone()).await.unwrap().into_inner();
    assert!(applied.diagnostics.is_empty());
    let state = applied.new_state.unwrap();
    let same = plan_resource_change::Request {
        prior_state: Some(state.clone()),
        proposed_new_state: Some(state.clone()),
        ..create.clone()
    };
    let read = read_resource::Request { type_name, current_state: Some(state), ..Default::default() };

    println!("\n| call on bench_item, {CALLS} times | CPU each |\n|---|---|");
    macro_rules! row {
        ($name:literal, $call:ident, $request:expr) => {
            // What is made once is made before.
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
    row!("plan: no change", plan_resource_change, same);
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
