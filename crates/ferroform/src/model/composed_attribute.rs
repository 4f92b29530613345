//! The attributes of a model that consist of other attributes.

/// An attribute with the option `composed`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ComposedAttribute {
    pub name: &'static str,
    /// The parts; empty for those of the first import pattern, in which separators are escaped.
    pub parts: &'static [ComposedPart],
}

/// A part of a composed attribute.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum ComposedPart {
    Literal(&'static str),
    Attribute(&'static str),
}
