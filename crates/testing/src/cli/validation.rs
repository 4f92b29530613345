//! What the CLI thinks of a configuration.

use super::{Json, json};

/// The summary of a warning that Terraform prints for every workspace, since the providers in it are not installed.
/// Terraform's JSON output identifies a diagnostic by its texts only.
const OVERRIDES: &str = "Provider development overrides are in effect";

/// The answer of `validate`.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    /// True where there are no errors.
    pub is_valid: bool,
    /// Errors and warnings, without the one about development overrides.
    pub problems: Vec<Problem>,
}

/// An error or a warning, and where in the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// False for a warning.
    pub is_error: bool,
    /// One line: what is wrong.
    pub summary: String,
    /// The rest: why, and what to do.
    pub detail: String,
    /// The place: `main.tf:3`. Empty where there is none.
    pub place: String,
    /// The line of the configuration that is printed with it.
    pub snippet: String,
}

impl Validation {
    pub(super) fn read(json: &Json) -> Validation {
        let problems = json::list(&json["diagnostics"]).iter().map(Problem::read);
        let problems = problems.filter(|it| it.summary != OVERRIDES).collect();
        Validation { is_valid: json["valid"] == true, problems }
    }
}

impl Problem {
    fn read(from: &Json) -> Problem {
        let range = &from["range"];
        Problem {
            is_error: from["severity"] == "error",
            summary: json::text(&from["summary"]),
            detail: json::text(&from["detail"]),
            place: range["filename"]
                .as_str()
                .map_or_else(String::new, |file| format!("{file}:{}", range["start"]["line"])),
            snippet: json::text(&from["snippet"]["code"]),
        }
    }
}
