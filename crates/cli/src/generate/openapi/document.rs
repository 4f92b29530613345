//! An OpenAPI document in JSON or YAML, with its references.

use saphyr::{LoadableYamlNode as _, Scalar, Yaml};
use serde_json::Value;

/// The maximum number of references in a row, which ends cycles.
const MAX_DEPTH: usize = 32;

/// A parsed document.
#[derive(Debug)]
pub(super) struct Document {
    root: Value,
}

impl Document {
    /// Parses a document of OpenAPI 3.
    pub(super) fn parse(content: &str) -> Result<Document, String> {
        let root = if content.trim_start().starts_with('{') {
            serde_json::from_str(content).map_err(|error| format!("invalid JSON: {error}"))?
        } else {
            from_yaml(content)?
        };
        match string(&root, "openapi") {
            Some(version) if version.starts_with("3.") => Ok(Document { root }),
            Some(version) => Err(format!("OpenAPI {version} is not supported; expected 3.x")),
            None => Err("expected an OpenAPI document with the field `openapi`".to_owned()),
        }
    }

    /// Returns a field of the document; null if it does not exist.
    pub(super) fn field(&self, name: &str) -> &Value {
        &self.root[name]
    }

    /// Returns the references to other documents, which are not supported.
    pub(super) fn external_references(&self) -> Vec<&str> {
        let (mut found, mut pending) = (Vec::new(), vec![&self.root]);
        while let Some(value) = pending.pop() {
            match value {
                Value::Object(members) => pending.extend(members.values()),
                Value::Array(elements) => pending.extend(elements),
                _ => {}
            }
            found.extend(string(value, "$ref").filter(|it| !it.starts_with('#')));
        }
        found.sort_unstable();
        found
    }

    /// Follows references. Returns the last reference, if there is one, and the object that it refers to.
    pub(super) fn resolve<'d>(&'d self, value: &'d Value) -> (Option<&'d str>, &'d Value) {
        let (mut reference, mut value) = (None, value);
        for _ in 0..MAX_DEPTH {
            let Some(target) = self.target(value) else { break };
            (reference, value) = (string(value, "$ref"), target);
        }
        (reference, value)
    }

    /// Returns the value that a reference refers to; null if it does not exist or is in another document, which is not
    /// supported.
    pub(super) fn target<'d>(&'d self, value: &'d Value) -> Option<&'d Value> {
        let reference = string(value, "$ref")?;
        Some(reference.strip_prefix('#').and_then(|it| self.root.pointer(it)).unwrap_or(&Value::Null))
    }
}

/// Returns a field that is a string.
pub(super) fn string<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str()
}

fn from_yaml(content: &str) -> Result<Value, String> {
    let documents = Yaml::load_from_str(content).map_err(|error| format!("invalid YAML: {error}"))?;
    documents.first().map(json).ok_or_else(|| "the document is empty".to_owned())
}

/// Converts YAML to JSON. Keys that are not strings are converted to strings, such as the status code `200`.
fn json(yaml: &Yaml<'_>) -> Value {
    match yaml {
        Yaml::Value(scalar) => scalar_json(scalar),
        Yaml::Sequence(elements) => elements.iter().map(json).collect(),
        Yaml::Mapping(entries) => {
            let entry = |(key, value): (&Yaml<'_>, &Yaml<'_>)| {
                let key = match json(key) {
                    Value::String(key) => key,
                    other => other.to_string(),
                };
                (key, json(value))
            };
            Value::Object(entries.iter().map(entry).collect())
        }
        Yaml::Tagged(_, value) => json(value),
        Yaml::Representation(content, ..) => Value::String(content.to_string()),
        Yaml::Alias(_) | Yaml::BadValue => Value::Null,
    }
}

fn scalar_json(scalar: &Scalar<'_>) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Boolean(it) => Value::Bool(*it),
        Scalar::Integer(it) => Value::from(*it),
        Scalar::FloatingPoint(it) => serde_json::Number::from_f64(**it).map_or(Value::Null, Value::Number),
        Scalar::String(it) => Value::String(it.to_string()),
    }
}
