//! The sensitive values that a test has used, to find and redact them in logs and diagnostics.

use std::collections::BTreeMap;

use ferroform::schema::Block;
use ferroform::value::{Path, Value};
use ferroform_engine::redaction;

/// Sensitive values as a message would contain them, each with the attribute path at which it occurred first.
#[derive(Clone, Debug, Default)]
pub(crate) struct SensitiveValues {
    paths: BTreeMap<String, Path>,
}

impl SensitiveValues {
    /// Records the sensitive values of an object.
    pub(crate) fn record(&mut self, block: &Block, value: &Value) {
        redaction::visit_sensitive(block, value, &mut |path, text| {
            self.paths.entry(text).or_insert_with(|| path.clone());
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

#[cfg(test)]
mod tests {
    use ferroform::schema::Attribute;
    use ferroform::value::Type;

    use super::*;

    #[test]
    fn sensitive_numbers_are_found_with_their_path() {
        let block = Block::new().attribute(Attribute::raw("pin", Type::Number).sensitive());
        let mut values = SensitiveValues::default();
        values.record(&block, &Value::Object([("pin".into(), Value::from(987_654))].into_iter().collect()));
        assert_eq!(values.find_in("signing in with 987654"), Some(&Path::attribute("pin")));
        assert_eq!(values.redact("signing in with 987654"), "signing in with (sensitive value)");
        assert_eq!(values.find_in("signing in"), None);
    }
}
