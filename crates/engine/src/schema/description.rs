//! Descriptions, and how they are meant.

use super::{Attribute, Block};

/// How a description is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DescriptionKind {
    /// As Markdown.
    #[default]
    Markdown,
    /// As it stands.
    Plain,
}

impl Attribute {
    /// Says what it is for, in plain text: what looks like Markdown is none.
    #[must_use]
    pub fn plain_description(self, text: impl Into<String>) -> Attribute {
        let mut made = self.description(text);
        made.description_kind = DescriptionKind::Plain;
        made
    }
}

impl Block {
    /// Says what it is for, in plain text: what looks like Markdown is none.
    #[must_use]
    pub fn plain_description(self, text: impl Into<String>) -> Block {
        let mut made = self.description(text);
        made.description_kind = DescriptionKind::Plain;
        made
    }
}
