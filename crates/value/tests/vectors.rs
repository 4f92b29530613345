//! The conformance vectors: the results of the reference implementations.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

mod common;

use common::{Case, check, equal, input, number, same_as, same_typed, ty};
use ferroform_value::convert::{self, Availability, Mode, availability};
use ferroform_value::{Error, Number, Type, Unified, Value, json, msgpack};
use serde_json::Value as Json;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

/// What comes of a folder of somebody else's, by way of `FERROFORM_VECTORS`: whether the test of that name
/// passes, and what it says.
fn foreign(name: &str, files: &[(&str, &str)], test: &str) -> (bool, String) {
    let folder = std::env::temp_dir().join(format!("ferroform-vectors-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let (ok, said) = run_in(&folder, test);
    std::fs::remove_dir_all(&folder).unwrap();
    (ok, said)
}

fn run_in(folder: &std::path::Path, test: &str) -> (bool, String) {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let ran = command.args([test, "--exact"]).env("FERROFORM_VECTORS", folder).output().unwrap();
    (ran.status.success(), String::from_utf8_lossy(&ran.stdout).into_owned())
}

#[test]
fn every_case_of_an_external_folder_is_run() {
    const RIGHT: &str = r#"{"id": "x-1", "purpose": "right", "input": {"mode": "unsafe", "types": ["string", "number"]},
        "expected": {"ok": {"type": "string", "converts": [false, true]}}}"#;
    let family = |cases: &[&str]| format!(r#"{{"family": "unify", "cases": [{}]}}"#, cases.join(","));
    let unify = |name: &str, text: &str| foreign(name, &[("unify.json", text)], "unify");

    let (ok, said) = unify("right", &family(&[RIGHT]));
    assert!(ok && said.contains("\nunify: 1/1, deviations 0\n"), "{said}");
    // Families that are not there are the other side's choice.
    assert!(foreign("other", &[("unify.json", &family(&[RIGHT]))], "convert").0);

    let changed = RIGHT.replace(r#""type": "string""#, r#""type": "number""#).replace("x-1", "x-2");
    let malformed = RIGHT.replace("types", "typos").replace("x-1", "x-3");
    let empty = RIGHT.replace("ok", "okay").replace("x-1", "x-4");
    let (ok, said) = unify("wrong", &family(&[&changed, &malformed, &empty, RIGHT]));
    assert!(!ok && said.contains("\nunify: 1/4, deviations 0\n"), "{said}");
    for id in ["x-2 (no. 1, right)", "x-3 (no. 2, right): panic: ", "x-4 (no. 3, right)"] {
        assert!(said.contains(id), "{id}: {said}");
    }

    let (ok, said) = foreign("new", &[("unify.json", &family(&[RIGHT])), ("fold.json", "{}")], "unify");
    assert!(!ok && said.contains(r#"no test reads these: ["fold.json"]"#), "{said}");
    for (name, text) in [("text", "{"), ("none", &family(&[])), ("kin", r#"{"family": "convert"}"#)] {
        let (ok, said) = unify(name, text);
        assert!(!ok && said.contains("unify.json: "), "{name}: {said}");
    }
    assert!(!run_in(std::path::Path::new("there-is-no-such-folder"), "unify").0);
}

#[test]
fn msgpack() {
    common::family("msgpack", |case| {
        let ty = ty(&case.input["type"]);
        match case.op() {
            "marshal" => check(case, msgpack::encode_converted(input(case)?, &ty), |given, expected| {
                let expected = bytes(expected["hex"].as_str().unwrap());
                // The order of a set is binding for simple elements only.
                let read = |it: &[u8]| msgpack::decode(it, &ty).unwrap();
                if given == expected || format!("{ty}").contains("set(") && read(&given) == read(&expected) {
                    return Ok(());
                }
                equal(given, expected)
            }),
            _ => {
                let read = msgpack::decode(&bytes(case.input["hex"].as_str().unwrap()), &ty);
                check(case, read, |given, expected| same_typed(given, &ty, expected))
            }
        }
    });
}

#[test]
fn value_json() {
    common::family("value_json", |case| {
        let text = case.input["json"].as_str().unwrap_or_default().as_bytes();
        let wanted = || ty(&case.input["type"]);
        let written = |it: Result<Vec<u8>, Error>| {
            check(case, it, |given, expected| {
                equal(String::from_utf8(given).unwrap().as_str(), expected["json"].as_str().unwrap())
            })
        };
        let read = |it: Result<Value, Error>, wanted: Type| {
            check(case, it, |given, expected| same_typed(given, &wanted, expected))
        };
        let found =
            |it: Result<Type, Error>| check(case, it, |given, expected| equal(given, ty(&expected["type"])));
        match case.op() {
            "marshal" => written(json::encode_converted(input(case)?, &wanted())),
            "simple_marshal" => written(json::encode_simple(&input(case)?.value)),
            "type_marshal" => written(Ok(json::type_to_string(&wanted()).into_bytes())),
            "unmarshal" => read(json::decode(text, &wanted()), wanted()),
            "simple_unmarshal" => read(json::decode_simple(text), Type::Dynamic),
            "state" => {
                let ignore = case.input["ignore_undefined"].as_bool().unwrap();
                read(json::decode_state(text, &wanted(), ignore), wanted())
            }
            "implied_type" => found(json::implied_type(text)),
            "type_unmarshal" => found(json::type_from_slice(text)),
            op => Err(format!("no such operation: {op}")),
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
        op => Err(format!("no such operation: {op}")),
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
        expected["reads_back"].as_bool().map_or(Ok(()), |wanted| equal(read.compare(&it).is_eq(), wanted))
    })
}

fn comparison(case: &Case) -> Result<(), String> {
    let (a, b) = (number(&case.input["a"]), number(&case.input["b"]));
    let wanted = |name: &str| case.expected[name].as_bool().unwrap();
    equal(a == b, wanted("language"))?;
    for name in ["exact", "protocol", "number_type"] {
        equal(a.compare(&b).is_eq(), wanted(name))?;
    }
    // Only of what a float can hold.
    if case.expected.get("float64_type").is_some() {
        equal(a.compare(&b).is_eq(), wanted("float64_type"))?;
        equal(a.to_f64() == b.to_f64(), wanted("float64_semantic"))?;
    }
    equal(a.compare(&b).is_lt(), wanted("less_than"))?;
    equal(a.to_string() == b.to_string(), wanted("same_text"))?;
    let set = Value::set([Value::Number(a), Value::Number(b)]);
    let Value::Set(set) = set else { unreachable!() };
    equal(set.len().to_string().as_str(), case.expected["set_length"].as_str().unwrap())
}

/// What a number is as each native type: a decimal, or the bits of a float.
fn fit(case: &Case) -> Result<(), String> {
    let it = number(&case.input["number"]);
    equal(it.to_string().as_str(), case.expected["text"].as_str().unwrap())?;
    equal(it.is_integer(), case.expected["whole"].as_bool().unwrap())?;
    let text = it.to_string();
    let reads_back = match case.input["number"].get("f64") {
        Some(_) => text.parse() == Ok(it.to_f64()) && it.to_f64().is_normal(),
        None => Number::parse(&text).unwrap().compare(&it).is_eq(),
    };
    equal(reads_back, case.expected["reads_back"].as_bool().unwrap())?;
    fn signed<T: TryFrom<i64> + ToString>(it: &Number) -> Option<String> {
        it.to_i64().and_then(|it| T::try_from(it).ok()).map(|it| it.to_string())
    }
    fn unsigned<T: TryFrom<u64> + ToString>(it: &Number) -> Option<String> {
        it.to_u64().and_then(|it| T::try_from(it).ok()).map(|it| it.to_string())
    }
    for (native, wanted) in case.expected["reflect"].as_object().unwrap() {
        let given = match native.as_str() {
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
            // Big integers are for the framework; that there is one is known here.
            "bigint" => {
                equal(it.is_integer(), wanted.get("ok").is_some())?;
                continue;
            }
            _ => return Err(format!("no such type: {native}")),
        };
        let doubt = format!("reflect.{native}");
        let doubted = case.expected["doubt"].as_array().into_iter().flatten().any(|it| *it == *doubt);
        let wanted = wanted.get("ok").map(|it| it["bits"].as_str().or(it.as_str()).unwrap());
        if given.as_deref() != wanted && !(doubted && given.is_none()) {
            return Err(format!("as {native}: {given:?}, expected {wanted:?}"));
        }
    }
    let held = case.expected["held"].as_object().unwrap();
    for (name, wanted) in held.iter().filter(|(name, _)| *name != "number") {
        equal(holds(name, &it), wanted.get("ok").is_some()).map_err(|why| format!("as {name}: {why}"))?;
        let bits = wanted["ok"]["native"]["bits"].as_str();
        match (name.as_str(), bits) {
            ("float64", Some(bits)) => equal(format!("{:016x}", it.to_f64().to_bits()).as_str(), bits)?,
            ("float32", Some(bits)) => equal(format!("{:08x}", it.to_f32().to_bits()).as_str(), bits)?,
            _ => {}
        }
    }
    Ok(())
}

/// True where the framework's type of that name takes the number: whole numbers in range, and numbers near
/// a float that is neither infinite nor, unless they are, zero.
fn holds(name: &str, it: &Number) -> bool {
    match name {
        "int64" => it.to_i64().is_some(),
        "int32" => it.to_i64().is_some_and(|it| i32::try_from(it).is_ok()),
        "float64" => it.to_f64().is_finite() && (it.to_f64() != 0.0 || it.is_zero()),
        "float32" => it.to_f32().is_finite() && (it.to_f32() != 0.0 || it.is_zero()),
        _ => false,
    }
}

fn from_native(case: &Case) -> Result<(), String> {
    let text = case.input["value"].as_str().unwrap();
    let it = match case.input["native"].as_str().unwrap() {
        "i8" => Number::from(text.parse::<i8>().unwrap()),
        "i16" => Number::from(text.parse::<i16>().unwrap()),
        "i32" => Number::from(text.parse::<i32>().unwrap()),
        "i64" => Number::from(text.parse::<i64>().unwrap()),
        "u8" => Number::from(text.parse::<u8>().unwrap()),
        "u16" => Number::from(text.parse::<u16>().unwrap()),
        "u32" => Number::from(text.parse::<u32>().unwrap()),
        "u64" => Number::from(text.parse::<u64>().unwrap()),
        "f32" => Number::from_f32(text.parse().unwrap()).unwrap(),
        "f64" => Number::from_f64(text.parse().unwrap()).unwrap(),
        _ => Number::parse(text).unwrap(),
    };
    let ok: Option<&Json> = case.expected.get("ok");
    match case.input["type"].as_str().unwrap() {
        "number" => equal(it, number(ok.ok_or("an error is expected")?)),
        name => equal(holds(name, &it), ok.is_some()),
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
        check(case, convert::convert(it.value, &it.ty, &to), |given, expected| same_as(&given, expected))
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
