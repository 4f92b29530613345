//! JSON documents that keep their formatting.

use ferroform_value::{Error, Type, Value, json};

use ferroform_engine::type_mismatch::mismatch;

use super::Attr;
use crate::model::view::View;

/// A JSON document in a string. Two documents are equal if they have the same content, regardless of formatting. The
/// string keeps its formatting, and numbers have Terraform's precision.
///
/// To access the content, parse the string: `serde_json::from_str(document.as_str())`. With the feature `json`,
/// `serde_json::Value` is an attribute type itself, for numbers of up to 64 bits.
///
/// ```
/// use ferroform::attr::Json;
/// let document = Json::new("{ \"b\": [1.0], \"a\": null }")?;
/// assert_eq!(document, Json::new("{\"a\":null,\"b\":[1]}")?);
/// assert_eq!(document.as_str(), "{ \"b\": [1.0], \"a\": null }");
/// assert_ne!(Json::new("1")?, Json::new("\"1\"")?);
/// # Ok::<(), ferroform::value::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Json {
    json: String,
    content: Value,
}

impl Json {
    /// Parses a document.
    ///
    /// # Errors
    ///
    /// If the string is not valid JSON.
    pub fn new(json: impl Into<String>) -> Result<Json, Error> {
        let json = json.into();
        let parse = || json::decode(json.as_bytes(), &json::implied_type(json.as_bytes())?);
        match parse() {
            Ok(content) => Ok(Json { json, content }),
            Err(error) => {
                let invalid = Error::invalid_value("a JSON document", format_args!("{json:?}"));
                Err(invalid.with_reason(error).with_summary("Invalid JSON String Value"))
            }
        }
    }

    /// The document with its original formatting.
    pub fn as_str(&self) -> &str {
        &self.json
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Json) -> bool {
        self.content == other.content
    }
}

impl Attr for Json {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        Json::new(value.as_str().ok_or_else(|| mismatch("a JSON document", value))?)
    }

    fn to_value(&self) -> Value {
        self.json.as_str().into()
    }

    fn placeholder() -> Value {
        "null".into()
    }
}
