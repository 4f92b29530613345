//! Descriptions of attributes, blocks and schemas.

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
