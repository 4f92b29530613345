//! The requests about types with a collection, and their table of results. Both benchmarks use them.

use std::time::Duration;

use ferroform::value::{Type, Value};

pub(crate) const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];
pub(crate) const TYPES: [&str; 5] =
    ["bench_set", "bench_setblock", "bench_setstring", "bench_list", "bench_map"];
pub(crate) const CALLS: [&str; 6] =
    ["validate", "plan: create", "plan: no change", "plan: update", "apply", "read"];

/// Prints the head of the table.
pub(crate) fn head() {
    let sizes = SIZES.map(|it| it.to_string()).join(" | ");
    println!("\n| type | call | {sizes} | exponent | from 1000 on |");
    println!("|---|---|{}---|---|", "---|".repeat(SIZES.len()));
}

/// Prints the rows of a type, from the times of all RPCs at each size.
pub(crate) fn rows(name: &str, times: &[[Duration; 6]; SIZES.len()]) {
    for (i, call) in CALLS.into_iter().enumerate() {
        let times = (*times).map(|it| it[i]);
        let cells = times.map(|it| format!("{:.2} ms", it.as_secs_f64() * 1e3)).join(" | ");
        // Below a thousand elements, the constant cost of each RPC outweighs the growth.
        println!("| {name} | {call} | {cells} | {:.2} | {:.2} |", exponent(&times, 0), exponent(&times, 2));
    }
}

/// Returns the exponent of the growth from one of the sizes on: the slope of the best-fitting line in a log-log plot.
fn exponent(times: &[Duration; SIZES.len()], from: usize) -> f64 {
    let points = SIZES.iter().zip(times).skip(from);
    let points: Vec<(f64, f64)> =
        points.map(|(size, it)| ((*size as f64).ln(), it.as_secs_f64().ln())).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|it| it.0), mean(|it| it.1));
    let rise: f64 = points.iter().map(|it| (it.0 - x) * (it.1 - y)).sum();
    rise / points.iter().map(|it| (it.0 - x).powi(2)).sum::<f64>()
}

/// The type of the resource's object.
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

/// An element of the collection.
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

/// A configuration with this number of elements; if `changed`, the last element differs.
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
