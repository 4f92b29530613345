//! The sensitive values that a test has used, to find and redact them in logs and diagnostics.

use std::collections::BTreeMap;

use ferroform::schema::{Block, Member, Nesting};
use ferroform::value::{Path, Step, Value};
use ferroform_engine::redaction;

/// Sensitive strings, each with the attribute path at which it occurred first.
#[derive(Clone, Debug, Default)]
pub(crate) struct SensitiveValues {
    paths: BTreeMap<String, Path>,
}

impl SensitiveValues {
    /// Records the sensitive strings of an object.
    pub(crate) fn record(&mut self, block: &Block, value: &Value) {
        self.block(block, value, &mut Path::ROOT.clone());
    }

    fn block(&mut self, block: &Block, value: &Value, path: &mut Path) {
        let Value::Object(object) = value else { return };
        for member in block.members() {
            let Some(value) = object.get(member.name()) else { continue };
            path.push(Step::Attribute(member.name().clone()));
            match (member, member.nested()) {
                (Member::Attribute(it), _) if it.sensitive || it.write_only => self.strings(value, path),
                (_, Some((nesting, inside))) => self.nested(nesting, inside, value, path),
                (_, None) => {}
            }
            path.pop();
        }
    }

    fn nested(&mut self, nesting: Nesting, block: &Block, value: &Value, path: &mut Path) {
        if nesting == Nesting::Single {
            return self.block(block, value, path);
        }
        for (step, value) in value.children() {
            path.push(step);
            self.block(block, value, path);
            path.pop();
        }
    }

    fn strings(&mut self, value: &Value, path: &Path) {
        value.walk(&mut |inside, it| {
            if let Value::String(text) = it
                && !text.is_empty()
            {
                self.paths.entry(text.to_string()).or_insert_with(|| inside.clone().below(path));
            }
            true
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
