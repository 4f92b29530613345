//! The format of descriptions, and how sentences and paragraphs are appended to them.

use ferroform_value::Value;

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

/// The sentences of a description. A paragraph and an item of a list end a sentence, a line does not.
pub(super) fn sentences(description: &str) -> Vec<String> {
    let parts = description.split("\n\n").flat_map(|it| it.split("\n- "));
    let sentences = |it: &str| it.replace('\n', " ").split(". ").map(str::to_owned).collect::<Vec<_>>();
    parts.flat_map(sentences).collect()
}
