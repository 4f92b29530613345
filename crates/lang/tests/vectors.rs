//! Conformance vectors of the language: recorded results of the reference implementations.

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

/// Compares the defaults of a type constraint with the expected ones.
fn same_defaults(actual: Option<&Defaults>, expected: &Json) -> Result<(), String> {
    let Some(actual) = actual else {
        return equal(expected.is_null(), true).map_err(|_| format!("no defaults, expected {expected}"));
    };
    let none = serde_json::Map::new();
    let members = |name: &str| expected[name].as_object().unwrap_or(&none);
    if expected.is_null() {
        return Err(format!("{actual:?}, expected none"));
    }
    equal(actual.ty(), &ty(&expected["type"]))?;
    equal(
        actual.values().keys().map(|it| &**it).collect::<Vec<_>>(),
        members("values").keys().map(String::as_str).collect::<Vec<_>>(),
    )?;
    for (name, it) in actual.values() {
        same_as(it, &members("values")[&**name])?;
    }
    equal(actual.children().len(), members("children").len())?;
    for (name, it) in actual.children() {
        same_defaults(Some(it), members("children").get(&**name).unwrap_or(&Json::Null))?;
    }
    Ok(())
}

#[test]
fn type_expressions() {
    family("type_expr", |case| {
        let source = case.input["expr"].as_str().unwrap();
        let read = match case.input["mode"].as_str().unwrap() {
            "defaults" => Constraint::parse(source),
            "constraint" => type_constraint::constraint(source).map(Constraint::from),
            _ => type_constraint::exact(source).map(Constraint::from),
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
                let positions: Vec<[u64; 4]> = e
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
                equal(positions, expected)?;
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
        let source = case.input["constraint"].as_str().unwrap();
        let constraint = Constraint::parse(source).map_err(|e| e.to_string())?;
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
        check(&case, constraint.fit(value), |actual, expected| same_as(&actual, expected))
    });
}

#[test]
fn console() {
    family("console", |case| {
        let console_output = console_output(case);
        let error = &case.expected["error"];
        match (console_output, case.expected.get("output")) {
            (Ok((printed, ty)), Some(output)) => {
                equal(printed.as_str(), output.as_str().unwrap())?;
                match case.expected["type"].as_str() {
                    Some(expected) => equal(ty.as_str(), expected),
                    None => Ok(()),
                }
            }
            (Err(e), None) => {
                let actual = e.first().summary();
                let mut headlines =
                    error["headlines"].as_array().into_iter().flatten().chain([&error["headline"]]);
                if headlines.any(|it| it == actual) {
                    Ok(())
                } else {
                    Err(format!("{actual}: {e}, expected {}", error["headline"]))
                }
            }
            (Ok((printed, _)), None) => Err(format!("no error: {printed}")),
            (Err(e), Some(_)) => Err(format!("error: {e}")),
        }
    });
}

/// Returns the output of the console for a case, and its output for the type of the value.
fn console_output(case: &Case) -> Result<(String, String), Errors> {
    let string = |name: &str| case.input[name].as_str();
    let value = string("text").unwrap();
    let mut arguments = string("arguments").unwrap().to_owned();
    if case.input["via"] == "default" {
        arguments += &format!("\ndefault = {value}\n");
    }
    let variable = Variable::declare(string("constraint"), &arguments)?;
    let configured = match string("via").unwrap() {
        "tfvars" => {
            let mut found = expression::attributes(&format!("v = {value}\n"))?;
            found.pop().map(|(_, it)| it)
        }
        "json" => Some(variable.read_json(value)?),
        "env" | "flag" => Some(variable.read_text(value)?),
        _ => None,
    };
    let it = match string("expression").unwrap() {
        "var.v" => {
            let printed = variable.show(configured.clone())?;
            let ty = match variable.accept(configured) {
                Ok(it) => it.ty,
                Err(_) => variable.constraint.ty.without_optional(),
            };
            return Ok((printed, console::show_type(&ty)));
        }
        expression => expression::evaluate(expression)?,
    };
    Ok((console::show(&it), console::show_type(&it.ty)))
}
