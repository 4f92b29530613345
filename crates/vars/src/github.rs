//! Workflow commands of GitHub Actions, which create annotations: `::error file=main.tf,line=2,…::message`.
//!
//! GitHub shows at most 10 errors, 10 warnings and 10 notices for each step.

use std::fmt::Write as _;

use crate::diagnostic::Severity;
use crate::report::Report;

/// Returns one command for each diagnostic.
pub(crate) fn format_report(report: &Report) -> String {
    let mut out = String::new();
    for diagnostic in report.redacted_diagnostics() {
        let level = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let _ = write!(out, "::{level} ");
        if let Some((range, file)) = diagnostic.file_range() {
            let [(line, column), (end_line, end_column)] = range.code_points();
            let _ = write!(out, "file={},line={line},endLine={end_line},", escape_property(file));
            // GitHub accepts columns only if the annotation has one line.
            if line == end_line {
                let _ = write!(out, "col={column},endColumn={end_column},");
            }
        }
        let _ = writeln!(
            out,
            "title={}::{}",
            escape_property(diagnostic.summary),
            escape_message(&diagnostic.message_with_source())
        );
    }
    out
}

/// Escapes the message of a command.
fn escape_message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn escape_property(text: &str) -> String {
    escape_message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(escape_message("100%: a,\r\nb"), "100%25: a,%0D%0Ab");
        assert_eq!(escape_property("100%: a,\nb"), "100%25%3A a%2C%0Ab");
    }
}
