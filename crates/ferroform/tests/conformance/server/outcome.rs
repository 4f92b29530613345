//! Compares the result of an RPC with the expectation of a case.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferroform::schema::{Block, Schema};
use ferroform::value::{Path, Type, Value};
use ferroform::{Diagnostic, Diagnostics, Severity};
use ferroform_engine::diagnostic_path;
use ferroform_engine::validator::is_conversion_error;
use serde_json::{Map, Value as Json};

use crate::common::{expected_path, path_string, same, value};
use crate::server::schema_json;

pub struct Outcome {
    name: &'static str,
    pub value: Option<Value>,
    private: Vec<u8>,
    pub replace: Option<Vec<Path>>,
    schema: Option<Json>,
    pub diagnostics: Diagnostics,
}

/// The parts of a diagnostic that the recorded cases fix: severity, attribute path and summary.
pub type ReportedDiagnostic = (&'static str, String, String);

/// The differences between the result of an RPC and the expectation of a case.
#[derive(Default)]
pub struct Differences {
    /// The diagnostics that only Ferroform returns, and those that only the case expects.
    pub diagnostics: Option<(Vec<ReportedDiagnostic>, Vec<ReportedDiagnostic>)>,
    /// The planned object or the new state: Ferroform's value and the expected one.
    pub value: Option<(Value, Value)>,
    pub private: Option<(Json, Json)>,
    /// The attribute paths that require replacement: Ferroform's and the expected ones.
    pub requires_replace: Option<(Vec<String>, Vec<String>)>,
    pub schema: Option<(Json, Json)>,
}

impl Differences {
    /// Returns the number of members that differ.
    pub fn count(&self) -> usize {
        [
            self.diagnostics.is_some(),
            self.value.is_some(),
            self.private.is_some(),
            self.requires_replace.is_some(),
            self.schema.is_some(),
        ]
        .into_iter()
        .filter(|it| *it)
        .count()
    }
}

impl Outcome {
    pub fn new(name: &'static str, value: Option<Value>, diagnostics: Diagnostics) -> Outcome {
        Outcome { name, value, private: Vec::new(), replace: None, schema: None, diagnostics }
    }

    pub fn private(self, private: Vec<u8>) -> Outcome {
        Outcome { private, ..self }
    }

    pub fn replace(self, replace: Vec<Path>) -> Outcome {
        Outcome { replace: Some(replace), ..self }
    }

    pub fn schema(self, schema: &Schema) -> Outcome {
        Outcome { schema: Some(schema_json::schema(schema)), ..self }
    }

    pub fn check(self, expectation: &Json, block: &Block) -> Result<(), String> {
        let differences = self.differences(expectation, block)?;
        let mut reasons = Vec::new();
        if let Some((actual, expected)) = differences.diagnostics {
            let details: Vec<String> = self.diagnostics.iter().map(ToString::to_string).collect();
            reasons.push(format!(
                "diagnostics {actual:?}, expected {expected:?}\n    {}",
                details.join("\n    ")
            ));
        }
        if let Some((actual, expected)) = differences.value {
            reasons.push(format!("{}: {actual:?}\n    expected {expected:?}", self.name));
        }
        if let Some((actual, expected)) = differences.private {
            reasons.push(format!("private state {actual}, expected {expected}"));
        }
        if let Some((actual, expected)) = differences.requires_replace {
            reasons.push(format!("requires replacement of {actual:?}, expected {expected:?}"));
        }
        if let Some((actual, expected)) = differences.schema {
            reasons.push(format!("schema {actual}\n    expected {expected}"));
        }
        if reasons.is_empty() { Ok(()) } else { Err(reasons.join("\n    ")) }
    }

    /// Returns the differences from the expectation of a case. If either side returns an error, only the diagnostics
    /// and a stored state are compared.
    pub fn differences(&self, expectation: &Json, block: &Block) -> Result<Differences, String> {
        let mut found = Differences::default();
        if expectation.get("panic").is_some() {
            return Ok(found);
        }
        let (unexpected, missing) = self.unmatched_diagnostics(expectation, block);
        if !(unexpected.is_empty() && missing.is_empty()) {
            found.diagnostics = Some((unexpected, missing));
        }
        let failed = self.diagnostics.has_error();
        let should_fail = expectation["diagnostics"].as_array().into_iter().flatten();
        let should_fail = should_fail.into_iter().any(|it| it["severity"] == "error");
        if let Some(actual) = &self.schema {
            let expected = without_zero_limits(&expectation["schema"]);
            found.schema =
                (!failed && !should_fail && *actual != expected).then(|| (actual.clone(), expected));
            return Ok(found);
        }
        let ty = block.ty();
        let of = match self.name {
            "imported" => &expectation["imported"][0],
            _ => expectation,
        };
        let member = if self.name == "imported" { "state" } else { self.name };
        if self.name.is_empty() || failed && (self.name == "imported" || of.get(member).is_none()) {
            return Ok(found);
        }
        let (actual, expected) =
            (self.value.clone().unwrap_or(Value::Null), expected_value(&of[member], ty)?);
        found.value = (!same(&actual, &expected)).then_some((actual, expected));
        if failed || should_fail {
            return Ok(found);
        }
        if of.get("private").is_some() {
            let (actual, expected) = (private_json(&self.private), of["private"].clone());
            found.private = (actual != expected).then_some((actual, expected));
        }
        if let Some(replace) = &self.replace {
            let sorted = |mut all: Vec<String>| {
                all.sort();
                all
            };
            let paths = expectation["requires_replace"].as_array().into_iter().flatten();
            let actual = sorted(replace.iter().map(wire_path).collect());
            let expected = sorted(paths.map(expected_wire_path).collect());
            found.requires_replace = (actual != expected).then_some((actual, expected));
        }
        Ok(found)
    }

    /// Returns the diagnostics that only Ferroform returns and those that only the case expects. Their order is not
    /// compared. A diagnostic also matches by its path on the wire, which ends before the first step that Terraform
    /// cannot resolve.
    fn unmatched_diagnostics(
        &self,
        expectation: &Json,
        block: &Block,
    ) -> (Vec<ReportedDiagnostic>, Vec<ReportedDiagnostic>) {
        let reported = |it: &Diagnostic| -> ReportedDiagnostic {
            let severity = if it.severity == Severity::Error { "error" } else { "warning" };
            (severity, it.path.as_ref().map(path_string).unwrap_or_default(), go_summary(it).to_owned())
        };
        let recorded = |it: &Json| -> ReportedDiagnostic {
            let severity = if it["severity"] == "error" { "error" } else { "warning" };
            let path = it.get("path").map(expected_path).unwrap_or_default();
            (severity, path, it["summary"].as_str().unwrap().to_owned())
        };
        let mut missing: Vec<ReportedDiagnostic> =
            expectation["diagnostics"].as_array().into_iter().flatten().map(recorded).collect();
        let mut take = |it: &ReportedDiagnostic| {
            missing.iter().position(|other| other == it).map(|at| missing.swap_remove(at))
        };
        let mut unexpected: Vec<&Diagnostic> = self.diagnostics.iter().collect();
        unexpected.retain(|it| take(&reported(it)).is_none());
        unexpected.retain(|it| {
            let sent: Diagnostics = diagnostic_path::for_configuration(block, (*it).clone().into());
            sent.iter().all(|it| take(&reported(it)).is_none())
        });
        let unexpected = unexpected.into_iter().map(reported).collect();
        (unexpected, missing)
    }
}

/// Returns the summary with which the Go framework reports the same kind of problem. It reports a configured value that
/// the type cannot hold as a problem of reading the configuration; Ferroform reports a mistake of the practitioner.
fn go_summary(diagnostic: &Diagnostic) -> &str {
    if is_conversion_error(diagnostic) { "Configuration Read Error" } else { &diagnostic.summary }
}

/// A recorded schema without the limits of blocks that are zero: the Go framework does not send limits to Terraform.
fn without_zero_limits(it: &Json) -> Json {
    let is_zero_limit = |name: &str, it: &Json| {
        matches!(name, "min_items" | "max_items") && (*it == 0 || *it == "0" || it.is_null())
    };
    match it {
        Json::Object(members) => members
            .iter()
            .filter(|(name, it)| !is_zero_limit(name, it))
            .map(|(name, it)| (name.clone(), without_zero_limits(it)))
            .collect(),
        Json::Array(it) => it.iter().map(without_zero_limits).collect(),
        other => other.clone(),
    }
}

fn expected_value(it: &Json, ty: &Type) -> Result<Value, String> {
    if it.is_null() {
        return Ok(Value::Null);
    }
    if it.is_object() {
        value(it, ty).ok_or_else(|| "not UTF-8".into())
    } else {
        Err(format!("not an object: {it}"))
    }
}

/// Returns the path as it is sent over the wire: it ends before the first element of a set.
fn wire_path(path: &Path) -> String {
    let steps = path.steps().iter().take_while(|it| !matches!(it, ferroform::value::Step::Element(_)));
    path_string(&steps.cloned().collect())
}

fn expected_wire_path(path: &Json) -> String {
    let steps = path.as_array().into_iter().flatten().take_while(|it| it.get("elem").is_none());
    expected_path(&steps.cloned().collect())
}

/// Returns private data in the encoding in which Terraform stores it.
pub fn private_bytes(it: &Json) -> Vec<u8> {
    let Some(entries) = it.as_object() else { return Vec::new() };
    let entries: Map<String, Json> = entries
        .iter()
        .map(|(key, json)| (key.clone(), STANDARD.encode(json.as_str().unwrap()).into()))
        .collect();
    Json::from(entries).to_string().into_bytes()
}

fn private_json(bytes: &[u8]) -> Json {
    let Ok(Json::Object(entries)) = serde_json::from_slice(bytes) else { return Json::Null };
    let decoded = |it: &Json| String::from_utf8(STANDARD.decode(it.as_str().unwrap()).unwrap()).unwrap();
    entries.iter().map(|(key, it)| (key.clone(), Json::from(decoded(it)))).collect()
}
