//! Expressions with unknown, sensitive and ephemeral values, with the results of the console of Terraform 1.11.4.
//!
//! `function_results/unknown_values.txt`, `unknown_arguments.txt` and `marks.txt` list the expressions, and
//! `unknown_and_marked.json` contains what the console prints for each
//! expression: its value and its type, whether it is sensitive, and whether it is null.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::collections::{BTreeMap, BTreeSet};

use ferroform_lang::body::{EvaluationContext, Expression, FailedCall, UnresolvedReference};
use ferroform_lang::console;
use ferroform_lang::expression::{self, LogicalOperators};
use ferroform_lang::marks::{Mark, Marked, Marks};
use ferroform_value::{Path, Type, Typed, Value};
use serde_json::Value as Json;

const VALUES: &str = include_str!("function_results/unknown_values.txt");
const ARGUMENTS: &str = include_str!("function_results/unknown_arguments.txt");
const MARKS: &str = include_str!("function_results/marks.txt");

/// The local values of the recorded expressions, and the functions of a provider.
struct Locals {
    values: BTreeMap<String, Marked>,
    operators: LogicalOperators,
}

impl Locals {
    fn new() -> Locals {
        let types = [
            ("any", "any"),
            ("string", "string"),
            ("number", "number"),
            ("bool", "bool"),
            ("list", "list(string)"),
            ("set", "set(string)"),
            ("map", "map(string)"),
            ("object", "object({ a = string, b = number })"),
            ("objects", "list(object({ a = string, b = number }))"),
            ("numbers", "list(number)"),
            ("tuple", "tuple([string, number])"),
        ];
        let mut locals: BTreeMap<String, Marked> =
            types.into_iter().map(|(name, ty)| (name.into(), Marked::unknown(ty.parse().unwrap()))).collect();
        let string = |value: &str| Typed::new(Type::String, value.into());
        let mut marks = Marks::of(Mark::Ephemeral);
        locals.insert("e".into(), Marked { typed: string("e"), marks: marks.clone() });
        marks.add(Path::ROOT, Mark::Sensitive);
        locals.insert("se".into(), Marked { typed: string("se"), marks });
        Locals { values: locals, operators: LogicalOperators::Strict }
    }
}

impl EvaluationContext for Locals {
    fn resolve(&self, names: &[&str]) -> Result<(&Marked, usize), UnresolvedReference> {
        let found = match names {
            ["local", name, ..] => self.values.get(*name),
            _ => None,
        };
        let undeclared = || UnresolvedReference {
            summary: "Reference to undeclared local value".into(),
            detail: format!("There is no {}.", names.join(".")),
        };
        Ok((found.ok_or_else(undeclared)?, 2))
    }

    fn call(&self, _: &str, _: &[Marked]) -> Option<Result<Marked, FailedCall>> {
        None
    }

    fn logical_operators(&self) -> LogicalOperators {
        self.operators
    }
}

/// Prints a value as the console does, with placeholders for its marked parts.
fn show(it: Marked) -> String {
    let Marked { mut typed, marks } = it;
    // If a part has both marks, the console prints that it is sensitive.
    let placeholders = [(Mark::Sensitive, console::SENSITIVE), (Mark::Ephemeral, console::EPHEMERAL)];
    let whole = placeholders.iter().find(|(mark, _)| marks.has(*mark));
    if let (Some((_, placeholder)), false) = (whole, typed.value.is_unknown()) {
        return (*placeholder).to_owned();
    }
    for (mark, placeholder) in placeholders.into_iter().rev() {
        for path in marks.paths(mark).filter(|it| !it.is_root()) {
            let part = typed.value.at_mut(path).unwrap();
            if !part.is_unknown() {
                *part = Value::dynamic(Type::String, placeholder.into());
            }
        }
    }
    let shown = console::show(&typed);
    placeholders.iter().fold(shown, |shown, (_, it)| shown.replace(&format!("{it:?}"), it))
}

fn lines(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter(|it| !it.is_empty() && !it.starts_with('#'))
}

#[test]
fn expressions_return_the_recorded_values_and_types() {
    let recorded = include_str!("function_results/unknown_and_marked.json");
    let recorded: Vec<Json> = serde_json::from_str(recorded).unwrap();
    let expressions: Vec<&str> = [VALUES, ARGUMENTS, MARKS].into_iter().flat_map(lines).collect();
    let recorded_expressions: Vec<&str> =
        recorded.iter().map(|it| it["expression"].as_str().unwrap()).collect();
    assert_eq!(recorded_expressions, expressions);

    let locals = Locals::new();
    let evaluate = |expression: &str| Expression::parse(expression).unwrap().evaluate_in(&locals);
    let mut differences = Vec::new();
    let mut compare = |expression: &str, expected: Option<&str>, actual: Option<String>| {
        if expected != actual.as_deref() {
            differences.push(format!("{expression}: expected {expected:?}, got {actual:?}"));
        }
    };
    for case in &recorded {
        let [expression, value, ty, sensitive, null] =
            ["expression", "value", "type", "sensitive", "null"].map(|it| case[it].as_str());
        let expression = expression.unwrap();
        let result = evaluate(expression).ok();
        compare(expression, value, result.clone().map(show));
        if let Some(result) = result {
            let is_sensitive = format!("issensitive({expression})");
            let is_null = format!("nonsensitive(({expression}) == null)");
            compare(&format!("type({expression})"), ty, Some(console::show_type(&result.typed.ty)));
            compare(&is_sensitive, sensitive, evaluate(&is_sensitive).ok().map(show));
            compare(&is_null, null, evaluate(&is_null).ok().map(show));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The results are those of Terraform 1.15.5.
#[test]
fn unknown_operands_of_short_circuiting_operators_do_not_decide_the_result() {
    let locals = Locals { operators: LogicalOperators::ShortCircuit, ..Locals::new() };
    let unknown = Some("(known after apply)");
    for (expression, expected) in [
        ("local.bool && true", unknown),
        ("local.bool && false", Some("false")),
        ("false && local.bool", Some("false")),
        ("true || local.bool", Some("true")),
        ("local.bool || true", Some("true")),
        ("local.bool || false", unknown),
        ("local.bool || \"x\"", None),
        ("local.any && true", unknown),
        ("local.bool || tobool(\"x\")", unknown),
        ("tobool(\"x\") || local.bool", None),
        ("local.bool && tobool(\"x\")", unknown),
        ("tobool(\"x\") && local.bool", None),
        ("local.bool && null", Some("false")),
        ("null && local.bool", Some("false")),
        ("local.bool || null", unknown),
        ("null || local.bool", unknown),
        ("local.bool && sensitive(false)", Some("(sensitive value)")),
        ("issensitive(local.bool && sensitive(true))", Some("true")),
    ] {
        let result = Expression::parse(expression).unwrap().evaluate_in(&locals).ok().map(show);
        assert_eq!(result.as_deref(), expected, "{expression}");
    }
}

/// Each function is called with an unknown and with a sensitive argument.
#[test]
fn every_function_has_recorded_results() {
    let locals = Locals::new();
    let called = |list: &str, is_relevant: &dyn Fn(&str) -> bool| -> BTreeSet<String> {
        let relevant = lines(list).filter(|it| is_relevant(it));
        let valid = relevant.map(|it| Expression::parse(it).unwrap());
        let valid = valid.filter(|it| it.evaluate_in(&locals).is_ok());
        valid.flat_map(|it| it.references().functions).collect()
    };
    let unknown = called(&format!("{VALUES}\n{ARGUMENTS}"), &|it| it.contains("local."));
    let marked = called(MARKS, &|it| it.contains("sensitive(") || it.contains("local."));
    for name in expression::functions().chain(["sensitive", "issensitive", "ephemeralasnull"]) {
        assert!(unknown.contains(name), "no call of {name} with an unknown value");
        assert!(marked.contains(name), "no call of {name} with a marked value");
    }
}
