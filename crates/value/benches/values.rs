//! The time of operations, and its growth with the size: `cargo bench -p ferroform-value`. An argument after `--`
//! selects the benchmarks whose name contains it.

#![allow(clippy::unwrap_used, missing_docs, reason = "a program of its own")]

mod timing;

use std::rc::Rc;
use std::time::Duration;

use ferroform_value::convert::convert;
use ferroform_value::{Set, Type, Typed, Value, json, msgpack};
use timing::{is_selected, time, time_of};

/// Prints the time of two implementations and their ratio.
fn compare(name: &str, ours: impl FnOnce() -> Duration, others: &[(&str, &dyn Fn() -> Duration)]) {
    if !is_selected(name) {
        return;
    }
    let ours = ours();
    println!("{name}: {ours:.1?}");
    for (other, run) in others {
        let theirs = run();
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        println!("    {other}: {theirs:.1?}, ratio {ratio:.2}");
    }
}

/// Prints the time for each size, and the exponent of its growth. Operations that only read their input receive it in
/// an `Rc`, because a copy takes longer than the operation and has another memory layout.
fn growth<S: Clone, T>(name: &str, set_up: impl Fn(usize) -> S, run: impl Fn(S) -> T) {
    if !is_selected(name) {
        return;
    }
    print!("{name}:");
    let mut points = Vec::new();
    for size in [10usize, 100, 1_000, 10_000, 100_000] {
        let state = set_up(size);
        let elapsed = time_of(|| state.clone(), &run);
        print!(" {size} {elapsed:.1?},");
        points.push(((size as f64).ln(), elapsed.as_secs_f64().ln()));
    }
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|it| it.0), mean(|it| it.1));
    let slope = points.iter().map(|it| (it.0 - x) * (it.1 - y)).sum::<f64>()
        / points.iter().map(|it| (it.0 - x).powi(2)).sum::<f64>();
    println!(" exponent {slope:.2}");
}

fn machine() -> Type {
    Type::object([
        ("enabled", Type::Bool),
        ("id", Type::String),
        ("labels", Type::map(Type::String)),
        ("name", Type::String),
        ("ports", Type::list(Type::Number)),
        ("weight", Type::Number),
        ("zone", Type::String),
    ])
}

fn machines(count: usize, shift: usize) -> impl DoubleEndedIterator<Item = Value> {
    (shift..count + shift).map(|i| {
        let string = |it: String| Value::string(it);
        Value::object([
            ("enabled", Value::Bool(i % 3 == 0)),
            ("id", string(format!("i-{i:016x}"))),
            (
                "labels",
                Value::map([("env", string(format!("stage-{}", i % 7))), ("team", "infrastructure".into())]),
            ),
            ("name", string(format!("machine-{i}.example.com"))),
            ("ports", Value::List(vec![Value::from(80), Value::from(443), Value::from(8000 + i as i64)])),
            ("weight", Value::Number((i as f64 / 8.0).try_into().unwrap())),
            ("zone", if i % 5 == 0 { Value::Null } else { "eu-north-1a".into() }),
        ])
    })
}

fn encodings() {
    if !["msgpack decode", "msgpack encode", "json decode", "json encode"].into_iter().any(is_selected) {
        return;
    }
    let ty = Type::list(machine());
    let value = Value::List(machines(68_000, 0).collect());
    let bytes = msgpack::encode(&value, &ty).unwrap();
    println!("MessagePack of {:.1} MB", bytes.len() as f64 / 1e6);
    compare(
        "msgpack decode",
        || time(|| msgpack::decode(&bytes, &ty).unwrap()),
        &[
            ("rmpv", &|| time(|| rmpv::decode::read_value(&mut &*bytes).unwrap())),
            ("rmp-serde to rmpv", &|| time(|| rmp_serde::from_slice::<rmpv::Value>(&bytes).unwrap())),
            ("rmp-serde to serde_json", &|| {
                time(|| rmp_serde::from_slice::<serde_json::Value>(&bytes).unwrap())
            }),
        ],
    );
    let tree = rmpv::decode::read_value(&mut &*bytes).unwrap();
    compare(
        "msgpack encode",
        || time(|| msgpack::encode(&value, &ty).unwrap()),
        &[
            ("rmpv", &|| {
                time(|| {
                    let mut out = Vec::new();
                    rmpv::encode::write_value(&mut out, &tree).unwrap();
                    out
                })
            }),
            ("rmp-serde from rmpv", &|| time(|| rmp_serde::to_vec(&tree).unwrap())),
        ],
    );
    let json = json::encode(&value, &ty).unwrap();
    println!("JSON of {:.1} MB", json.len() as f64 / 1e6);
    compare(
        "json decode",
        || time(|| json::decode(&json, &ty).unwrap()),
        &[("serde_json", &|| time(|| serde_json::from_slice::<serde_json::Value>(&json).unwrap()))],
    );
    let tree: serde_json::Value = serde_json::from_slice(&json).unwrap();
    compare(
        "json encode",
        || time(|| json::encode(&value, &ty).unwrap()),
        &[("serde_json", &|| time(|| serde_json::to_vec(&tree).unwrap()))],
    );
}

/// Returns decoded machines, which share their attribute names.
fn decoded(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let ty = Type::list(machine());
    let bytes = msgpack::encode(&Value::List(values.collect()), &ty).unwrap();
    let Value::List(it) = msgpack::decode(&bytes, &ty).unwrap() else { unreachable!() };
    it
}

fn sets() {
    let set = |count: usize, shift: usize| Set::from_iter(decoded(machines(count, shift)));
    let reversed = |count: usize| Set::from_iter(decoded(machines(count, 0).rev()));
    growth("sets: equality", |count| Rc::new((set(count, 0), reversed(count))), |it| assert!(it.0 == it.1));
    growth(
        "sets: difference",
        |count| Rc::new((set(count, 0), set(count, count / 2))),
        |it| assert!(!it.0.difference(&it.1).is_empty()),
    );
    let twice = |count: usize| decoded(machines(count / 2, 0).chain(machines(count / 2, 0)));
    growth(
        "sets: repeats",
        |count| Rc::new(Set::with_duplicates(twice(count))),
        |it| assert!(!it.duplicates().is_empty()),
    );
    growth("sets: created from a list with duplicates", twice, Set::from_iter);
    growth("sets: order", |count| Rc::new(set(count, 0)), |it| assert!(!it.sorted().is_empty()));
    let (list, set_type) = (Type::list(machine()), Type::set(machine()));
    growth(
        "sets: converted from a list",
        |count| Value::List(decoded(machines(count, 0))),
        |it| convert(it, &list, &set_type).unwrap(),
    );
    growth(
        "sets: of strings, converted from a tuple of numbers",
        |count| Typed::tuple((0..count as i64).map(|i| Typed::new(Type::Number, Value::from(i)))),
        |it| convert(it.value, &it.ty, &Type::set(Type::String)).unwrap(),
    );
    let ty = machine();
    growth(
        "sets: of any, converted from a tuple of objects",
        |count| Typed::tuple(decoded(machines(count, 0)).into_iter().map(|it| Typed::new(ty.clone(), it))),
        |it| convert(it.value, &it.ty, &Type::set(Type::Dynamic)).unwrap(),
    );
    let Type::Object(attributes) = machine() else { unreachable!() };
    let dynamic = Type::object(attributes.attributes().iter().map(|it| (it.name.clone(), Type::Dynamic)));
    let dynamic = Type::set(dynamic);
    growth(
        "sets: of open elements, to MessagePack and back",
        |count| Rc::new(Typed::new(Type::set(machine()), Value::Set(set(count, 0))).fit(&dynamic).unwrap()),
        |it| msgpack::decode(&msgpack::encode(&it, &dynamic).unwrap(), &dynamic).unwrap(),
    );
}

fn main() {
    // As a test, the program only has to compile.
    if std::env::args().any(|it| it == "--test") {
        return;
    }
    encodings();
    sets();
}
