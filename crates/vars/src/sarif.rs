//! SARIF 2.1.0, as GitHub code scanning requires it.
//!
//! The identifier of a rule is the summary of its diagnostics in kebab case: `Invalid value for variable` is
//! `invalid-value-for-variable`.
//!
//! GitHub rejects results without a location. If a diagnostic does not refer to a file, its location is the start of the
//! first file of the module, and the message starts with the name of its source: `-var size:1:1: …`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::diagnostic::Severity;
use crate::redacted_diagnostic::RedactedDiagnostic;
use crate::report::Report;

/// Returns a log with one run.
pub(crate) fn format_report(report: &Report) -> String {
    let first_file = report.sources.iter().find(|it| it.is_file).map_or(".", |it| &it.name);
    let mut rules = BTreeMap::new();
    let mut results = Vec::new();
    for diagnostic in report.redacted_diagnostics() {
        let id = to_rule_id(diagnostic.summary);
        results.push(encode_result(&diagnostic, &id, first_file));
        rules.insert(id, diagnostic.summary);
    }
    let rules: Vec<Value> = rules.into_iter().map(|(id, summary)| encode_rule(&id, summary)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": env!("CARGO_PKG_NAME"),
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules,
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn encode_rule(id: &str, summary: &str) -> Value {
    let text = json!({ "text": summary });
    json!({ "id": id, "shortDescription": text, "fullDescription": text, "help": text })
}

fn encode_result(diagnostic: &RedactedDiagnostic<'_>, rule_id: &str, first_file: &str) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let (file, region) = match diagnostic.file_range() {
        Some((range, file)) => {
            let [(start_line, start_column), (end_line, end_column)] = range.code_points();
            let region = json!({
                "startLine": start_line, "startColumn": start_column, "endLine": end_line, "endColumn": end_column,
            });
            (file, region)
        }
        None => (first_file, json!({ "startLine": 1 })),
    };
    json!({
        "ruleId": rule_id,
        "level": level,
        "message": { "text": diagnostic.message_with_source() },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": to_uri(file) }, "region": region } }],
    })
}

/// Returns the words of a summary in kebab case.
fn to_rule_id(summary: &str) -> String {
    let words = summary.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| !it.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

/// Returns the URI of a path. A relative path results in a relative reference.
fn to_uri(path: &str) -> String {
    use std::fmt::Write as _;
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let mut uri = match (path.starts_with('/'), path.as_bytes().get(1) == Some(&b':')) {
        (true, _) => "file://".to_owned(),
        (_, true) if cfg!(windows) => "file:///".to_owned(),
        _ => String::new(),
    };
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => uri.push(byte.into()),
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_ids_are_kebab_case() {
        assert_eq!(to_rule_id("Can't override validation blocks"), "can-t-override-validation-blocks");
    }

    #[test]
    fn uris_are_percent_encoded() {
        assert_eq!(to_uri("../live/a b#é.tfvars"), "../live/a%20b%23%C3%A9.tfvars");
        assert_eq!(to_uri("a:b.tf"), "a%3Ab.tf");
        assert_eq!(to_uri("/tmp/main.tf"), "file:///tmp/main.tf");
    }
}
