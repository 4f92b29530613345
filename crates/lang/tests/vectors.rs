//! The conformance vectors of the language: the results of the reference implementations.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

#[allow(dead_code, reason = "shared with other tests")]
#[path = "../../value/tests/common/mod.rs"]
mod common;
#[path = "common/deviations.rs"]
mod deviations;

use common::{Case, check, equal, input, same_as, ty};
use ferroform_lang::type_constraint::{self, Constraint};
use ferroform_lang::variable::Variable;
use ferroform_lang::{Defaults, Errors, console, expression};
use serde_json::Value as Json;

fn family(name: &str, run: impl Fn(&Case) -> Result<(), String>) {
    common::family_by(name, run, deviations::applies, 1);
}

/// Number literals. `ferroform-value` tests the other cases of this family.
#[test]
fn number_literals() {
    family("numbers", |case| {
        if case.op() != "parse" {
            return Ok(());
        }
        let literal = expression::constant(case.input["decimal"].as_str().unwrap());
        match (literal, case.expected["literal"].get("ok")) {
            (Ok(it), Some(ok)) => equal(console::show(&it).as_str(), ok["text"].as_str().unwrap()),
            (Ok(it), None) => Err(format!("no error as a literal: {it:?}")),
            (Err(e), Some(_)) => Err(format!("error as a literal: {e}")),
            (Err(_), None) => Ok(()),
        }
    });
}

/// Compares a tree of defaults with an expected one.
fn same_defaults(given: Option<&Defaults>, expected: &Json) -> Result<(), String> {
    let Some(given) = given else {
        return equal(expected.is_null(), true).map_err(|_| format!("no defaults, expected {expected}"));
    };
    let none = serde_json::Map::new();
    let members = |name: &str| expected[name].as_object().unwrap_or(&none);
    if expected.is_null() {
        return Err(format!("{given:?}, expected none"));
    }
    equal(given.ty(), &ty(&expected["type"]))?;
    equal(
        given.values().keys().map(|it| &**it).collect::<Vec<_>>(),
        members("values").keys().map(String::as_str).collect::<Vec<_>>(),
    )?;
    for (name, it) in given.values() {
        same_as(it, &members("values")[&**name])?;
    }
    equal(given.children().len(), members("children").len())?;
    for (name, it) in given.children() {
        same_defaults(Some(it), members("children").get(&**name).unwrap_or(&Json::Null))?;
    }
    Ok(())
}

#[test]
fn type_expressions() {
    family("type_expr", |case| {
        let text = case.input["expr"].as_str().unwrap();
        let read = match case.input["mode"].as_str().unwrap() {
            "defaults" => Constraint::parse(text),
            "constraint" => type_constraint::constraint(text).map(Constraint::from),
            _ => type_constraint::exact(text).map(Constraint::from),
        };
        match (read, case.expected.get("ok")) {
            (Ok(it), Some(ok)) => {
                equal(&it.ty, &ty(&ok["type"]))?;
                equal(type_constraint::print(&it.ty).as_str(), ok["text"].as_str().unwrap())?;
                same_defaults(it.defaults.as_ref(), &ok["defaults"])
            }
            (Err(e), None) => {
                let error = &case.expected["error"];
                if error["binding"] == "fact" {
                    return Ok(());
                }
                let places: Vec<[u64; 4]> = e
                    .iter()
                    .map(|it| {
                        let (start, end) = (it.span().start, it.span().end);
                        [start.line, start.column, end.line, end.column].map(|it| it as u64)
                    })
                    .collect();
                let expected: Vec<[u64; 4]> = error["diagnostics"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|it| {
                        ["line", "column", "end_line", "end_column"].map(|name| it[name].as_u64().unwrap())
                    })
                    .collect();
                equal(places, expected)?;
                equal(e.first().summary(), error["diagnostics"][0]["summary"].as_str().unwrap())
            }
            (Ok(it), None) => Err(format!("no error: {it:?}")),
            (Err(e), Some(_)) => Err(format!("error: {e}")),
        }
    });
}

#[test]
fn defaults() {
    family("defaults_apply", |case| {
        let text = case.input["constraint"].as_str().unwrap();
        let constraint = Constraint::parse(text).map_err(|e| e.to_string())?;
        equal(&constraint.ty, &ty(&case.input["type"]))?;
        same_defaults(constraint.defaults.as_ref(), &case.input["defaults"])?;
        let value = input(case)?;
        let applied = match &constraint.defaults {
            Some(defaults) => defaults.apply(value.clone()),
            None => value.clone(),
        };
        same_as(&applied, &case.expected["applied"])?;
        let case = Case {
            id: case.id.clone(),
            input: case.input.clone(),
            expected: case.expected["converted"].clone(),
        };
        check(&case, constraint.fit(value), |given, expected| same_as(&given, expected))
    });
}

#[test]
fn console() {
    family("console", |case| {
        let shown = shown(case);
        let error = &case.expected["error"];
        match (shown, case.expected.get("output")) {
            (Ok((text, ty)), Some(output)) => {
                equal(text.as_str(), output.as_str().unwrap())?;
                match case.expected["type"].as_str() {
                    Some(expected) => equal(ty.as_str(), expected),
                    None => Ok(()),
                }
            }
            (Err(e), None) => {
                let given = e.first().summary();
                let mut headlines =
                    error["headlines"].as_array().into_iter().flatten().chain([&error["headline"]]);
                if headlines.any(|it| it == given) {
                    Ok(())
                } else {
                    Err(format!("{given}: {e}, expected {}", error["headline"]))
                }
            }
            (Ok((text, _)), None) => Err(format!("no error: {text}")),
            (Err(e), Some(_)) => Err(format!("error: {e}")),
        }
    });
}

/// What the console prints for a case, and for the type of the same.
fn shown(case: &Case) -> Result<(String, String), Errors> {
    let text = |name: &str| case.input[name].as_str();
    let value = text("text").unwrap();
    let mut arguments = text("arguments").unwrap().to_owned();
    if case.input["via"] == "default" {
        arguments += &format!("\ndefault = {value}\n");
    }
    let variable = Variable::declare(text("constraint"), &arguments)?;
    let given = match text("via").unwrap() {
        "tfvars" => {
            let mut found = expression::attributes(&format!("v = {value}\n"))?;
            found.pop().map(|(_, it)| it)
        }
        "json" => Some(variable.read_json(value)?),
        "env" | "flag" => Some(variable.read_text(value)?),
        _ => None,
    };
    let it = match text("expression").unwrap() {
        "var.v" => {
            let text = variable.show(given.clone())?;
            let ty = match variable.accept(given) {
                Ok(it) => it.ty,
                Err(_) => variable.constraint.ty.without_optional(),
            };
            return Ok((text, console::show_type(&ty)));
        }
        expression => expression::evaluate(expression)?,
    };
    Ok((console::show(&it), console::show_type(&it.ty)))
}
