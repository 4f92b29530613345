//! What a provider keeps beside the state of an object, unseen by the user.
//!
//! On the wire it is a JSON object of keys and documents, each document in base64, as the Go framework writes
//! it; so an object that one framework made can be kept by the other. Keys that begin with a dot are the
//! framework's own.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferroform_value::{NfcString, Type, Value, json};

use crate::{Context, Diagnostic, Result};

/// The documents by their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Private {
    documents: BTreeMap<NfcString, Vec<u8>>,
}

impl Private {
    /// Reads the bytes of the host. Those of a provider on SDKv2, which are JSON but not in base64, are left
    /// behind: they mean nothing here.
    pub fn decode(bytes: &[u8]) -> Result<Private> {
        if bytes.is_empty() {
            return Ok(Private::default());
        }
        let broken = "Error Decoding Private State";
        let documents = match json::decode(bytes, &Type::map(Type::String)) {
            // So SDKv2 writes that there is nothing.
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
                    tracing::warn!("private data of another framework is left behind");
                    Ok(Private::default())
                }
                _ => Err(Diagnostic::error(broken).detail("It is not a JSON object.").into()),
            };
        };
        for (key, document) in &documents {
            json::implied_type(document).context(broken).map_err(|all| {
                all.into_iter()
                    .map(|it| {
                        let detail = format!("{key:?}: {}", it.detail);
                        it.detail(detail)
                    })
                    .collect::<crate::Diagnostics>()
            })?;
        }
        Ok(Private { documents })
    }

    /// The bytes for the host; none where there is nothing to keep.
    pub fn encode(&self) -> Vec<u8> {
        if self.documents.is_empty() {
            return Vec::new();
        }
        let entries =
            self.documents.iter().map(|(key, it)| (key.clone(), Value::string(STANDARD.encode(it))));
        // A map of strings can always be written.
        json::encode(&Value::map(entries), &Type::map(Type::String)).unwrap_or_default()
    }

    /// The document of that key as a value of the type.
    pub fn get(&self, key: &str, ty: &Type) -> Result<Option<Value>> {
        let Some(document) = self.documents.get(key) else { return Ok(None) };
        let read = json::decode(document, ty);
        read.map(Some).context(format!("Cannot read the private data {key:?}"))
    }

    /// Sets the document of that key.
    pub fn set(&mut self, key: &str, value: &Value, ty: &Type) -> Result<()> {
        if key.starts_with('.') {
            let detail = format!("The key {key:?} begins with a dot, as only the framework's own do.");
            return Err(Diagnostic::error("Restricted Resource Private State Namespace")
                .detail(detail)
                .into());
        }
        let document = json::encode(value, ty).context("Error Encoding Private State")?;
        self.documents.insert(key.into(), document);
        Ok(())
    }

    /// Takes the document of that key away.
    pub fn remove(&mut self, key: &str) {
        self.documents.remove(key);
    }

    /// What is remembered of write-only values, by their places.
    pub fn fingerprints(&self) -> Result<BTreeMap<String, String>> {
        let Some(Value::Map(all)) = self.get(FINGERPRINTS, &Type::map(Type::String))? else {
            return Ok(BTreeMap::new());
        };
        let entries = all.iter().filter_map(|(path, it)| Some((path.to_string(), it.as_str()?.to_owned())));
        Ok(entries.collect())
    }

    /// Remembers these instead.
    pub fn set_fingerprints(&mut self, all: BTreeMap<String, String>) {
        let is_empty = all.is_empty();
        let fingerprints = Value::map(all.into_iter().map(|(path, it)| (path, Value::string(it))));
        // A map of strings can always be written.
        match json::encode(&fingerprints, &Type::map(Type::String)) {
            Ok(document) if !is_empty => drop(self.documents.insert(FINGERPRINTS.into(), document)),
            _ => self.remove(FINGERPRINTS),
        }
    }

    /// Marks an object as just imported; the next read takes the mark away.
    pub fn mark_imported(&mut self) {
        self.documents.insert(IMPORTED.into(), b"true".to_vec());
    }

    /// Takes the mark of an import away, and answers whether it was there.
    pub fn take_imported(&mut self) -> bool {
        self.documents.remove(IMPORTED).is_some()
    }
}

const IMPORTED: &str = ".import_before_read";
const FINGERPRINTS: &str = ".fingerprints";
