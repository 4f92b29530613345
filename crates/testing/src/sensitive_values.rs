//! The sensitive values that a test has used, to find and redact them in logs and diagnostics.

use std::collections::BTreeMap;

use ferroform::schema::Block;
use ferroform::value::{Path, Value};
use ferroform_engine::redaction;

/// Sensitive strings, each with the attribute path at which it occurred first.
#[derive(Clone, Debug, Default)]
pub(crate) struct SensitiveValues {
    paths: BTreeMap<String, Path>,
}

impl SensitiveValues {
    /// Records the sensitive strings of an object. Numbers are not recorded: a message about another attribute can
    /// contain the same number.
    pub(crate) fn record(&mut self, block: &Block, value: &Value) {
        redaction::visit_sensitive(block, value, &mut |path, it| {
            if let Value::String(text) = it
                && !text.is_empty()
            {
                self.paths.entry(text.to_string()).or_insert_with(|| path.clone());
            }
        });
    }

    /// Returns the path of a sensitive value that the text contains in a form that the engine masks, for example in base64.
    pub(crate) fn find_in(&self, text: &str) -> Option<&Path> {
        if self.redact(text) == text {
            return None;
        }
        let contains = |secret: &String| redaction::mask_values([secret], text) != text;
        self.paths.iter().find(|(secret, _)| contains(secret)).map(|(_, path)| path)
    }

    /// Replaces every sensitive value in the text.
    pub(crate) fn redact(&self, text: &str) -> String {
        redaction::mask_values(self.paths.keys(), text)
    }
}
