//! The strings of objects, in two groups: sensitive strings, and visible strings, which a message may contain.
//!
//! A short secret can be part of a name. If the name is a value that is not sensitive, the message may contain the name, and
//! so the secret inside it: a mask would obscure the name, and would reveal that it contains the secret.
//!
//! ```text
//! configuration  { name = "guest-queue", password = "guest" }
//! message        no queue guest-queue for guest
//! masked         no queue guest-queue for (sensitive value)
//! ```
//!
//! An occurrence of a secret is not masked if it is inside an occurrence of a longer visible value, in the same or in different
//! forms. The visible values are searched only in messages that contain a secret.

use std::sync::OnceLock;

use ferroform_value::{NfcString, Path, Value};

use super::decoded_forms::DecodedForms;
use super::sensitive_string::SensitiveStrings;
use crate::schema::Block;

/// The strings, numbers and map keys of objects, as a message would contain them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectStrings {
    sensitive: Vec<NfcString>,
    visible: Vec<NfcString>,
    /// The sensitive strings, prepared for the search when the first message is masked.
    prepared: OnceLock<SensitiveStrings>,
}

impl ObjectStrings {
    /// No strings.
    pub(crate) const fn none() -> ObjectStrings {
        ObjectStrings { sensitive: Vec::new(), visible: Vec::new(), prepared: OnceLock::new() }
    }

    pub(crate) fn sensitive(strings: impl IntoIterator<Item = NfcString>) -> ObjectStrings {
        ObjectStrings { sensitive: strings.into_iter().collect(), ..ObjectStrings::none() }
    }

    pub(crate) fn visible(strings: impl IntoIterator<Item = NfcString>) -> ObjectStrings {
        ObjectStrings { visible: strings.into_iter().collect(), ..ObjectStrings::none() }
    }

    /// Adds all strings of a sensitive value.
    pub(crate) fn add_sensitive_value(&mut self, value: &Value) {
        value.walk(&mut |_, it| {
            collect_strings(it, &mut self.sensitive);
            true
        });
    }

    /// Adds all strings of a value that is not sensitive.
    pub(super) fn add_visible_value(&mut self, value: &Value) {
        value.walk(&mut |_, it| {
            collect_strings(it, &mut self.visible);
            true
        });
    }

    /// Adds the strings of an object's sensitive attributes.
    pub(super) fn add_sensitive(&mut self, block: &Block, object: &Value) {
        visit_sensitive(block, object, &mut |_, it| collect_strings(it, &mut self.sensitive));
    }

    /// Adds the strings of an object's other attributes.
    pub(super) fn add_visible(&mut self, block: &Block, object: &Value) {
        visit_visible(block, object, &mut |it| collect_strings(it, &mut self.visible));
    }

    pub(super) fn extend(&mut self, other: &ObjectStrings) {
        if other.has_sensitive() {
            self.prepared.take();
        }
        self.sensitive.extend_from_slice(&other.sensitive);
        self.visible.extend_from_slice(&other.visible);
    }

    pub(super) fn has_sensitive(&self) -> bool {
        !self.sensitive.is_empty()
    }

    /// The sensitive strings.
    pub(crate) fn sensitive_strings(&self) -> &[NfcString] {
        &self.sensitive
    }

    pub(super) fn prepared(&self) -> &SensitiveStrings {
        self.prepared.get_or_init(|| SensitiveStrings::new(self.sensitive.iter().map(NfcString::as_str)))
    }

    /// The visible strings of at most this length that contain one of the sensitive strings.
    pub(super) fn containing(
        &self,
        sensitive: &[&SensitiveStrings],
        max_length: usize,
    ) -> impl Iterator<Item = &NfcString> {
        let contains = |it: &NfcString| {
            let forms = DecodedForms::without_ranges(it);
            sensitive.iter().any(|sensitive| sensitive.may_occur(&forms))
        };
        self.visible.iter().filter(move |it| it.len() <= max_length && contains(it))
    }
}

/// Calls a function for each value inside the sensitive attributes of an object, with its path.
pub fn visit_sensitive(block: &Block, object: &Value, visit: &mut dyn FnMut(&Path, &Value)) {
    if !block.facts().has_sensitive {
        return;
    }
    block.walk(object, &mut |path, member, value| {
        if member.is_masked() {
            value.walk(&mut |inside, it| {
                visit(&inside.clone().below(path), it);
                true
            });
        }
        !member.is_masked() && member.nested().is_some_and(|(_, it)| it.facts().has_sensitive)
    });
}

/// Calls a function for each value in the attributes of an object that are not sensitive.
pub fn visit_visible(block: &Block, object: &Value, visit: &mut dyn FnMut(&Value)) {
    block.walk(object, &mut |_, member, value| {
        if member.is_masked() {
            return false;
        }
        let is_nested = member.nested().is_some();
        value.walk(&mut |_, it| {
            visit(it);
            // The elements are objects of a nested block.
            !is_nested
        });
        is_nested
    });
}

/// Calls a function for the names of attributes and blocks, at every depth.
pub fn visit_names(block: &Block, visit: &mut dyn FnMut(&str)) {
    for member in block.members() {
        visit(member.name());
        member.nested().into_iter().for_each(|(_, inside)| visit_names(inside, visit));
    }
}

/// Adds the string, the number or the keys of the map.
fn collect_strings(value: &Value, all: &mut Vec<NfcString>) {
    match value {
        Value::String(it) if !it.is_empty() => all.push(it.clone()),
        Value::Number(it) => all.push(NfcString::new(it.to_string())),
        Value::Map(it) => all.extend(it.keys().filter(|it| !it.is_empty()).cloned()),
        _ => {}
    }
}
