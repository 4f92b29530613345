//! The memory of RPCs about values with as many elements as the decoder accepts:
//! `cargo bench -p terraform-provider-bench --bench memory`.
//!
//! Each RPC runs in a process of its own. The table contains the peak of the resident memory and the CPU time of this
//! process. Needs `/proc`. `-- 10` measures a tenth of the elements, and `-- 10 bench_bools` only this type.
//!
//! The last rows are about messages of 200 MB with too many elements, which the provider rejects.

#![allow(clippy::unwrap_used, reason = "a panic ends the benchmark")]

mod client;

use std::{env, fs};

use client::{configure, wire};
use ferroform::value::{Type, Value, json};
use ferroform_proto::tfplugin6::{
    DynamicValue, RawState, apply_resource_change, plan_resource_change, read_resource,
    upgrade_resource_state, validate_resource_config,
};
use plugin_client::{Channel, Identity, Plugin, Setup, sockets};

/// The limit of the decoder.
const MAX_ELEMENTS: usize = 4_000_000;

/// A resource type with one collection.
struct Case {
    type_name: &'static str,
    attribute: &'static str,
    ty: Type,
    /// The number of elements that an element of the collection counts as.
    weight: usize,
    elements: fn(usize) -> Value,
}

fn cases() -> [Case; 7] {
    let object = Type::object([("name", Type::String), ("value", Type::String), ("enabled", Type::Bool)]);
    let case =
        |type_name, ty, weight, elements| Case { type_name, attribute: "values", ty, weight, elements };
    let of_objects = |type_name, ty, weight, elements| Case {
        attribute: "items",
        ..case(type_name, ty, weight, elements)
    };
    [
        case("bench_numbers", Type::list(Type::Number), 1, |count| Value::List(vec![1.into(); count])),
        case("bench_setstring", Type::set(Type::String), 1, |count| Value::set((0..count).map(name))),
        case("bench_bools", Type::map(Type::Bool), 2, |count| Value::map((0..count).map(entry))),
        case("bench_maps", Type::list(Type::map(Type::Bool)), 11, |count| {
            Value::List(vec![Value::map([("a", true.into())]); count])
        }),
        of_objects("bench_list", Type::list(object.clone()), 4, |count| {
            Value::List((0..count).map(element).collect())
        }),
        of_objects("bench_set", Type::set(object), 4, |count| Value::set((0..count).map(element))),
        // Few elements, but the largest messages.
        case("bench_setstring", Type::set(Type::String), MAX_ELEMENTS / 60, |count| {
            Value::set((0..count).map(|i| format!("{i}{}", "x".repeat(1 << 20)).into()))
        }),
    ]
}

fn name(i: usize) -> Value {
    Value::string(format!("{i:07}"))
}

fn entry(i: usize) -> (String, Value) {
    (format!("{i:07}"), true.into())
}

fn element(i: usize) -> Value {
    Value::object([("name", name(i)), ("value", Value::Null), ("enabled", true.into())])
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if fs::metadata("/proc/self/schedstat").is_err() {
        println!("Not measured: there is no /proc here.");
        return;
    }
    fs::create_dir_all(sockets()).unwrap();
    let arguments: Vec<String> = env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let divisor: usize = arguments.iter().find_map(|it| it.parse().ok()).unwrap_or(1);
    println!(
        "| type | elements | RPC | request | peak | peak / request | CPU |\n|---|---|---|---|---|---|---|"
    );
    for case in cases() {
        let is_named = |it: &String| it.starts_with("bench_");
        if arguments.iter().any(|it| it == case.type_name) || !arguments.iter().any(is_named) {
            // The object itself and its two attributes count as well.
            let count = (MAX_ELEMENTS - 10) / case.weight / divisor;
            measure(&case, count).await;
        }
    }
    if arguments.is_empty() {
        rejected().await;
    }
    fs::remove_dir_all(sockets()).unwrap();
}

async fn start() -> (Plugin, Channel) {
    let identity = Identity::p521(1);
    let setup = Setup::of(env!("CARGO_BIN_EXE_terraform-provider-bench")).env("BENCH_SMALL", "1");
    let (plugin, handshake) = setup.with_client_certificate(&identity).start_and_handshake().await;
    let channel = handshake.connect(&identity).await;
    configure(&channel).await;
    (plugin, channel)
}

/// Prints the row of an RPC, after which the process ends.
fn print(row: &str, request: usize, plugin: &Plugin) {
    let status = fs::read_to_string(format!("/proc/{}/status", plugin.id())).unwrap();
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap();
    let peak = peak.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1024.0;
    let mut cpu = 0.0;
    for thread in fs::read_dir(format!("/proc/{}/task", plugin.id())).unwrap() {
        let schedstat = fs::read_to_string(thread.unwrap().path().join("schedstat")).unwrap();
        cpu += schedstat.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9;
    }
    let request = request as f64 / f64::from(1 << 20);
    println!("| {row} | {request:.0} MiB | {peak:.0} MiB | {:.0} | {cpu:.1} s |", peak / request);
}

async fn measure(case: &Case, count: usize) {
    let ty = Type::object([("id", Type::String), (case.attribute, case.ty.clone())]);
    let object = |id: Value| Value::object([("id", id), (case.attribute, (case.elements)(count))]);
    let type_name = case.type_name.to_owned();
    let null = Some(wire(&Value::Null, &ty));
    let config = Some(wire(&object(Value::Null), &ty));
    let planned = Some(wire(&object(Value::UNKNOWN), &ty));
    let state = Some(wire(&object("x".into()), &ty));
    let json = json::encode(&object("x".into()), &ty).unwrap();
    let length = |it: &Option<DynamicValue>| it.as_ref().map_or(0, |it| it.msgpack.len());
    macro_rules! row {
        ($rpc:literal, $call:ident, $request:expr, $length:expr) => {
            let (plugin, channel) = start().await;
            let response = channel.provider().$call($request).await.unwrap().into_inner();
            let row = format!("{type_name} | {count} | {}", $rpc);
            assert!(response.diagnostics.is_empty(), "{row}: {:?}", response.diagnostics);
            print(&row, $length, &plugin);
        };
    }
    macro_rules! plan {
        ($rpc:literal, $prior:expr, $proposed:expr) => {
            let request = plan_resource_change::Request {
                type_name: type_name.clone(),
                prior_state: $prior.clone(),
                proposed_new_state: $proposed.clone(),
                config: config.clone(),
                ..Default::default()
            };
            row!($rpc, plan_resource_change, request, length(&$prior) + length(&$proposed) + length(&config));
        };
    }
    macro_rules! apply {
        ($rpc:literal, $prior:expr, $planned:expr) => {
            let request = apply_resource_change::Request {
                type_name: type_name.clone(),
                prior_state: $prior.clone(),
                planned_state: $planned.clone(),
                config: config.clone(),
                ..Default::default()
            };
            row!($rpc, apply_resource_change, request, length(&$prior) + length(&$planned) + length(&config));
        };
    }
    let validate = validate_resource_config::Request {
        type_name: type_name.clone(),
        config: config.clone(),
        client_capabilities: None,
    };
    row!("validate", validate_resource_config, validate, length(&config));
    plan!("plan: create", null, planned);
    plan!("plan: no change", state, state);
    apply!("apply: create", null, planned);
    apply!("apply: update", state, state);
    let read = read_resource::Request {
        type_name: type_name.clone(),
        current_state: state.clone(),
        ..Default::default()
    };
    row!("read", read_resource, read, length(&state));
    let (json_length, raw_state) = (json.len(), Some(RawState { json: json.into(), ..Default::default() }));
    let upgrade = upgrade_resource_state::Request { type_name: type_name.clone(), version: 0, raw_state };
    row!("upgrade", upgrade_resource_state, upgrade, json_length);
}

/// A map with too many entries, in MessagePack and in JSON.
async fn rejected() {
    const ENTRIES: usize = 20_000_000;
    // The tag of a string of eight bytes, the string, and `true`.
    let entries = (0..ENTRIES).flat_map(|i| [&[0xa8], format!("{i:08}").as_bytes(), &[0xc3]].concat());
    let header = [b"\x82\xa2id\xc0\xa6values\xdf", &(ENTRIES as u32).to_be_bytes()[..]].concat();
    let config: Vec<u8> = header.into_iter().chain(entries).collect();
    let length = config.len();
    let config = Some(DynamicValue { msgpack: config.into(), ..Default::default() });
    let type_name = "bench_bools".to_owned();
    let (plugin, channel) = start().await;
    let request =
        validate_resource_config::Request { type_name: type_name.clone(), config, client_capabilities: None };
    let response = channel.provider().validate_resource_config(request).await.unwrap().into_inner();
    assert_eq!(response.diagnostics.len(), 1);
    print(&format!("{type_name} | {ENTRIES} | validate, rejected"), length, &plugin);

    let entries = (0..ENTRIES * 10 / 16).map(|i| format!("\"{i:08}\":true")).collect::<Vec<_>>().join(",");
    let json = format!("{{\"id\":\"x\",\"values\":{{{entries}}}}}");
    let (length, raw_state) = (json.len(), Some(RawState { json: json.into(), ..Default::default() }));
    let (plugin, channel) = start().await;
    let request = upgrade_resource_state::Request { type_name: type_name.clone(), version: 0, raw_state };
    let response = channel.provider().upgrade_resource_state(request).await.unwrap().into_inner();
    assert_eq!(response.diagnostics.len(), 1);
    print(&format!("{type_name} | {} | upgrade, rejected", ENTRIES * 10 / 16), length, &plugin);
}
