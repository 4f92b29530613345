//! The rules of `vectors/deviations.toml`: the failed cases to which each rule applies.

use super::common::Case;
use super::common::rules::{self, Rule};

const RULES: [(&str, Rule); 2] = [("validation", validation), ("other-function", other_function)];

/// Returns the first rule that applies to a failed case. The rule must be listed in `deviations.toml`.
pub fn applies(case: &Case, why: &str) -> Option<&'static str> {
    let listed = include_str!("../vectors/deviations.toml");
    rules::find(&RULES, listed, case, why).or_else(|| rules::applies(case, why))
}

/// The variable has a validation block.
fn validation(case: &Case, _: &str) -> bool {
    let arguments = case.input["arguments"].as_str();
    arguments.is_some_and(|it| it.contains("validation {"))
}

/// The expression calls a function that Terraform has and this crate does not.
fn other_function(case: &Case, why: &str) -> bool {
    let is_known_to_terraform = case.expected["error"]["headline"] != "Call to unknown function";
    case.input["expression"].is_string() && is_known_to_terraform && why.contains("There is no function")
}
