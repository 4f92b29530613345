//! Errors and warnings.

use std::fmt;

use super::{Json, json};

/// The summary of a warning that Terraform prints for every workspace with a provider binary, because the providers are not
/// installed. Terraform's JSON output does not identify a diagnostic in any other way.
const OVERRIDES: &str = "Provider development overrides are in effect";

/// An error or a warning of Terraform or of a provider.
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
/// for warning in workspace.apply()?.warnings() {
///     println!("{}: {}", warning.location, warning.summary);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// True for an error, false for a warning.
    pub is_error: bool,
    /// The summary, in one line.
    pub summary: String,
    /// The detail.
    pub detail: String,
    /// The address of the object: `local_file.a`; empty if the diagnostic has none.
    pub address: String,
    /// The file and line, such as `main.tf:3`; empty if the diagnostic has none.
    pub location: String,
    /// The block, such as `resource "local_file" "a"`; empty if the diagnostic has none.
    pub context: String,
    /// The configuration source that Terraform prints with the diagnostic.
    pub snippet: String,
}

impl Diagnostic {
    /// An error without a location.
    pub(crate) fn error(summary: impl Into<String>, detail: impl Into<String>) -> Diagnostic {
        Diagnostic {
            is_error: true,
            summary: summary.into(),
            detail: detail.into(),
            address: String::new(),
            location: String::new(),
            context: String::new(),
            snippet: String::new(),
        }
    }

    /// Converts a diagnostic of `terraform validate -json`.
    pub(crate) fn from_json(from: &Json) -> Diagnostic {
        let (range, snippet) = (&from["range"], &from["snippet"]);
        Diagnostic {
            is_error: from["severity"] == "error",
            summary: json::string(&from["summary"]),
            detail: json::string(&from["detail"]),
            address: json::string(&from["address"]),
            location: range["filename"]
                .as_str()
                .map_or_else(String::new, |file| format!("{file}:{}", range["start"]["line"])),
            context: json::string(&snippet["context"]),
            snippet: json::string(&snippet["code"]),
        }
    }

    /// Parses printed diagnostics, for commands without `-json`. Terraform wraps long lines of the details, which are
    /// joined again.
    pub(crate) fn parse_text(text: &str) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        for paragraph in text.split("\n\n").map(|it| it.trim_matches('\n')).filter(|it| !it.is_empty()) {
            let summary = |label| paragraph.strip_prefix(label).map(|it: &str| it.replace('\n', " "));
            let error = summary("Error: ");
            match (error.clone().or_else(|| summary("Warning: ")), found.last_mut()) {
                (Some(summary), _) => {
                    found.push(Diagnostic { is_error: error.is_some(), ..Diagnostic::error(summary, "") });
                }
                (None, Some(last)) if last.detail.is_empty() && paragraph.starts_with("  ") => {
                    last.read_position(paragraph);
                }
                (None, Some(last)) => {
                    let separator = if last.detail.is_empty() { "" } else { "\n\n" };
                    last.detail.extend([separator, &paragraph.replace('\n', " ")]);
                }
                (None, None) => {}
            }
        }
        found
    }

    /// Reads the lines `with local_file.a,` and `on main.tf line 3, in resource …:` with the snippet.
    fn read_position(&mut self, paragraph: &str) {
        for line in paragraph.lines() {
            if let Some(address) = line.strip_prefix("  with ") {
                self.address = address.trim_end_matches([',', ':']).to_owned();
            } else if let Some((file, rest)) =
                line.strip_prefix("  on ").and_then(|it| it.split_once(" line "))
            {
                let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
                self.location = format!("{file}:{number}");
                self.context =
                    rest.split_once(", in ").map_or("", |(_, it)| it.trim_end_matches(':')).to_owned();
            } else if let Some((_, code)) = line.split_once(": ") {
                self.snippet = code.to_owned();
            }
        }
    }

    pub(crate) fn is_about_overrides(&self) -> bool {
        self.summary == OVERRIDES
    }
}

/// Writes the diagnostic as Terraform prints it, without wrapping lines.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", if self.is_error { "Error" } else { "Warning" }, self.summary)?;
        let position = self.location.rsplit_once(':');
        if !self.address.is_empty() {
            let end = if position.is_some() { "," } else { "" };
            write!(f, "\n\n  with {}{end}", self.address)?;
        }
        if let Some((file, line)) = position {
            let start = if self.address.is_empty() { "\n\n" } else { "\n" };
            let context =
                if self.context.is_empty() { String::new() } else { format!(", in {}", self.context) };
            write!(f, "{start}  on {file} line {line}{context}:")?;
            let first: usize = line.parse().unwrap_or_default();
            for (i, code) in self.snippet.lines().enumerate() {
                write!(f, "\n{:4}: {code}", first + i)?;
            }
        }
        if !self.detail.is_empty() {
            write!(f, "\n\n{}", self.detail)?;
        }
        Ok(())
    }
}

/// The result of [`Workspace::validate`](super::Workspace::validate).
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
/// workspace.write("main.tf", "resource \"local_file\" \"a\" {}")?;
/// let validation = workspace.validate()?;
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

impl Validation {
    pub(crate) fn from_json(json: &Json) -> Validation {
        let diagnostics = json::list(&json["diagnostics"]).iter().map(Diagnostic::from_json);
        let diagnostics = diagnostics.filter(|it| !it.is_about_overrides()).collect();
        Validation { is_valid: json["valid"] == true, diagnostics }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_diagnostic_is_parsed_to_the_same_diagnostic() {
        let text = "\nError: Cannot import\n\n  with a.b,\n  on main.tf line 3, in resource \"a\" \"b\":\n   3: resource \
                    \"a\" \"b\" {\n\nThe object\ndoes not exist.\n\nCheck the ID.\n\nWarning: Old\n\n";
        let found = Diagnostic::parse_text(text);
        let [error, warning] = &found[..] else { panic!("{found:?}") };
        let expected = Diagnostic {
            address: "a.b".into(),
            location: "main.tf:3".into(),
            context: "resource \"a\" \"b\"".into(),
            snippet: "resource \"a\" \"b\" {".into(),
            ..Diagnostic::error("Cannot import", "The object does not exist.\n\nCheck the ID.")
        };
        assert_eq!(*error, expected);
        assert_eq!((warning.is_error, &*warning.summary), (false, "Old"));
        assert_eq!(Diagnostic::parse_text(&error.to_string()), [expected]);
    }
}
