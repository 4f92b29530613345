//! What the vector tests share: the cases, and values as the cases write them.

pub mod rules;

use std::io::Write;
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ferroform_value::{
    self as value, Attribute, Error, NfcString, Number, ObjectType, Refinements, Set, Step, Type, Typed,
    Value,
};
use serde_json::Value as Json;

/// One case of a family.
pub struct Case {
    pub id: String,
    pub input: Json,
    pub expected: Json,
}

impl Case {
    pub fn op(&self) -> &str {
        self.input["op"].as_str().unwrap_or_default()
    }
}

/// The folder of a family's cases, and whether it was named by `FERROFORM_VECTORS`. Otherwise it is the crate's
/// own folder, or that of `ferroform-value` if the crate has no such family.
fn folder(family: &str) -> (PathBuf, bool) {
    if let Some(named) = std::env::var_os("FERROFORM_VECTORS") {
        return (named.into(), true);
    }
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = crate_folder.join("tests/vectors");
    let shared = crate_folder.join("../value/tests/vectors");
    (if own.join(format!("{family}.json")).exists() { own } else { shared }, false)
}

/// Runs every case of a family and prints how many passed.
pub fn family(name: &str, run: impl Fn(&Case) -> Result<(), String>) {
    family_by(name, run, rules::applies, 1);
}

/// The same, with the rules of another crate. Of a hundred cases or more one in `share` may be a deviation.
pub fn family_by(
    name: &str,
    run: impl Fn(&Case) -> Result<(), String>,
    applies: impl Fn(&Case, &str) -> Option<&'static str>,
    share: usize,
) {
    let (folder, foreign) = folder(name);
    let strangers = strangers(&folder);
    assert!(strangers.is_empty(), "no test reads these: {strangers:?}");
    let path = folder.join(format!("{name}.json"));
    if foreign && !path.exists() {
        return say(&format!("{name}: no vectors"));
    }
    let cases = cases(&path, name).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let (mut passed, mut deviations, mut failures) = (0, 0, Vec::new());
    for (i, case) in cases.iter().enumerate() {
        let text = |name: &str| case[name].as_str().unwrap_or_default().to_owned();
        let (input, expected) = (case["input"].clone(), case["expected"].clone());
        let case = Case { id: text("id"), input, expected };
        // What is malformed fails, and does not keep the others from being run.
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&case)));
        match outcome.unwrap_or_else(|panic| Err(format!("panic: {}", said(&*panic)))) {
            Ok(()) => passed += 1,
            Err(why) => match applies(&case, &why) {
                Some(_) => deviations += 1,
                None => failures.push(format!("{} (no. {}, {}): {why}", case.id, i + 1, text("purpose"))),
            },
        }
    }
    say(&format!("{name}: {passed}/{}, deviations {deviations}", cases.len()));
    assert!(failures.is_empty(), "{} cases of {name} fail:\n{}", failures.len(), failures.join("\n"));
    assert!(cases.len() < 100 || deviations * share <= cases.len(), "{name}: too many deviations");
}

/// Every family that there is a test for, here or in another crate.
const FAMILIES: [&str; 10] = [
    "console",
    "convert",
    "defaults_apply",
    "msgpack",
    "numbers",
    "reflect",
    "server",
    "type_expr",
    "unify",
    "value_json",
];

/// The files of the folder that would be passed over in silence.
fn strangers(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let names = entries.map(|it| it.unwrap().file_name().to_string_lossy().into_owned());
    let known = |it: &str| it.strip_suffix(".json").is_none_or(|it| FAMILIES.contains(&it));
    names.filter(|it| !known(it)).collect()
}

/// The cases of a family's file.
fn cases(path: &Path, family: &str) -> Result<Vec<Json>, String> {
    let text = std::fs::read(path).map_err(|e| e.to_string())?;
    let file: Json = serde_json::from_slice(&text).map_err(|e| e.to_string())?;
    if file["family"] != family {
        return Err(format!("the family is {}", file["family"]));
    }
    match &file["cases"] {
        Json::Array(it) if !it.is_empty() => Ok(it.clone()),
        _ => Err("there are no cases".into()),
    }
}

/// Prints a line past the test harness, which would hide it.
fn say(line: &str) {
    let _ = std::io::stdout().write_all(format!("\n{line}\n").as_bytes());
}

fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default()
}

/// Compares two things of one type.
pub fn equal<T: PartialEq + std::fmt::Debug>(given: T, expected: T) -> Result<(), String> {
    if given == expected { Ok(()) } else { Err(format!("{given:?}, expected {expected:?}")) }
}

/// The value of a case, made as everybody makes values.
pub fn input(case: &Case) -> Result<Typed, String> {
    let it = typed(&case.input["value"]).ok_or("the string is not UTF-8")?;
    let made = it
        .value
        .transform(&mut |_, it| Ok::<_, Error>(if let Value::Set(it) = it { Value::set(it) } else { it }));
    Ok(Typed { ty: it.ty, value: made.unwrap() })
}

/// Compares an outcome with the expected one; `same` compares what came out with `expected.ok`.
pub fn check<T: Clone>(
    case: &Case,
    outcome: Result<T, Error>,
    same: impl Fn(T, &Json) -> Result<(), String>,
) -> Result<(), String> {
    match case.expected["any_of"].as_array() {
        Some(all) if all.iter().any(|it| check_one(it, outcome.clone(), &same).is_ok()) => Ok(()),
        Some(_) => Err("none of the expected outcomes".into()),
        None => check_one(&case.expected, outcome, &same),
    }
}

fn check_one<T>(
    expected: &Json,
    outcome: Result<T, Error>,
    same: impl Fn(T, &Json) -> Result<(), String>,
) -> Result<(), String> {
    let doubted = expected.get("doubt").is_some();
    match (outcome, expected.get("ok"), expected.get("error")) {
        _ if expected.get("panic").is_some() => Ok(()),
        (Err(_), Some(_), _) if doubted => Ok(()),
        (Ok(it), Some(ok), _) => same(it, ok).or_else(|why| if doubted { Ok(()) } else { Err(why) }),
        (Err(e), _, Some(error)) => match error["binding"].as_str() {
            Some("fact+path") => {
                let (given, wanted) = (path_text(e.path()), expected_path(&error["path"]));
                if given == wanted { Ok(()) } else { Err(format!("at {given}, expected at {wanted}")) }
            }
            _ => Ok(()),
        },
        (Ok(_), _, Some(_)) if doubted => Ok(()),
        (Ok(_), _, Some(_)) => Err("no error".into()),
        (Err(e), Some(_), _) => Err(format!("error: {e}")),
        _ => Err("the case expects nothing".into()),
    }
}

/// A step by name is the same whether into an object or into a map: the reference does not tell them apart
/// everywhere.
pub fn path_text(path: &value::Path) -> String {
    let step = |it: &Step| match it {
        Step::Attribute(name) => format!("/{name:?}"),
        Step::Key(key) => format!("/{key:?}"),
        Step::Index(i) => format!("/{i}"),
        Step::Element(it) => format!("/element {it:?}"),
    };
    path.steps().iter().map(step).collect()
}

pub fn expected_path(path: &Json) -> String {
    let step = |it: &Json| {
        let name = it.get("attr").or_else(|| it.get("key")).and_then(Json::as_str);
        match (name, it.get("index").and_then(Json::as_str), it.get("elem")) {
            (Some(name), _, _) => format!("/{name:?}"),
            (_, Some(index), _) => format!("/{index}"),
            (_, _, Some(it)) => format!("/element {:?}", typed(it).map(|it| it.value).unwrap_or(Value::Null)),
            _ => "/?".into(),
        }
    };
    path.as_array().into_iter().flatten().map(step).collect()
}

pub fn ty(it: &Json) -> Type {
    if let Some(name) = it.as_str() {
        return match name {
            "bool" => Type::Bool,
            "number" | "int64" | "int32" | "float64" | "float32" => Type::Number,
            "string" | "ci_string" => Type::String,
            "dynamic" => Type::Dynamic,
            _ => panic!("the type {name}"),
        };
    }
    match it[0].as_str().unwrap() {
        "list" => Type::list(ty(&it[1])),
        "set" => Type::set(ty(&it[1])),
        "map" => Type::map(ty(&it[1])),
        "tuple" => Type::tuple(it[1].as_array().unwrap().iter().map(ty)),
        _ => {
            let optional: Vec<&str> =
                it[2].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
            let attribute = |(name, it): (&String, &Json)| {
                let attribute = Attribute::new(name.as_str(), ty(it));
                if optional.contains(&name.as_str()) { attribute.optional() } else { attribute }
            };
            Type::Object(Arc::new(ObjectType::new(it[1].as_object().unwrap().iter().map(attribute))))
        }
    }
}

/// A number, with as many bits as the case says.
pub fn number(it: &Json) -> Number {
    match it.get("f64").and_then(Json::as_str) {
        Some(text) => Number::from_f64(text.parse().unwrap()).unwrap(),
        None => it.as_str().unwrap().parse().unwrap(),
    }
}

/// A value with its type. None where it holds a string that is not UTF-8.
pub fn typed(it: &Json) -> Option<Typed> {
    let ty = ty(&it["type"]);
    let value = value(&it["value"], &ty)?;
    Some(Typed { ty, value })
}

/// A value of the type.
pub fn value(it: &Json, ty: &Type) -> Option<Value> {
    if it.is_null() {
        return Some(Value::Null);
    }
    if let Some(refinements) = it.get("unknown") {
        return Some(unknown(refinements));
    }
    let elements =
        |ty: &Type| -> Option<Vec<Value>> { it.as_array().unwrap().iter().map(|it| value(it, ty)).collect() };
    Some(match ty {
        Type::Bool => Value::Bool(it.as_bool().unwrap()),
        Type::Number => Value::Number(number(it)),
        Type::String => Value::string(it.as_str()?),
        Type::List(ty) => Value::List(elements(ty)?),
        // An expected set may hold equal elements.
        Type::Set(ty) => Value::Set(Set::with_repeats(elements(ty)?)),
        Type::Tuple(types) => {
            let pairs = it.as_array().unwrap().iter().zip(types.iter());
            Value::Tuple(pairs.map(|(it, ty)| value(it, ty)).collect::<Option<_>>()?)
        }
        Type::Map(ty) => {
            let entry = |(key, it): (&String, &Json)| Some((key.into(), value(it, ty)?));
            Value::Map(it["map"].as_object().unwrap().iter().map(entry).collect::<Option<_>>()?)
        }
        Type::Object(types) => {
            let entry = |(name, it): (&String, &Json)| {
                let name: Arc<str> = NfcString::from(name).into();
                Some((name.clone(), value(it, &types.get(&name)?.ty)?))
            };
            let entries = it["map"].as_object().unwrap().iter().map(entry).collect::<Option<Vec<_>>>();
            Value::object(entries?)
        }
        Type::Dynamic => match (it.get("dyn"), it.as_str(), it.as_bool()) {
            (Some(it), _, _) => {
                let Typed { ty, value } = typed(it)?;
                Value::dynamic(ty, value)
            }
            (_, Some(it), _) => Value::string(it),
            (_, _, Some(it)) => Value::Bool(it),
            _ => panic!("a known value without a type"),
        },
    })
}

fn unknown(it: &Json) -> Value {
    if it.as_bool().is_some() {
        return Value::UNKNOWN;
    }
    let bound = |it: &Json| match (it.is_object(), it["inclusive"].as_bool()) {
        (false, _) => Bound::Unbounded,
        (true, Some(true)) => Bound::Included(number(&it["number"])),
        (true, _) => Bound::Excluded(number(&it["number"])),
    };
    let length =
        |it: &Json| it.as_str().map_or(Bound::Unbounded, |it| Bound::Included(it.parse::<u64>().unwrap()));
    let has = |name: &str| !it[name].is_null();
    let mut refinements = Refinements::new();
    if it["not_null"].as_bool().unwrap_or_default() {
        refinements = refinements.not_null();
    }
    if let Some(prefix) = it["prefix"].as_str() {
        refinements = refinements.with_prefix(prefix);
    }
    if has("min") || has("max") {
        refinements = refinements.with_range((bound(&it["min"]), bound(&it["max"])));
    }
    if has("len_min") || has("len_max") {
        refinements = refinements.with_length((length(&it["len_min"]), length(&it["len_max"])));
    }
    Value::Unknown(Some(Box::new(refinements)))
}

/// Compares a value in a place of the type with an expected one.
pub fn same_typed(given: Value, ty: &Type, expected: &Json) -> Result<(), String> {
    same_as(&Typed::resolve(given, ty).map_err(|e| e.to_string())?, expected)
}

/// Compares a value and its type with expected ones.
pub fn same_as(given: &Typed, expected: &Json) -> Result<(), String> {
    let expected = typed(expected).ok_or("the expected string is not UTF-8")?;
    if given.ty == expected.ty && same(&given.value, &expected.value) {
        Ok(())
    } else {
        Err(format!("{given:?}, expected {expected:?}"))
    }
}

/// Equality that also tells the zeros apart, and two texts of one number.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b && a.to_string() == b.to_string(),
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Set(a), Value::Set(b)) => {
            let mut left: Vec<&Value> = b.iter().collect();
            let mut take = |a| left.iter().position(|b| same(a, b)).map(|at| left.swap_remove(at));
            a.len() == b.len() && a.iter().all(|a| take(a).is_some())
        }
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        _ => a == b,
    }
}
