//! Shared code of the vector tests: reads the cases and their values.

pub mod rules;

use std::collections::BTreeMap;
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

/// Returns the directory with the cases of a family, and whether `FERROFORM_VECTORS` names it. The default is the
/// crate's own directory, or the directory of `ferroform-value` if the crate has no cases of this family.
fn directory(family: &str) -> (PathBuf, bool) {
    if let Some(named) = std::env::var_os("FERROFORM_VECTORS") {
        return (named.into(), true);
    }
    let crate_directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crate_vectors = crate_directory.join("tests/vectors");
    let shared = crate_directory.join("../value/tests/vectors");
    (if crate_vectors.join(format!("{family}.json")).exists() { crate_vectors } else { shared }, false)
}

/// Runs every case of a family and prints the number of cases that passed, and the number of cases for each rule.
pub fn family(name: &str, run: impl Fn(&Case) -> Result<(), String>) {
    family_by(name, run, rules::applies, 1);
}

/// Runs every case of a family with the deviation rules of another crate. In a family of 100 or more cases, at most
/// one case in `share` may be a deviation.
pub fn family_by(
    name: &str,
    run: impl Fn(&Case) -> Result<(), String>,
    applies: impl Fn(&Case, &str) -> Option<&'static str>,
    share: usize,
) {
    let (directory, is_external) = directory(name);
    let unknown_files = unknown_files(&directory);
    assert!(unknown_files.is_empty(), "no test reads these: {unknown_files:?}");
    let path = directory.join(format!("{name}.json"));
    if is_external && !path.exists() {
        return print_line(&format!("{name}: no vectors"));
    }
    let cases = cases(&path, name).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let (mut passed, mut failures) = (0, Vec::new());
    let mut by_rule: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, case) in cases.iter().enumerate() {
        let string = |name: &str| case[name].as_str().unwrap_or_default().to_owned();
        let (input, expected) = (case["input"].clone(), case["expected"].clone());
        let case = Case { id: string("id"), input, expected };
        // A malformed case fails without aborting the remaining cases.
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&case)));
        match outcome.unwrap_or_else(|panic| Err(format!("panic: {}", panic_message(&*panic)))) {
            Ok(()) => passed += 1,
            Err(why) => match applies(&case, &why) {
                Some(rule) => *by_rule.entry(rule).or_default() += 1,
                None => failures.push(format!("{} (no. {}, {}): {why}", case.id, i + 1, string("purpose"))),
            },
        }
    }
    let deviations: usize = by_rule.values().sum();
    let rules: String = by_rule.iter().map(|(rule, count)| format!("\n  {rule}: {count}")).collect();
    print_line(&format!("{name}: {passed}/{}, deviations {deviations}{rules}", cases.len()));
    assert!(failures.is_empty(), "{} cases of {name} fail:\n{}", failures.len(), failures.join("\n"));
    assert!(cases.len() < 100 || deviations * share <= cases.len(), "{name}: too many deviations");
}

/// Every family with a test in this crate or in another one.
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

/// Returns the files of the directory that no test reads.
fn unknown_files(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap_or_else(|e| panic!("{}: {e}", directory.display()));
    let names = entries.map(|it| it.unwrap().file_name().to_string_lossy().into_owned());
    let known = |it: &str| it.strip_suffix(".json").is_none_or(|it| FAMILIES.contains(&it));
    names.filter(|it| !known(it)).collect()
}

/// Returns the cases in the file of a family.
fn cases(path: &Path, family: &str) -> Result<Vec<Json>, String> {
    let json = std::fs::read(path).map_err(|e| e.to_string())?;
    let file: Json = serde_json::from_slice(&json).map_err(|e| e.to_string())?;
    if file["family"] != family {
        return Err(format!("the family is {}", file["family"]));
    }
    match &file["cases"] {
        Json::Array(it) if !it.is_empty() => Ok(it.clone()),
        _ => Err("there are no cases".into()),
    }
}

/// Prints a line directly to stdout, which the test harness does not capture.
fn print_line(line: &str) {
    let _ = std::io::stdout().write_all(format!("\n{line}\n").as_bytes());
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default()
}

/// Compares two values of one type.
pub fn equal<T: PartialEq + std::fmt::Debug>(actual: T, expected: T) -> Result<(), String> {
    if actual == expected { Ok(()) } else { Err(format!("{actual:?}, expected {expected:?}")) }
}

/// Returns the input value of a case. Sets are built with the public constructor.
pub fn input(case: &Case) -> Result<Typed, String> {
    let it = typed(&case.input["value"]).ok_or("the string is not UTF-8")?;
    let rebuilt = it
        .value
        .transform(&mut |_, it| Ok::<_, Error>(if let Value::Set(it) = it { Value::set(it) } else { it }));
    Ok(Typed { ty: it.ty, value: rebuilt.unwrap() })
}

/// Compares an outcome with the expectation. `same` compares a value with `expected.ok`.
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
    let either_outcome = expected.get("doubt").is_some();
    match (outcome, expected.get("ok"), expected.get("error")) {
        _ if expected.get("panic").is_some() => Ok(()),
        (Err(_), Some(_), _) if either_outcome => Ok(()),
        (Ok(it), Some(ok), _) => same(it, ok).or_else(|why| if either_outcome { Ok(()) } else { Err(why) }),
        (Err(e), _, Some(error)) => match error["binding"].as_str() {
            Some("fact+path") => {
                let (actual, expected) = (path_string(e.path()), expected_path(&error["path"]));
                if actual == expected { Ok(()) } else { Err(format!("at {actual}, expected at {expected}")) }
            }
            _ => Ok(()),
        },
        (Ok(_), _, Some(_)) if either_outcome => Ok(()),
        (Ok(_), _, Some(_)) => Err("no error".into()),
        (Err(e), Some(_), _) => Err(format!("error: {e}")),
        _ => Err("the case expects nothing".into()),
    }
}

/// Returns true if the predicate holds for the JSON value or for any value inside it.
pub fn any(it: &Json, is: &dyn Fn(&Json) -> bool) -> bool {
    let inside = match it {
        Json::Array(it) => it.iter().any(|it| any(it, is)),
        Json::Object(it) => it.values().any(|it| any(it, is)),
        _ => false,
    };
    inside || is(it)
}

/// Formats an attribute path. Attribute and map key steps look the same, because the reference does not always
/// distinguish them.
pub fn path_string(path: &value::Path) -> String {
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
            _ => panic!("unknown type {name}"),
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

/// Parses a number with the precision of the case.
pub fn number(it: &Json) -> Number {
    match it.get("f64").and_then(Json::as_str) {
        Some(bits) => Number::from_f64(bits.parse().unwrap()).unwrap(),
        None => it.as_str().unwrap().parse().unwrap(),
    }
}

/// Returns the value of a case with its type, or `None` if a string is not UTF-8.
pub fn typed(it: &Json) -> Option<Typed> {
    let ty = ty(&it["type"]);
    let value = value(&it["value"], &ty)?;
    Some(Typed { ty, value })
}

/// Returns the value of a case as a value of the type.
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
        // An expected set may contain equal elements.
        Type::Set(ty) => Value::Set(Set::with_duplicates(elements(ty)?)),
        Type::Tuple(types) => {
            let elements = it.as_array().unwrap().iter().zip(types.iter());
            Value::Tuple(elements.map(|(it, ty)| value(it, ty)).collect::<Option<_>>()?)
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

/// Compares a value of a declared type with the expected typed value.
pub fn same_typed(actual: Value, ty: &Type, expected: &Json) -> Result<(), String> {
    same_as(&Typed::resolve(actual, ty).map_err(|e| e.to_string())?, expected)
}

/// Compares a typed value with the expected one.
pub fn same_as(actual: &Typed, expected: &Json) -> Result<(), String> {
    let expected = typed(expected).ok_or("the expected string is not UTF-8")?;
    if actual.ty == expected.ty && same(&actual.value, &expected.value) {
        Ok(())
    } else {
        Err(format!("{actual:?}, expected {expected:?}"))
    }
}

/// Compares two values. Unlike `==`, it distinguishes negative zero and numbers with different decimal strings.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b && a.to_string() == b.to_string(),
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Set(a), Value::Set(b)) => {
            let mut unmatched: Vec<&Value> = b.iter().collect();
            let mut take = |a| unmatched.iter().position(|b| same(a, b)).map(|at| unmatched.swap_remove(at));
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
