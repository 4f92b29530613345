//! What a provider keeps beside the state of an object, unseen by the user.
//!
//! On the wire it is a JSON object of keys and documents, each document in base64, as the Go framework writes
//! it; so an object that one framework made can be kept by the other. Keys that begin with a dot are the
//! framework's own.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferroform_value::{Type, Value, json};

use crate::{Attr, Context, Diagnostic, Result};

/// The documents by their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Private {
    documents: BTreeMap<Arc<str>, Vec<u8>>,
}

impl Private {
    /// Reads the bytes of the host. Those of a provider on SDKv2, which are JSON but not in base64, are left
    /// behind: they mean nothing here.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Private> {
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
    pub(crate) fn encode(&self) -> Vec<u8> {
        if self.documents.is_empty() {
            return Vec::new();
        }
        let entries =
            self.documents.iter().map(|(key, it)| (key.clone(), Value::string(STANDARD.encode(it))));
        // A map of strings can always be written.
        json::encode(&Value::map(entries), &Type::map(Type::String)).unwrap_or_default()
    }

    /// The document of that key as a `T`.
    pub(crate) fn get<T: Attr>(&self, key: &str) -> Result<Option<T>> {
        let Some(document) = self.documents.get(key) else { return Ok(None) };
        let read = json::decode(document, &T::ty()).and_then(|it| T::from_value(&it));
        read.map(Some).context(format!("Cannot read the private data {key:?}"))
    }

    /// Sets the document of that key.
    pub(crate) fn set<T: Attr>(&mut self, key: &str, value: &T) -> Result<()> {
        if key.starts_with('.') {
            let detail = format!("The key {key:?} begins with a dot, as only the framework's own do.");
            return Err(Diagnostic::error("Restricted Resource Private State Namespace")
                .detail(detail)
                .into());
        }
        let document = json::encode(&value.to_value(), &T::ty()).context("Error Encoding Private State")?;
        self.documents.insert(key.into(), document);
        Ok(())
    }

    /// Takes the document of that key away.
    pub(crate) fn remove(&mut self, key: &str) {
        self.documents.remove(key);
    }

    /// What is remembered of write-only values, by their places.
    pub(crate) fn fingerprints(&self) -> Result<BTreeMap<String, String>> {
        Ok(self.get(FINGERPRINTS)?.unwrap_or_default())
    }

    /// Remembers these instead.
    pub(crate) fn set_fingerprints(&mut self, all: BTreeMap<String, String>) {
        // A map of strings can always be written.
        match json::encode(&all.to_value(), &Type::map(Type::String)) {
            Ok(document) if !all.is_empty() => drop(self.documents.insert(FINGERPRINTS.into(), document)),
            _ => self.remove(FINGERPRINTS),
        }
    }

    /// Marks an object as just imported; the next read takes the mark away.
    pub(crate) fn mark_imported(&mut self) {
        self.documents.insert(IMPORTED.into(), b"true".to_vec());
    }

    /// Takes the mark of an import away, and answers whether it was there.
    pub(crate) fn take_imported(&mut self) -> bool {
        self.documents.remove(IMPORTED).is_some()
    }
}

const IMPORTED: &str = ".import_before_read";
const FINGERPRINTS: &str = ".fingerprints";
