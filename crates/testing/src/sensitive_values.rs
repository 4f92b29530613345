//! The sensitive values that a test has used, to find and redact them in logs and diagnostics.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use ferroform::schema::Block;
use ferroform::value::{NfcString, Path, Value};
use ferroform_engine::redaction::{self, MaskedValues};

/// Sensitive strings, each with the attribute path at which it occurred first.
#[derive(Clone, Debug, Default)]
pub(crate) struct SensitiveValues {
    paths: BTreeMap<String, Path>,
    /// The values that are not sensitive. A message may contain them, with a sensitive string inside.
    visible: BTreeSet<NfcString>,
    /// The strings of `paths`, prepared when the first text is searched.
    prepared: OnceLock<MaskedValues>,
}

impl SensitiveValues {
    /// Records the sensitive strings of an object. Numbers are not recorded: a message about another attribute can
    /// contain the same number.
    pub(crate) fn record(&mut self, block: &Block, value: &Value) {
        redaction::visit_names(block, &mut |it| self.show(it));
        redaction::visit_visible(block, value, &mut |it| {
            if let Value::String(text) = it {
                self.visible.insert(text.clone());
            }
        });
        redaction::visit_sensitive(block, value, &mut |path, it| {
            if let Value::String(text) = it
                && !text.is_empty()
            {
                self.paths.entry(text.to_string()).or_insert_with(|| {
                    self.prepared.take();
                    path.clone()
                });
            }
        });
    }

    /// Records a sensitive string, which is not a value of an object.
    pub(crate) fn hide(&mut self, string: &str, path: Path) {
        self.paths.insert(string.to_owned(), path);
        self.prepared.take();
    }

    /// Records a string that is neither sensitive nor a value of an object, such as an import ID.
    pub(crate) fn show(&mut self, string: &str) {
        self.visible.insert(string.into());
    }

    /// Returns true if the string is the value of an attribute that is not sensitive.
    pub(crate) fn is_visible(&self, string: &str) -> bool {
        self.visible.contains(&NfcString::new(string))
    }

    /// Returns true if there are no sensitive values.
    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Returns the path of a sensitive value that the text contains in a form that the engine masks, for example in base64.
    pub(crate) fn find_in(&self, text: &str) -> Option<&Path> {
        if self.redact(text) == text {
            return None;
        }
        let contains = |secret: &String| MaskedValues::new([&**secret]).mask(&self.visible, text) != text;
        self.paths.iter().find(|(secret, _)| contains(secret)).map(|(_, path)| path)
    }

    /// Replaces every sensitive value in the text.
    pub(crate) fn redact(&self, text: &str) -> String {
        let prepared = self.prepared.get_or_init(|| MaskedValues::new(self.paths.keys().map(String::as_str)));
        prepared.mask(&self.visible, text)
    }
}
