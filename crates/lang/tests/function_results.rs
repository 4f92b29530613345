//! The results of functions and conditional expressions, as recorded from Terraform.
//!
//! `function_results/*.txt` list the expressions, `functions.json` and `conditions.json` contain their results. The
//! end-to-end tests of `cargo-ferroform` compare the results with the real Terraform and record them
//! (`FERROFORM_RECORD=1`). These tests need no Terraform.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use ferroform_lang::body::{Expression, Variables};
use ferroform_lang::expression::LogicalOperators;
use ferroform_lang::{EvaluationError, console};
use serde_json::Value as Json;

/// Returns the result as the console prints it; `None` for an error.
fn result(expression: &str) -> Option<String> {
    // The results are those of Terraform 1.11.
    let strict = LogicalOperators::Strict;
    match Expression::parse(expression).unwrap().evaluate_with(&Variables::default(), strict) {
        Ok(value) => Some(console::show(&value)),
        Err(EvaluationError::Invalid(_)) => None,
        Err(EvaluationError::Undetermined(_)) => panic!("{expression} is not evaluated"),
    }
}

fn check(lists: &[&str], recorded: &str) {
    let expressions = lists.iter().flat_map(|list| list.lines());
    let expressions: Vec<&str> = expressions.filter(|it| !it.is_empty() && !it.starts_with('#')).collect();
    let recorded: Vec<Json> = serde_json::from_str(recorded).unwrap();
    let recorded_expressions: Vec<&str> =
        recorded.iter().map(|it| it["expression"].as_str().unwrap()).collect();
    assert_eq!(
        recorded_expressions, expressions,
        "the lists changed: run the end-to-end tests of cargo-ferroform with FERROFORM_RECORD=1"
    );
    let differences: Vec<String> = recorded
        .iter()
        .filter_map(|case| {
            let expression = case["expression"].as_str().unwrap();
            let (expected, actual) = (case["result"].as_str().map(str::to_owned), result(expression));
            (expected != actual).then(|| format!("{expression}: expected {expected:?}, got {actual:?}"))
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn functions_return_the_recorded_results() {
    let lists = [
        include_str!("function_results/types.txt"),
        include_str!("function_results/collections.txt"),
        include_str!("function_results/strings.txt"),
        include_str!("function_results/format.txt"),
        include_str!("function_results/regular_expressions.txt"),
        include_str!("function_results/numbers.txt"),
        include_str!("function_results/network.txt"),
        include_str!("function_results/times.txt"),
    ];
    check(&lists, include_str!("function_results/functions.json"));
}

#[test]
fn conditions_return_the_recorded_results() {
    let lists =
        [include_str!("function_results/conditions.txt"), include_str!("function_results/splats.txt")];
    check(&lists, include_str!("function_results/conditions.json"));
}

/// The results are those of Terraform 1.11 and 1.15.
#[test]
fn logical_operators_return_the_recorded_results() {
    let recorded = include_str!("function_results/logical_operators.json");
    let recorded: Vec<Json> = serde_json::from_str(recorded).unwrap();
    let modes = [("strict", LogicalOperators::Strict), ("short_circuit", LogicalOperators::ShortCircuit)];
    for case in &recorded {
        let expression = case["expression"].as_str().unwrap();
        for (mode, operators) in modes {
            let parsed = Expression::parse(expression).unwrap();
            let result = match parsed.evaluate_with(&Variables::default(), operators) {
                Ok(value) => Some(console::show(&value)),
                Err(EvaluationError::Invalid(_)) => None,
                Err(EvaluationError::Undetermined(reason)) => panic!("{expression}: {reason}"),
            };
            assert_eq!(result.as_deref(), case[mode].as_str(), "{expression} ({mode})");
        }
    }
}

/// A call is not evaluated if its result in Terraform is undetermined.
#[test]
fn undetermined_calls_are_not_evaluated() {
    let list = include_str!("function_results/declined.txt");
    for call in list.lines().filter(|it| !it.is_empty() && !it.starts_with('#')) {
        let result = Expression::parse(call).unwrap().evaluate(&Variables::default());
        assert!(matches!(result, Err(EvaluationError::Undetermined(_))), "{call}");
    }
}
