//! Conformance vectors: recorded results of the reference implementations.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

mod common;

use common::{Case, check, equal, input, number, same_as, same_typed, ty};
use ferroform_value::convert::{self, Availability, Mode, availability};
use ferroform_value::{Error, Number, Type, Unified, Value, json, msgpack};
use serde_json::Value as Json;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

/// Runs a test of this program with a directory of cases named by `FERROFORM_VECTORS`. Returns whether the test passed,
/// and its standard output.
fn run_with_files(name: &str, files: &[(&str, &str)], test: &str) -> (bool, String) {
    let directory = std::env::temp_dir().join(format!("ferroform-vectors-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for (name, content) in files {
        std::fs::write(directory.join(name), content).unwrap();
    }
    let (ok, stdout) = run_in_directory(&directory, test);
    std::fs::remove_dir_all(&directory).unwrap();
    (ok, stdout)
}

fn run_in_directory(directory: &std::path::Path, test: &str) -> (bool, String) {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let ran = command.args([test, "--exact"]).env("FERROFORM_VECTORS", directory).output().unwrap();
    (ran.status.success(), String::from_utf8_lossy(&ran.stdout).into_owned())
}

#[test]
fn every_case_of_an_external_directory_is_run() {
    const PASSING: &str = r#"{"id": "x-1", "purpose": "passing", "input": {"mode": "unsafe", "types": ["string", "number"]},
        "expected": {"ok": {"type": "string", "converts": [false, true]}}}"#;
    let family = |cases: &[&str]| format!(r#"{{"family": "unify", "cases": [{}]}}"#, cases.join(","));
    let unify = |name: &str, json: &str| run_with_files(name, &[("unify.json", json)], "unify");

    let (ok, stdout) = unify("passing", &family(&[PASSING]));
    assert!(ok && stdout.contains("\nunify: 1/1, deviations 0\n"), "{stdout}");
    // A directory does not have to contain every family.
    assert!(run_with_files("other", &[("unify.json", &family(&[PASSING]))], "convert").0);

    let changed = PASSING.replace(r#""type": "string""#, r#""type": "number""#).replace("x-1", "x-2");
    let malformed = PASSING.replace("types", "typos").replace("x-1", "x-3");
    let empty = PASSING.replace("ok", "okay").replace("x-1", "x-4");
    let (ok, stdout) = unify("failing", &family(&[&changed, &malformed, &empty, PASSING]));
    assert!(!ok && stdout.contains("\nunify: 1/4, deviations 0\n"), "{stdout}");
    for id in ["x-2 (no. 1, passing)", "x-3 (no. 2, passing): panic: ", "x-4 (no. 3, passing)"] {
        assert!(stdout.contains(id), "{id}: {stdout}");
    }

    let (ok, stdout) =
        run_with_files("new", &[("unify.json", &family(&[PASSING])), ("fold.json", "{}")], "unify");
    assert!(!ok && stdout.contains(r#"no test reads these: ["fold.json"]"#), "{stdout}");
    for (name, json) in
        [("malformed", "{"), ("empty", &family(&[])), ("other-family", r#"{"family": "convert"}"#)]
    {
        let (ok, stdout) = unify(name, json);
        assert!(!ok && stdout.contains("unify.json: "), "{name}: {stdout}");
    }
    assert!(!run_in_directory(std::path::Path::new("missing-directory"), "unify").0);
}

/// The recorded vectors do not contain an object with a repeated name.
#[test]
fn objects_with_repeated_names_are_a_listed_deviation() {
    let cases = [
        (r#"["object", {"a": "string", "b": "string"}]"#, "82a161a178a161a179"),
        (r#"["list", ["object", {"a": "string", "b": "string"}]]"#, "9182a161a178a161a179"),
        (r#"["map", ["object", {"a": "string", "b": "string"}]]"#, "81a16b82a161a178a161a179"),
        (r#"["tuple", [["object", {"a": "string", "b": "string"}]]]"#, "9182a161a178a161a179"),
        (
            r#""dynamic""#,
            "92c4265b226f626a656374222c7b2261223a22737472696e67222c2262223a22737472696e67227d5d82a161a178a161a179",
        ),
    ];
    let case = |(ty, hex): (&str, &str)| {
        format!(
            r#"{{"id": "x", "purpose": "a repeated name", "input": {{"op": "unmarshal", "type": {ty}, "hex": "{hex}"}},
            "expected": {{"ok": {{"type": ["object", {{"a": "string"}}], "value": {{"map": {{"a": "y"}}}}}}, "tftypes": {{"panic": true}}}}}}"#
        )
    };
    let cases = cases.map(case).join(",");
    let json = format!(r#"{{"family": "msgpack", "cases": [{cases}]}}"#);
    let (ok, stdout) = run_with_files("repeated", &[("msgpack.json", &json)], "msgpack");
    assert!(ok && stdout.contains("\nmsgpack: 0/5, deviations 5\n"), "{stdout}");
}

/// The recorded vectors contain no big integer that is written as a number, nor one at the limit of a float.
#[test]
fn big_integers_that_keep_their_digits_are_a_listed_deviation() {
    let case = |(value, recorded): (&str, &str)| {
        format!(
            r#"{{"id": "x", "purpose": "a big integer", "input": {{"op": "from_native", "native": "bigint", "type": "number", "value": "{value}"}},
            "expected": {{"ok": {recorded}}}}}"#
        )
    };
    let cases = [
        ("9007199254740993", r#"{"f64": "9007199254740992"}"#),
        ("-123456789012345678901234567890", r#"{"f64": "-123456789012345680000000000000"}"#),
        ("9007199254740992", r#""9007199254740992""#),
    ];
    let json = format!(r#"{{"family": "numbers", "cases": [{}]}}"#, cases.map(case).join(","));
    let (ok, stdout) = run_with_files("big-integers", &[("numbers.json", &json)], "numbers");
    assert!(
        ok && stdout.contains("\nnumbers: 1/3, deviations 2\n  big-integers-keep-digits: 2\n"),
        "{stdout}"
    );
}

#[test]
fn msgpack() {
    common::family("msgpack", |case| {
        let ty = ty(&case.input["type"]);
        match case.op() {
            "marshal" => check(case, msgpack::encode_converted(input(case)?, &ty), |actual, expected| {
                let expected = bytes(expected["hex"].as_str().unwrap());
                // The order of set elements is fixed for primitive elements only.
                let read = |it: &[u8]| msgpack::decode(it, &ty).unwrap();
                if actual == expected || format!("{ty}").contains("set(") && read(&actual) == read(&expected)
                {
                    return Ok(());
                }
                equal(actual, expected)
            }),
            _ => {
                let read = msgpack::decode(&bytes(case.input["hex"].as_str().unwrap()), &ty);
                check(case, read, |actual, expected| same_typed(actual, &ty, expected))
            }
        }
    });
}

#[test]
fn value_json() {
    common::family("value_json", |case| {
        let input_json = case.input["json"].as_str().unwrap_or_default().as_bytes();
        let requested = || ty(&case.input["type"]);
        let check_encoded = |it: Result<Vec<u8>, Error>| {
            check(case, it, |actual, expected| {
                equal(String::from_utf8(actual).unwrap().as_str(), expected["json"].as_str().unwrap())
            })
        };
        let check_decoded = |it: Result<Value, Error>, requested: Type| {
            check(case, it, |actual, expected| same_typed(actual, &requested, expected))
        };
        let check_type = |it: Result<Type, Error>| {
            check(case, it, |actual, expected| equal(actual, ty(&expected["type"])))
        };
        match case.op() {
            "marshal" => check_encoded(json::encode_converted(input(case)?, &requested())),
            "simple_marshal" => check_encoded(json::encode_simple(&input(case)?.value)),
            "type_marshal" => check_encoded(Ok(json::type_to_string(&requested()).into_bytes())),
            "unmarshal" => check_decoded(json::decode(input_json, &requested()), requested()),
            "simple_unmarshal" => check_decoded(json::decode_simple(input_json), Type::Dynamic),
            "state" => {
                let ignore = case.input["ignore_undefined"].as_bool().unwrap();
                check_decoded(json::decode_state(input_json, &requested(), ignore), requested())
            }
            "implied_type" => check_type(json::implied_type(input_json)),
            "type_unmarshal" => check_type(json::type_from_slice(input_json)),
            op => Err(format!("unknown operation: {op}")),
        }
    });
}

#[test]
fn numbers() {
    common::family("numbers", |case| match case.op() {
        "parse" => parse(case),
        "equal" => comparison(case),
        "fit" => fit(case),
        "from_native" => from_native(case),
        op => Err(format!("unknown operation: {op}")),
    });
}

fn parse(whole: &Case) -> Result<(), String> {
    let case =
        Case { id: whole.id.clone(), input: whole.input.clone(), expected: whole.expected["parse"].clone() };
    let read = Number::parse(case.input["decimal"].as_str().unwrap()).map_err(Error::from);
    check(&case, read, |it, expected| {
        equal(it.to_string().as_str(), expected["text"].as_str().unwrap())?;
        equal(it.is_integer(), expected["whole"].as_bool().unwrap())?;
        let read = Number::parse(&it.to_string()).unwrap();
        expected["reads_back"].as_bool().map_or(Ok(()), |expected| equal(read.compare(&it).is_eq(), expected))
    })
}

fn comparison(case: &Case) -> Result<(), String> {
    let (a, b) = (number(&case.input["a"]), number(&case.input["b"]));
    let expected = |name: &str| case.expected[name].as_bool().unwrap();
    equal(a == b, expected("language"))?;
    for name in ["exact", "protocol", "number_type"] {
        equal(a.compare(&b).is_eq(), expected(name))?;
    }
    // The case contains these members only for numbers that a float represents.
    if case.expected.get("float64_type").is_some() {
        equal(a.compare(&b).is_eq(), expected("float64_type"))?;
        equal(a.to_f64() == b.to_f64(), expected("float64_semantic"))?;
    }
    equal(a.compare(&b).is_lt(), expected("less_than"))?;
    equal(a.to_string() == b.to_string(), expected("same_text"))?;
    let set = Value::set([Value::Number(a), Value::Number(b)]);
    let Value::Set(set) = set else { unreachable!() };
    equal(set.len().to_string().as_str(), case.expected["set_length"].as_str().unwrap())
}

/// Compares the number as each native type: its decimal string, or the bits of a float.
fn fit(case: &Case) -> Result<(), String> {
    let it = number(&case.input["number"]);
    equal(it.to_string().as_str(), case.expected["text"].as_str().unwrap())?;
    equal(it.is_integer(), case.expected["whole"].as_bool().unwrap())?;
    let decimal = it.to_string();
    let reads_back = match case.input["number"].get("f64") {
        Some(_) => decimal.parse() == Ok(it.to_f64()) && it.to_f64().is_normal(),
        None => Number::parse(&decimal).unwrap().compare(&it).is_eq(),
    };
    equal(reads_back, case.expected["reads_back"].as_bool().unwrap())?;
    fn signed<T: TryFrom<i64> + ToString>(it: &Number) -> Option<String> {
        it.to_i64().and_then(|it| T::try_from(it).ok()).map(|it| it.to_string())
    }
    fn unsigned<T: TryFrom<u64> + ToString>(it: &Number) -> Option<String> {
        it.to_u64().and_then(|it| T::try_from(it).ok()).map(|it| it.to_string())
    }
    for (native, expected) in case.expected["reflect"].as_object().unwrap() {
        let actual = match native.as_str() {
            "i8" => signed::<i8>(&it),
            "i16" => signed::<i16>(&it),
            "i32" => signed::<i32>(&it),
            "i64" | "int" => signed::<i64>(&it),
            "u8" => unsigned::<u8>(&it),
            "u16" => unsigned::<u16>(&it),
            "u32" => unsigned::<u32>(&it),
            "u64" | "uint" => unsigned::<u64>(&it),
            "f64" => it.as_f64().map(|it| format!("{:016x}", it.to_bits())),
            "f32" => it.as_f32().map(|it| format!("{:08x}", it.to_bits())),
            "bigfloat" => Some(it.to_string()),
            // This crate has no big integers. It only determines whether the number is whole.
            "bigint" => {
                equal(it.is_integer(), expected.get("ok").is_some())?;
                continue;
            }
            _ => return Err(format!("unknown native type: {native}")),
        };
        let ambiguity = format!("reflect.{native}");
        let either_outcome =
            case.expected["doubt"].as_array().into_iter().flatten().any(|it| *it == *ambiguity);
        let expected = expected.get("ok").map(|it| it["bits"].as_str().or(it.as_str()).unwrap());
        if actual.as_deref() != expected && !(either_outcome && actual.is_none()) {
            return Err(format!("as {native}: {actual:?}, expected {expected:?}"));
        }
    }
    let held = case.expected["held"].as_object().unwrap();
    for (name, expected) in held.iter().filter(|(name, _)| *name != "number") {
        equal(is_accepted_by(name, &it), expected.get("ok").is_some())
            .map_err(|why| format!("as {name}: {why}"))?;
        let bits = expected["ok"]["native"]["bits"].as_str();
        match (name.as_str(), bits) {
            ("float64", Some(bits)) => equal(format!("{:016x}", it.to_f64().to_bits()).as_str(), bits)?,
            ("float32", Some(bits)) => equal(format!("{:08x}", it.to_f32().to_bits()).as_str(), bits)?,
            _ => {}
        }
    }
    Ok(())
}

/// Returns true if the Go framework's number type accepts the number: whole numbers in range, and numbers whose
/// nearest float is finite and, unless the number is zero, not zero.
fn is_accepted_by(name: &str, it: &Number) -> bool {
    match name {
        "int64" => it.to_i64().is_some(),
        "int32" => it.to_i64().is_some_and(|it| i32::try_from(it).is_ok()),
        "float64" => it.to_f64().is_finite() && (it.to_f64() != 0.0 || it.is_zero()),
        "float32" => it.to_f32().is_finite() && (it.to_f32() != 0.0 || it.is_zero()),
        _ => false,
    }
}

fn from_native(case: &Case) -> Result<(), String> {
    let string = case.input["value"].as_str().unwrap();
    let it = match case.input["native"].as_str().unwrap() {
        "i8" => Number::from(string.parse::<i8>().unwrap()),
        "i16" => Number::from(string.parse::<i16>().unwrap()),
        "i32" => Number::from(string.parse::<i32>().unwrap()),
        "i64" => Number::from(string.parse::<i64>().unwrap()),
        "u8" => Number::from(string.parse::<u8>().unwrap()),
        "u16" => Number::from(string.parse::<u16>().unwrap()),
        "u32" => Number::from(string.parse::<u32>().unwrap()),
        "u64" => Number::from(string.parse::<u64>().unwrap()),
        "f32" => Number::from_f32(string.parse().unwrap()).unwrap(),
        "f64" => Number::from_f64(string.parse().unwrap()).unwrap(),
        _ => Number::parse(string).unwrap(),
    };
    let ok: Option<&Json> = case.expected.get("ok");
    match case.input["type"].as_str().unwrap() {
        "number" => equal(it, number(ok.ok_or("an error is expected")?)),
        name => equal(is_accepted_by(name, &it), ok.is_some()),
    }
}

#[test]
fn convert() {
    common::family("convert", |case| {
        let to = ty(&case.input["to"]);
        let from = ty(&case.input["value"]["type"]);
        let available = match availability(&from, &to) {
            Availability::Identity => "identity",
            Availability::Safe => "safe",
            Availability::Unsafe => "unsafe",
            Availability::None => "none",
        };
        equal(available, case.expected["available"].as_str().unwrap())?;
        let it = input(case)?;
        check(case, convert::convert(it.value, &it.ty, &to), |actual, expected| same_as(&actual, expected))
    });
}

#[test]
fn unify() {
    common::family("unify", |case| {
        let types: Vec<Type> = case.input["types"].as_array().unwrap().iter().map(ty).collect();
        let mode = match case.input["mode"].as_str().unwrap() {
            "safe" => Mode::Safe,
            _ => Mode::Unsafe,
        };
        let expected = case.expected.get("ok").map(|it| Unified {
            ty: ty(&it["type"]),
            converts: it["converts"].as_array().unwrap().iter().map(|it| it.as_bool().unwrap()).collect(),
        });
        equal(case.expected.get("none").is_some(), expected.is_none())?;
        equal(ferroform_value::unify(&types, mode), expected)
    });
}
