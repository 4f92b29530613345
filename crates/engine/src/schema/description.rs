//! Descriptions of attributes, blocks and schemas.

/// The format of a description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DescriptionKind {
    /// Markdown.
    #[default]
    Markdown,
    /// Plain text.
    Plain,
}
