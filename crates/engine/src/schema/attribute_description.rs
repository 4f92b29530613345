//! Descriptions of attributes.
//!
//! The description of an attribute is the doc comment of the field, or else that of its enum, followed by the description of
//! its Rust type and by its default:
//!
//! ```text
//! The size of the machine.
//!
//! One of:
//!
//! - `small`
//! - `large`
//!
//! Defaults to `small`.
//! ```

use super::Attribute;
use super::description::{append_paragraph, append_sentence};

impl Attribute {
    /// The description, followed by the descriptions of the type and of the default.
    pub fn full_description(&self) -> String {
        let mut description = self.description.clone();
        if let Some(it) = self.rust_type {
            let doc = if description.is_empty() { it.type_doc } else { "" };
            for text in [doc, it.type_description].into_iter().filter(|it| !it.is_empty()) {
                append_paragraph(&mut description, text);
            }
        }
        let default = self.behavior().default.as_ref();
        let default = default.filter(|it| !it.is_stated_in(&self.description));
        let sentence =
            default.and_then(|it| it.description(self.description_kind, self.contains_sensitive()));
        if let Some(sentence) = sentence {
            append_sentence(&mut description, &sentence);
        }
        description
    }

    /// True if it has a description of its own, without the descriptions of the type and of the default.
    pub fn has_description(&self) -> bool {
        !self.description.is_empty()
    }

    /// True if it is sensitive, or a nested attribute with a sensitive attribute inside.
    pub fn contains_sensitive(&self) -> bool {
        self.sensitive || self.nested.as_ref().is_some_and(|it| it.block.facts().has_sensitive)
    }
}
