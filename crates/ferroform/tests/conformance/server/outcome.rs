//! Compares the result of an RPC with the expectation of a case.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferroform::schema::{Block, Schema};
use ferroform::value::{Path, Type, Value};
use ferroform::{Diagnostic, Diagnostics, Severity};
use ferroform_engine::diagnostic_path;
use serde_json::{Map, Value as Json};

use crate::common::{expected_path, path_text, same, value};
use crate::server::shown;

pub struct Outcome {
    name: &'static str,
    pub value: Option<Value>,
    private: Vec<u8>,
    pub replace: Option<Vec<Path>>,
    schema: Option<Json>,
    pub diagnostics: Diagnostics,
}

/// A diagnostic as far as it binds: severity, place, summary.
pub type Said = (&'static str, String, String);

/// What is another than the case expects.
#[derive(Default)]
pub struct Differences {
    /// What only we say, and what only the case says.
    pub said: Option<(Vec<Said>, Vec<Said>)>,
    /// The planned object or the state: ours and that of the case.
    pub value: Option<(Value, Value)>,
    pub private: Option<(Json, Json)>,
    /// The places because of which a new object is needed.
    pub replaces: Option<(Vec<String>, Vec<String>)>,
    pub schema: Option<(Json, Json)>,
}

impl Differences {
    /// How many of the five there are.
    pub fn count(&self) -> usize {
        [
            self.said.is_some(),
            self.value.is_some(),
            self.private.is_some(),
            self.replaces.is_some(),
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
        Outcome { schema: Some(shown::schema(schema)), ..self }
    }

    pub fn check(self, expected: &Json, block: &Block) -> Result<(), String> {
        let it = self.differences(expected, block)?;
        let mut why = Vec::new();
        if let Some((given, wanted)) = it.said {
            let details: Vec<String> = self.diagnostics.iter().map(ToString::to_string).collect();
            why.push(format!("said {given:?}, expected {wanted:?}\n    {}", details.join("\n    ")));
        }
        if let Some((given, wanted)) = it.value {
            why.push(format!("{}: {given:?}\n    expected {wanted:?}", self.name));
        }
        if let Some((given, wanted)) = it.private {
            why.push(format!("keeps {given}, expected {wanted}"));
        }
        if let Some((given, wanted)) = it.replaces {
            why.push(format!("replaces {given:?}, expected {wanted:?}"));
        }
        if let Some((given, wanted)) = it.schema {
            why.push(format!("describes {given}\n    expected {wanted}"));
        }
        if why.is_empty() { Ok(()) } else { Err(why.join("\n    ")) }
    }

    /// Where it is another than the case expects. Where one fails, nothing but a state that is kept counts besides
    /// what is said.
    pub fn differences(&self, expected: &Json, block: &Block) -> Result<Differences, String> {
        let mut found = Differences::default();
        if expected.get("panic").is_some() {
            return Ok(found);
        }
        let said = self.said(expected, block);
        if !(said.0.is_empty() && said.1.is_empty()) {
            found.said = Some(said);
        }
        let failed = self.diagnostics.has_error();
        let should_fail = expected["diagnostics"].as_array().into_iter().flatten();
        let should_fail = should_fail.into_iter().any(|it| it["severity"] == "error");
        if let Some(given) = &self.schema {
            let wanted = &expected["schema"];
            found.schema =
                (!failed && !should_fail && given != wanted).then(|| (given.clone(), wanted.clone()));
            return Ok(found);
        }
        let ty = block.ty();
        let of = match self.name {
            "imported" => &expected["imported"][0],
            _ => expected,
        };
        let member = if self.name == "imported" { "state" } else { self.name };
        if self.name.is_empty() || failed && (self.name == "imported" || of.get(member).is_none()) {
            return Ok(found);
        }
        let (given, wanted) = (self.value.clone().unwrap_or(Value::Null), wanted(&of[member], &ty)?);
        found.value = (!same(&given, &wanted)).then_some((given, wanted));
        if failed || should_fail {
            return Ok(found);
        }
        if of.get("private").is_some() {
            let (given, wanted) = (private_json(&self.private), of["private"].clone());
            found.private = (given != wanted).then_some((given, wanted));
        }
        if let Some(replace) = &self.replace {
            let sorted = |mut all: Vec<String>| {
                all.sort();
                all
            };
            let places = expected["requires_replace"].as_array().into_iter().flatten();
            let given = sorted(replace.iter().map(cut).collect());
            let wanted = sorted(places.map(cut_expected).collect());
            found.replaces = (given != wanted).then_some((given, wanted));
        }
        Ok(found)
    }

    /// What only we say, and what only the case says: bags of severity, place and summary. A place is as it goes over
    /// the wire, where Terraform would not find the one inside.
    fn said(&self, expected: &Json, block: &Block) -> (Vec<Said>, Vec<Said>) {
        let one = |it: &Diagnostic| -> Said {
            let severity = if it.severity == Severity::Error { "error" } else { "warning" };
            (severity, it.path.as_ref().map(path_text).unwrap_or_default(), it.summary.clone())
        };
        let wanted = |it: &Json| {
            let severity = if it["severity"] == "error" { "error" } else { "warning" };
            let place = it.get("path").map(expected_path).unwrap_or_default();
            (severity, place, it["summary"].as_str().unwrap().to_owned())
        };
        let mut all: Vec<Said> =
            expected["diagnostics"].as_array().into_iter().flatten().map(wanted).collect();
        let mut take = |it: &Said| all.iter().position(|other| other == it).map(|at| all.swap_remove(at));
        let mut given: Vec<&Diagnostic> = self.diagnostics.iter().collect();
        given.retain(|it| take(&one(it)).is_none());
        given.retain(|it| {
            let sent: Diagnostics = diagnostic_path::for_configuration(block, (*it).clone().into());
            sent.iter().all(|it| take(&one(it)).is_none())
        });
        let given = given.into_iter().map(one).collect();
        (given, all)
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

fn cut_expected(path: &Json) -> String {
    let steps = path.as_array().into_iter().flatten().take_while(|it| it.get("elem").is_none());
    expected_path(&steps.cloned().collect())
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
