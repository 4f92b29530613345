//! JUnit XML, which CI systems show as test reports.
//!
//! Each source is a test case: each file of the module and of values, and each value from the environment and the
//! command line. Its name is the same in every run, so CI systems recognize new and fixed failures. GitLab and Jenkins
//! show one failure for each test case, so its text contains all errors of the source; warnings and notes are output.
//! Diagnostics without a location belong to the test case `module`.

use std::fmt::Write as _;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::diagnostic::Severity;
use crate::redacted_diagnostic::RedactedDiagnostic;
use crate::report::Report;
use crate::text_output::write_to_string;

/// The test case of a source.
#[derive(Default)]
struct TestCase<'a> {
    name: &'a str,
    is_file: bool,
    /// The summary of the first error.
    failure: Option<&'a str>,
    errors: String,
    others: String,
}

impl<'a> TestCase<'a> {
    fn add(&mut self, diagnostic: &RedactedDiagnostic<'a>) {
        let position = diagnostic.range.as_ref().map(|it| format!("{}: ", it.describe())).unwrap_or_default();
        let out = match diagnostic.severity {
            Severity::Error => {
                self.failure.get_or_insert(diagnostic.summary);
                &mut self.errors
            }
            Severity::Warning | Severity::Note => &mut self.others,
        };
        let _ = writeln!(out, "{position}{}: {}", diagnostic.summary, diagnostic.message());
    }
}

/// Returns a test suite.
pub(crate) fn format_report(report: &Report) -> String {
    let mut cases: Vec<TestCase<'_>> = Vec::new();
    for source in &report.sources {
        // A file can be a source twice.
        if !cases.iter().any(|case| case.name == source.name) {
            cases.push(TestCase { name: &source.name, is_file: source.is_file, ..TestCase::default() });
        }
    }
    for diagnostic in report.redacted_diagnostics() {
        let name = diagnostic.range.as_ref().map_or("module", |it| it.name());
        match cases.iter_mut().find(|case| case.name == name) {
            Some(case) => case.add(&diagnostic),
            None => {
                let mut case = TestCase { name, ..TestCase::default() };
                case.add(&diagnostic);
                cases.push(case);
            }
        }
    }
    write_to_string(|out| write_cases(out, &cases))
}

fn write_cases(out: &mut Vec<u8>, cases: &[TestCase<'_>]) -> std::io::Result<()> {
    let mut writer = Writer::new_with_indent(&mut *out, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let failures = cases.iter().filter(|it| it.failure.is_some()).count().to_string();
    let tests = cases.len().to_string();
    let counts =
        [("name", env!("CARGO_PKG_NAME")), ("tests", &tests), ("failures", &failures), ("errors", "0")];
    writer.create_element("testsuites").with_attributes(counts).write_inner_content(|out| {
        out.create_element("testsuite")
            .with_attributes(counts)
            .write_inner_content(|out| cases.iter().try_for_each(|it| write_test_case(out, it)))?;
        Ok(())
    })?;
    out.push(b'\n');
    Ok(())
}

fn write_test_case(out: &mut Writer<&mut Vec<u8>>, case: &TestCase<'_>) -> std::io::Result<()> {
    let name = replace_invalid(case.name);
    let mut element = out
        .create_element("testcase")
        .with_attributes([("classname", env!("CARGO_PKG_NAME")), ("name", &name)]);
    if case.is_file {
        element = element.with_attribute(("file", &*name));
    }
    if case.failure.is_none() && case.others.is_empty() {
        element.write_empty()?;
        return Ok(());
    }
    element.write_inner_content(|out| {
        if let Some(summary) = case.failure {
            let failure = out.create_element("failure").with_attribute(("message", summary));
            failure.write_text_content(BytesText::new(&replace_invalid(&case.errors)))?;
        }
        if !case.others.is_empty() {
            let others = replace_invalid(&case.others);
            out.create_element("system-out").write_text_content(BytesText::new(&others))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Replaces the characters that XML 1.0 does not have.
fn replace_invalid(text: &str) -> String {
    let is_invalid =
        |it: char| it < ' ' && !matches!(it, '\t' | '\n' | '\r') || matches!(it, '\u{fffe}' | '\u{ffff}');
    text.replace(is_invalid, "\u{fffd}")
}
