//! The formats of the output.

use std::io::{self, Write};

use crate::report::Report;
use crate::{explain, github, junit, sarif};

/// The format of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Values as `terraform console` prints them, and diagnostics with excerpts of their sources.
    #[default]
    Text,
    /// Values with their types, and diagnostics as `terraform validate -json` prints them.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow commands of GitHub Actions, which create annotations.
    Github,
    /// JUnit XML, for the test reports of CI systems.
    Junit,
}

impl Format {
    pub(crate) const NAMES: [(&str, Format); 5] = [
        ("text", Format::Text),
        ("json", Format::Json),
        ("sarif", Format::Sarif),
        ("github", Format::Github),
        ("junit", Format::Junit),
    ];

    /// Returns the format with one of the names.
    pub(crate) fn from_name(name: impl AsRef<str>) -> Format {
        let found = Format::NAMES.into_iter().find(|it| it.0 == name.as_ref());
        found.map_or_else(Format::default, |it| it.1)
    }

    /// Returns true if the output consists of diagnostics only.
    pub(crate) fn is_report(self) -> bool {
        !matches!(self, Format::Text | Format::Json)
    }

    /// Writes the diagnostics: reports to standard output, text and JSON to standard error.
    pub(crate) fn write_diagnostics(
        self,
        report: &Report,
        stdout: &mut dyn Write,
        stderr: &mut dyn Write,
    ) -> io::Result<()> {
        match self {
            Format::Text => stderr.write_all(report.styled_diagnostics().as_bytes()),
            Format::Json if !report.has_diagnostics() => Ok(()),
            Format::Json => stderr.write_all(report.diagnostics_json().as_bytes()),
            _ => stdout.write_all(report.diagnostics_as(self).as_bytes()),
        }
    }

    /// Writes the explanations if the report has any, or else the values if all of them are valid.
    pub(crate) fn write_values(self, report: &Report, stdout: &mut dyn Write) -> io::Result<()> {
        let explanations = &report.explanations;
        match self {
            Format::Text if !explanations.is_empty() => explain::write_text(explanations, stdout),
            Format::Json if !explanations.is_empty() => explain::write_json(explanations, stdout),
            Format::Text if report.is_valid() => report.write_text(stdout),
            Format::Json if report.is_valid() => report.write_json(stdout),
            _ => Ok(()),
        }
    }
}

impl Report {
    /// Returns the diagnostics in a format for CI systems and code scanning. [`Format::Text`] and [`Format::Json`] return
    /// the same as [`Report::diagnostics`] and [`Report::diagnostics_json`].
    ///
    /// ```
    /// use ferroform_vars::{Format, SourceTexts, evaluate_sources};
    ///
    /// let module = vec![("main.tf".to_owned(), "variable \"size\" {\n  type = strng\n}\n".to_owned())];
    /// let report = evaluate_sources(&SourceTexts { module, values: Vec::new() });
    /// assert_eq!(
    ///     report.diagnostics_as(Format::Github),
    ///     "::error file=main.tf,line=2,endLine=2,col=10,endColumn=15,title=Invalid type specification\
    ///      ::The keyword \"strng\" is not a valid type.\n"
    /// );
    /// ```
    pub fn diagnostics_as(&self, format: Format) -> String {
        match format {
            Format::Text => self.diagnostics(),
            Format::Json => self.diagnostics_json(),
            Format::Sarif => sarif::format_report(self),
            Format::Github => github::format_report(self),
            Format::Junit => junit::format_report(self),
        }
    }
}
