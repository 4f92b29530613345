//! Conversions between native types and values, compared with the reflection of the Go framework.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

mod natives;
pub mod rules;
mod table;

use crate::common::{Case, same, ty, value};
use crate::server::schema::of_type;
use ferroform::schema::{Attribute, Block, Nested};
use ferroform::value::{Path, Step, Type, Value};
use ferroform::{Data, Diagnostics, Unhandled};
use serde_json::Value as Json;

#[test]
fn recorded_reflection_cases_pass() {
    crate::common::family_by("reflect", run, rules::applies, 1);
}

pub fn run(case: &Case) -> Result<(), String> {
    let it = &case.input;
    let value_type = || ty(&it["type"]);
    let value_data = || Data::typed(value_type(), value(&it["value"], &value_type()).unwrap()).unwrap();
    let target = || table::counterpart(it["target"].as_str().unwrap_or_default());
    let native = || table::counterpart(it["native"]["type"].as_str().unwrap_or_default());
    let root = Path::ROOT;
    let strict = Unhandled::default();
    let at = it.get("path").map_or_else(|| Path::attribute("v"), path);
    match case.op() {
        "get" | "get_path" => read(case, &target()?, &state(it, "value")?, &at, strict),
        "get_root" => {
            let block = block(&it["attributes"])?;
            let data = Data::new(block.clone(), value(&it["value"], block.ty()).unwrap()).unwrap();
            read(case, &target()?, &data, &root, strict)
        }
        "object_as" => {
            let option = |name: &str| it["options"][name].as_bool().unwrap();
            read(
                case,
                &target()?,
                &value_data(),
                &root,
                unhandled(option("null_as_empty"), option("unknown_as_empty")),
            )
        }
        "elements_as" => {
            let all = it["allow_unhandled"].as_bool().unwrap();
            read(case, &target()?, &value_data(), &root, unhandled(all, all))
        }
        "tuple_as" => read(case, &target()?, &value_data(), &root, strict),
        "set" | "set_path" => write(case, &native()?, state(it, "before")?, &at, &Path::attribute("v")),
        "set_root" => {
            write(case, &native()?, Data::new(block(&it["attributes"])?, Value::Null).unwrap(), &root, &root)
        }
        op => Err(format!("no such operation: {op}")),
    }
}

fn unhandled(null: bool, unknown: bool) -> Unhandled {
    let it = if null { Unhandled::default().null_as_default() } else { Unhandled::default() };
    if unknown { it.unknown_as_default() } else { it }
}

/// Returns a state with a single attribute, `v`.
fn state(input: &Json, name: &str) -> Result<Data, String> {
    let block = Block::new().attribute(attribute("v", &input["type"])?);
    let v = value(&input[name], &ty(&input["type"])).unwrap();
    Ok(Data::new(block, Value::object([("v", v)])).unwrap())
}

/// Returns an attribute of the type. Objects become nested attributes, so that a framework type inside them keeps its
/// checks.
fn attribute(name: &str, it: &Json) -> Result<Attribute, String> {
    let nest: fn(Block) -> Nested = match it[0].as_str() {
        Some("object") => Nested::single,
        Some("list") => Nested::list,
        Some("set") => Nested::set,
        _ => Nested::map,
    };
    let inside = if it[0] == "object" { it } else { &it[1] };
    if inside[0] != "object" {
        return of_type(name, it);
    }
    let members = inside[1].as_object().unwrap().iter();
    let members = members.map(|(name, it)| attribute(name, it)).collect::<Result<Vec<_>, _>>()?;
    let block = members.into_iter().fold(Block::new(), Block::attribute);
    Ok(Attribute::raw_nested(name, nest(block)))
}

/// Returns a schema of attributes with their nested attributes.
fn block(attributes: &Json) -> Result<Block, String> {
    attributes.as_object().unwrap().iter().try_fold(Block::new(), |schema, (name, it)| {
        let Some(nested) = it.get("nested") else {
            return Ok(schema.attribute(attribute(name, &it["type"])?));
        };
        let inside = block(&nested["attributes"])?;
        let nest = match nested["mode"].as_str().unwrap() {
            "single" => Nested::single,
            "list" => Nested::list,
            "set" => Nested::set,
            _ => Nested::map,
        };
        Ok(schema.attribute(Attribute::raw_nested(name.as_str(), nest(inside))))
    })
}

fn path(it: &Json) -> Path {
    let step = |it: &Json| match (it["attr"].as_str(), it["key"].as_str(), it["index"].as_str()) {
        (Some(name), _, _) => Step::Attribute(name.into()),
        (_, Some(key), _) => Step::Key(key.into()),
        (_, _, Some(index)) => Step::Index(index.parse().unwrap()),
        _ => Step::Element(Box::new(crate::common::typed(&it["elem"]).unwrap().value)),
    };
    it.as_array().unwrap().iter().map(step).collect()
}

fn read(
    case: &Case,
    target: &table::Counterpart,
    data: &Data,
    at: &Path,
    unhandled: Unhandled,
) -> Result<(), String> {
    let ty_at_path = data.at(at).map_or(Type::Dynamic, |it| it.ty().clone());
    check(&case.expected, (target.get)(data, at, unhandled), &|actual, expected| {
        // A dynamic value is compared as a value of its concrete type.
        let ty = target.ty.as_ref().filter(|it| !it.has_dynamic()).unwrap_or(&ty_at_path);
        let expected = unwrap_hook(expected);
        matches(&actual, &expected, ty).or_else(|why| match (target.make)(&expected) {
            // The precision of a float can differ between the recorded and the actual value.
            Ok(it) if same(&actual, it.value()) => Ok(()),
            _ => Err(why),
        })
    })
}

fn write(
    case: &Case,
    native: &table::Counterpart,
    mut data: Data,
    at: &Path,
    compared_at: &Path,
) -> Result<(), String> {
    let converted = (native.make)(&unwrap_hook(&case.input["native"]["value"]));
    let outcome = match converted {
        Ok(converted) => data.set(at, converted),
        Err(error) => Err(Diagnostics::from(error.at(at.clone()))),
    };
    let outcome = outcome.map(|()| data.at(compared_at).unwrap().value().clone());
    check(&case.expected, outcome, &|actual, expected| {
        matches(&actual, expected, data.at(compared_at).unwrap().ty())
    })
}

/// Returns the content of values whose native type has its own conversion hooks.
fn unwrap_hook(it: &Json) -> Json {
    let (unknownable, nullable, converter) = (&it["unknownable"], &it["nullable"], &it["converter"]);
    if unknownable["unknown"] == true || converter["state"] == "unknown" {
        return serde_json::json!({"unknown": true});
    }
    if nullable["null"] == true || converter["state"] == "null" {
        return Json::Null;
    }
    [unknownable, nullable, converter].into_iter().find_map(|it| it.get("value")).unwrap_or(it).clone()
}

fn matches(actual: &Value, expected: &Json, ty: &Type) -> Result<(), String> {
    let Some(expected) = value(expected, ty) else {
        return Err("the expected value does not conform to the type".into());
    };
    if same(actual, &expected) { Ok(()) } else { Err(format!("{actual:?}, expected {expected:?}")) }
}

fn check(
    expected: &Json,
    outcome: Result<Value, Diagnostics>,
    same: &dyn Fn(Value, &Json) -> Result<(), String>,
) -> Result<(), String> {
    if let Some(all) = expected.get("any_of").and_then(Json::as_array) {
        let any = all.iter().any(|it| check(it, outcome.clone(), same).is_ok());
        return if any { Ok(()) } else { Err("none of the expected outcomes".into()) };
    }
    let either_outcome = expected.get("doubt").is_some();
    match (outcome, expected.get("ok"), expected.get("error")) {
        _ if expected.get("panic").is_some() => Ok(()),
        (Err(_), Some(_), _) | (Ok(_), _, Some(_)) if either_outcome => Ok(()),
        (Ok(it), Some(ok), _) => same(it, ok).or_else(|why| if either_outcome { Ok(()) } else { Err(why) }),
        (Err(errors), _, Some(error)) => {
            let actual: Vec<String> =
                errors.iter().map(|it| crate::common::path_string(it.path.as_ref().unwrap())).collect();
            let diagnostics = error["diagnostics"].as_array().unwrap();
            let expected: Vec<String> =
                diagnostics.iter().map(|it| crate::common::expected_path(&it["path"])).collect();
            if actual == expected {
                Ok(())
            } else {
                Err(format!("errors at {actual:?}, expected at {expected:?}"))
            }
        }
        (Ok(it), _, Some(_)) => Err(format!("no error: {it:?}")),
        (Err(errors), Some(_), _) => Err(format!("error: {errors}")),
        _ => Err("the case expects nothing".into()),
    }
}
