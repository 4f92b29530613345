//! The results of functions and conditional expressions, as recorded from Terraform.
//!
//! `function_results/*.txt` list the expressions, `functions.json` and `conditions.json` contain their results. The
//! end-to-end tests of `cargo-ferroform` compare the results with the real Terraform and record them
//! (`FERROFORM_RECORD=1`). These tests need no Terraform.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use ferroform_lang::body::{Expression, Variables};
use ferroform_lang::console;
use serde_json::Value as Json;

/// Returns the result as the console prints it; `None` for an error.
fn result(expression: &str) -> Option<String> {
    let result = Expression::parse(expression).unwrap().evaluate(&Variables::default());
    result.unwrap_or_else(|| panic!("{expression} is not evaluated")).ok().map(|value| console::show(&value))
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

/// A call is not evaluated if its result in Terraform is undetermined.
#[test]
fn undetermined_calls_are_not_evaluated() {
    let list = include_str!("function_results/declined.txt");
    for call in list.lines().filter(|it| !it.is_empty() && !it.starts_with('#')) {
        assert!(Expression::parse(call).unwrap().evaluate(&Variables::default()).is_none(), "{call}");
    }
}
