//! The validation of a configuration.

use super::{Json, json};

/// The summary of a warning that Terraform prints for every workspace, because the providers are not installed.
/// Terraform's JSON output does not identify a diagnostic in any other way.
const OVERRIDES: &str = "Provider development overrides are in effect";

/// The result of `terraform validate`.
/// ```no_run
/// # fn example(workspace: ferroform_testing::cli::Workspace) -> ferroform_testing::cli::Result<()> {
/// workspace.write("main.tf", "resource \"local_file\" \"a\" {}")?;
/// let validation = workspace.validate_json()?;
/// assert!(!validation.is_valid);
/// assert_eq!(validation.diagnostics[0].summary, "Missing required argument");
/// assert_eq!(validation.diagnostics[0].location, "main.tf:1");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Validation {
    /// True if there are no errors.
    pub is_valid: bool,
    /// The errors and warnings, except the warning about development overrides.
    pub diagnostics: Vec<Diagnostic>,
}

/// An error or a warning of the CLI.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// True for an error, false for a warning.
    pub is_error: bool,
    /// The summary, in one line.
    pub summary: String,
    /// The detail.
    pub detail: String,
    /// The file and line, such as `main.tf:3`; empty if the diagnostic has none.
    pub location: String,
    /// The configuration source that the CLI prints with the diagnostic.
    pub snippet: String,
}

impl Validation {
    pub(super) fn read(json: &Json) -> Validation {
        let diagnostics = json::list(&json["diagnostics"]).iter().map(Diagnostic::read);
        let diagnostics = diagnostics.filter(|it| it.summary != OVERRIDES).collect();
        Validation { is_valid: json["valid"] == true, diagnostics }
    }
}

impl Diagnostic {
    fn read(from: &Json) -> Diagnostic {
        let range = &from["range"];
        Diagnostic {
            is_error: from["severity"] == "error",
            summary: json::string(&from["summary"]),
            detail: json::string(&from["detail"]),
            location: range["filename"]
                .as_str()
                .map_or_else(String::new, |file| format!("{file}:{}", range["start"]["line"])),
            snippet: json::string(&from["snippet"]["code"]),
        }
    }
}
