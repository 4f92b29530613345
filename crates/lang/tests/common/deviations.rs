//! The rules behind `vectors/deviations.toml`: which cases each of them is about.

use super::common::Case;
use super::common::rules::{self, Rule};

const RULES: [(&str, Rule); 2] = [("validation", validation), ("other-function", other_function)];

/// The rule that a case which did not pass falls under, where there is one and it is listed.
pub fn applies(case: &Case, why: &str) -> Option<&'static str> {
    let listed = include_str!("../vectors/deviations.toml");
    rules::find(&RULES, listed, case, why).or_else(|| rules::applies(case, why))
}

/// The variable has a block with a condition of its own.
fn validation(case: &Case, _: &str) -> bool {
    let arguments = case.input["arguments"].as_str();
    arguments.is_some_and(|it| it.contains("validation {"))
}

/// The expression calls a function that this crate does not have, and the program does.
fn other_function(case: &Case, why: &str) -> bool {
    let there = case.expected["error"]["headline"] != "Call to unknown function";
    case.input["expression"].is_string() && there && why.contains("There is no function")
}
