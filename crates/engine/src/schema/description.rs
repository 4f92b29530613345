//! Descriptions of attributes, blocks and schemas.
//!
//! The description of an attribute is the doc comment of the field, followed by the description of its Rust type and by
//! its default:
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

use ferroform_value::Value;

use super::Attribute;

/// The format of a description.
///
/// The enum is exhaustive: the plugin protocol defines exactly these formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DescriptionKind {
    /// Markdown.
    #[default]
    Markdown,
    /// Plain text.
    Plain,
}

impl DescriptionKind {
    /// The string as code.
    pub(super) fn code(self, string: &str) -> String {
        match self {
            DescriptionKind::Plain => string.to_owned(),
            // In Markdown, two backticks quote a string that contains one.
            DescriptionKind::Markdown if string.contains('`') => format!("`` {string} ``"),
            DescriptionKind::Markdown => format!("`{string}`"),
        }
    }

    /// The value as code. In Markdown, a string has no quotation marks, like the strings of an enum.
    pub(super) fn value(self, value: &Value) -> String {
        match value.without_type() {
            Value::String(it) if self == DescriptionKind::Markdown && is_visible(it) => self.code(it),
            other => self.code(&other.summary()),
        }
    }
}

impl Attribute {
    /// The description, followed by the descriptions of the type and of the default.
    pub fn full_description(&self) -> String {
        let mut description = self.description.clone();
        if let Some(it) = self.rust_type.filter(|it| !it.type_description.is_empty()) {
            append_paragraph(&mut description, it.type_description);
        }
        let default = self.behavior().default.as_ref();
        let default = default.filter(|it| !it.is_stated_in(&self.description, self.description_kind));
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

/// True if a string is legible without quotation marks.
fn is_visible(string: &str) -> bool {
    !string.is_empty() && string.trim() == string && !string.chars().any(char::is_control)
}

/// Appends a paragraph to a description.
pub(super) fn append_paragraph(description: &mut String, paragraph: &str) {
    if !description.is_empty() {
        description.push_str("\n\n");
    }
    description.push_str(paragraph);
}

/// Appends a sentence to the last paragraph of a description, if the description is a single paragraph that ends with a
/// sentence; otherwise, the sentence becomes a paragraph of its own.
pub(super) fn append_sentence(description: &mut String, sentence: &str) {
    if description.ends_with(['.', '!', '?']) && !description.contains('\n') {
        description.push(' ');
        description.push_str(sentence);
    } else {
        append_paragraph(description, sentence);
    }
}
