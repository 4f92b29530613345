//! Private state: data that a provider stores with an object and that Terraform never shows.
//!
//! On the wire, private state is a JSON object of keys and documents. Each document is JSON, encoded in base64, as in
//! the Go framework, so that a provider can be ported without losing its private state. Keys that begin with a dot are
//! reserved for the framework.
//!
//! Example: the key `etag` with the document `"abc"` is stored as `{"etag":"ImFiYyI="}`.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferroform_value::{NfcString, Type, Value, json};

use crate::{Context, Diagnostic, Diagnostics, Result};

/// The documents by their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Private {
    documents: BTreeMap<NfcString, Vec<u8>>,
}

const DECODING_ERROR: &str = "Error Decoding Private State";

/// Marks an object as imported: the next read finds out whether it exists. The same key as in the Go framework.
const IMPORTED: &str = ".import_before_read";
/// The fingerprints of write-only values.
const FINGERPRINTS: &str = ".fingerprints";

impl Private {
    /// Decodes private state as Terraform sends it. Private state of a provider built with SDKv2 is JSON without
    /// base64; it has no meaning for this framework, so it is dropped with a warning in the log.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a JSON object, or if a document is not JSON.
    pub fn decode(bytes: &[u8]) -> Result<Private> {
        if bytes.is_empty() {
            return Ok(Private::default());
        }
        let documents = match json::decode(bytes, &Type::map(Type::String)) {
            // SDKv2 stores `null` if there is no private state.
            Ok(Value::Null) => Some(BTreeMap::new()),
            Ok(Value::Map(entries)) => entries
                .iter()
                .map(|(key, it)| Some((key.clone(), STANDARD.decode(it.as_str()?).ok()?)))
                .collect::<Option<BTreeMap<_, _>>>(),
            _ => None,
        };
        let Some(documents) = documents else {
            return match json::implied_type(bytes) {
                Ok(Type::Object(_)) => {
                    tracing::warn!("dropping private state that another framework has written");
                    Ok(Private::default())
                }
                _ => Err(Diagnostic::error(DECODING_ERROR)
                    .detail("The private state is not a JSON object.")
                    .into()),
            };
        };
        for (key, document) in &documents {
            json::implied_type(document).context(DECODING_ERROR).map_err(|errors| with_key(key, errors))?;
        }
        Ok(Private { documents })
    }

    /// Encodes private state for Terraform; empty if there is none.
    pub fn encode(&self) -> Vec<u8> {
        if self.documents.is_empty() {
            return Vec::new();
        }
        let entries =
            self.documents.iter().map(|(key, it)| (key.clone(), Value::string(STANDARD.encode(it))));
        // A map of strings can always be encoded.
        json::encode(&Value::map(entries), &Type::map(Type::String)).unwrap_or_default()
    }

    /// The document of the key as a value of the type; `None` if there is no such document.
    ///
    /// # Errors
    ///
    /// Returns an error if the document is not of the type.
    pub fn get(&self, key: &str, ty: &Type) -> Result<Option<Value>> {
        let Some(document) = self.documents.get(key) else { return Ok(None) };
        json::decode(document, ty).map(Some).context(format!("Cannot Read the Private State {key:?}"))
    }

    /// Sets the document of the key.
    ///
    /// # Errors
    ///
    /// Returns an error if the key begins with a dot, or if the value is not of the type.
    pub fn set(&mut self, key: &str, value: &Value, ty: &Type) -> Result<()> {
        if key.starts_with('.') {
            let detail =
                format!("The key {key:?} begins with a dot. Such keys are reserved for the framework.");
            return Err(Diagnostic::error("Restricted Resource Private State Namespace")
                .detail(detail)
                .into());
        }
        let document = json::encode(value, ty).context("Error Encoding Private State")?;
        self.documents.insert(key.into(), document);
        Ok(())
    }

    /// Removes the document of the key.
    pub fn remove(&mut self, key: &str) {
        self.documents.remove(key);
    }

    /// The fingerprints of write-only values, by attribute path.
    ///
    /// # Errors
    ///
    /// Returns an error if the document is not a map of strings.
    pub fn fingerprints(&self) -> Result<BTreeMap<String, String>> {
        let Some(Value::Map(all)) = self.get(FINGERPRINTS, &Type::map(Type::String))? else {
            return Ok(BTreeMap::new());
        };
        let entries = all.iter().filter_map(|(path, it)| Some((path.to_string(), it.as_str()?.to_owned())));
        Ok(entries.collect())
    }

    /// Replaces the fingerprints of write-only values.
    pub fn set_fingerprints(&mut self, all: BTreeMap<String, String>) {
        let is_empty = all.is_empty();
        let fingerprints = Value::map(all.into_iter().map(|(path, it)| (path, Value::string(it))));
        // A map of strings can always be encoded.
        match json::encode(&fingerprints, &Type::map(Type::String)) {
            Ok(document) if !is_empty => drop(self.documents.insert(FINGERPRINTS.into(), document)),
            _ => self.remove(FINGERPRINTS),
        }
    }

    /// Marks the object as imported. The next read removes the mark.
    pub fn mark_imported(&mut self) {
        self.documents.insert(IMPORTED.into(), b"true".to_vec());
    }

    /// Removes the mark of an import. Returns true if the object had it.
    pub fn take_imported(&mut self) -> bool {
        self.documents.remove(IMPORTED).is_some()
    }
}

/// The errors about one document, with its key.
fn with_key(key: &str, errors: Diagnostics) -> Diagnostics {
    let with_key = |error: Diagnostic| {
        let detail = format!("{key:?}: {}", error.detail);
        error.detail(detail)
    };
    errors.into_iter().map(with_key).collect()
}
