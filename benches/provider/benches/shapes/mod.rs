//! What both benches ask of the types with a collection, and how they print what it takes.

use std::time::Duration;

use ferroform::value::{Type, Value};

pub(crate) const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];
pub(crate) const TYPES: [&str; 5] =
    ["bench_set", "bench_setblock", "bench_setstring", "bench_list", "bench_map"];
const CALLS: [&str; 6] = ["validate", "plan: create", "plan: no change", "plan: update", "apply", "read"];

/// The head of the table.
pub(crate) fn head() {
    println!("\n| type | call | {} | exponent |", SIZES.map(|it| it.to_string()).join(" | "));
    println!("|---|---|{}---|", "---|".repeat(SIZES.len()));
}

/// The rows of a type, from the times of all calls at each size.
pub(crate) fn rows(name: &str, times: &[[Duration; 6]; SIZES.len()]) {
    for (i, call) in CALLS.into_iter().enumerate() {
        let times = (*times).map(|it| it[i]);
        let cells = times.map(|it| format!("{:.2} ms", it.as_secs_f64() * 1e3)).join(" | ");
        println!("| {name} | {call} | {cells} | {:.2} |", exponent(&times));
    }
}

/// The slope of time over size in a doubly logarithmic plot, from 1,000 elements on: below, constants rule.
fn exponent(times: &[Duration]) -> f64 {
    let (a, b) = (2, SIZES.len() - 1);
    (times[b].as_secs_f64() / times[a].as_secs_f64()).ln() / (SIZES[b] as f64 / SIZES[a] as f64).ln()
}

/// The type of such an object.
pub(crate) fn ty(name: &str) -> Type {
    let element = Type::object([("name", Type::String), ("value", Type::String), ("enabled", Type::Bool)]);
    let (field, collection) = match name {
        "bench_setstring" => ("values", Type::set(Type::String)),
        "bench_list" => ("items", Type::list(element)),
        "bench_map" => ("items", Type::map(element)),
        _ => ("items", Type::set(element)),
    };
    Type::object([("id", Type::String), (field, collection)])
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
pub(crate) fn config(name: &str, size: usize, changed: bool) -> Value {
    let elements = (0..size).map(|i| element(name, i, changed && i + 1 == size));
    let (field, collection) = match name {
        "bench_setstring" => ("values", Value::set(elements)),
        "bench_list" => ("items", Value::List(elements.collect())),
        "bench_map" => ("items", Value::map(elements.enumerate().map(|(i, it)| (format!("key-{i}"), it)))),
        _ => ("items", Value::set(elements)),
    };
    Value::object([("id", Value::Null), (field, collection)])
}
