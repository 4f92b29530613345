//! What came of a call, against what the case expects.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferroform::schema::Block;
use ferroform::value::{Path, Type, Value};
use ferroform::{Diagnostic, Diagnostics, Severity};
use serde_json::{Map, Value as Json};

use crate::common::{expected_path, path_text, same, value};

pub struct Outcome {
    name: &'static str,
    value: Option<Value>,
    private: Vec<u8>,
    replace: Option<Vec<Path>>,
    diagnostics: Diagnostics,
}

impl Outcome {
    pub fn new(name: &'static str, value: Option<Value>, diagnostics: Diagnostics) -> Outcome {
        Outcome { name, value, private: Vec::new(), replace: None, diagnostics }
    }

    pub fn private(self, private: Vec<u8>) -> Outcome {
        Outcome { private, ..self }
    }

    pub fn replace(self, replace: Vec<Path>) -> Outcome {
        Outcome { replace: Some(replace), ..self }
    }

    pub fn check(self, expected: &Json, block: &Block) -> Result<(), String> {
        if expected.get("panic").is_some() {
            return Ok(());
        }
        self.said(expected)?;
        let failed = self.diagnostics.has_error();
        let ty = block.ty();
        if self.name == "imported" && failed {
            return Ok(());
        }
        if self.name == "imported" {
            let imported = &expected["imported"][0];
            self.is(wanted(&imported["state"], &ty)?)?;
            return self.keeps(&imported["private"]);
        }
        if matches!(self.name, "" | "schema") || failed && expected.get(self.name).is_none() {
            return Ok(());
        }
        self.is(wanted(&expected[self.name], &ty)?)?;
        if failed {
            return Ok(());
        }
        if expected.get("private").is_some() {
            self.keeps(&expected["private"])?;
        }
        if let Some(replace) = &self.replace {
            let sorted = |mut all: Vec<String>| {
                all.sort();
                all
            };
            let given = sorted(replace.iter().map(cut).collect());
            let wanted = sorted(
                expected["requires_replace"].as_array().into_iter().flatten().map(expected_path).collect(),
            );
            if given != wanted {
                return Err(format!("replaces {given:?}, expected {wanted:?}"));
            }
        }
        Ok(())
    }

    fn is(&self, wanted: Value) -> Result<(), String> {
        let given = self.value.clone().unwrap_or(Value::Null);
        if same(&given, &wanted) {
            return Ok(());
        }
        Err(format!("{}: {given:?}\n    expected {wanted:?}", self.name))
    }

    fn keeps(&self, wanted: &Json) -> Result<(), String> {
        let given = private_json(&self.private);
        if given == *wanted { Ok(()) } else { Err(format!("keeps {given}, expected {wanted}")) }
    }

    /// Diagnostics are a bag of severity, place and summary.
    fn said(&self, expected: &Json) -> Result<(), String> {
        let one = |it: &Diagnostic| {
            let severity = if it.severity == Severity::Error { "error" } else { "warning" };
            let place = it.path.as_ref().map(path_text).unwrap_or_default();
            format!("{severity} {place} {}", it.summary)
        };
        let wanted = |it: &Json| {
            let place = it.get("path").map(expected_path).unwrap_or_default();
            format!("{} {place} {}", it["severity"].as_str().unwrap(), it["summary"].as_str().unwrap())
        };
        let mut given: Vec<String> = self.diagnostics.iter().map(one).collect();
        let mut all: Vec<String> =
            expected["diagnostics"].as_array().into_iter().flatten().map(wanted).collect();
        given.sort();
        all.sort();
        if given == all {
            return Ok(());
        }
        let details: Vec<String> = self.diagnostics.iter().map(ToString::to_string).collect();
        Err(format!("said {given:?}, expected {all:?}\n    {}", details.join("\n    ")))
    }
}

fn wanted(it: &Json, ty: &Type) -> Result<Value, String> {
    if it.is_null() {
        return Ok(Value::Null);
    }
    if it.is_object() {
        value(it, ty).ok_or_else(|| "not UTF-8".into())
    } else {
        Err(format!("an odd value: {it}"))
    }
}

/// A path as it goes over the wire: cut before an element of a set.
fn cut(path: &Path) -> String {
    let steps = path.steps().iter().take_while(|it| !matches!(it, ferroform::value::Step::Element(_)));
    path_text(&steps.cloned().collect())
}

/// Private data as the host keeps it.
pub fn private_bytes(it: &Json) -> Vec<u8> {
    let Some(entries) = it.as_object() else { return Vec::new() };
    let entries: Map<String, Json> = entries
        .iter()
        .map(|(key, text)| (key.clone(), STANDARD.encode(text.as_str().unwrap()).into()))
        .collect();
    Json::from(entries).to_string().into_bytes()
}

fn private_json(bytes: &[u8]) -> Json {
    let Ok(Json::Object(entries)) = serde_json::from_slice(bytes) else { return Json::Null };
    let text = |it: &Json| String::from_utf8(STANDARD.decode(it.as_str().unwrap()).unwrap()).unwrap();
    entries.iter().map(|(key, it)| (key.clone(), Json::from(text(it)))).collect()
}
