//! Descriptions, and how they are meant.

/// How a description is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DescriptionKind {
    /// As Markdown.
    #[default]
    Markdown,
    /// As it stands.
    Plain,
}
