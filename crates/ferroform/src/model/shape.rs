//! The shape of attribute types: import IDs, identities and collections only support some types.

/// The shape of an attribute type on the wire.
///
/// An import ID can contain scalars. An identity can contain scalars and lists of scalars. A collection cannot contain
/// dynamic values, because all its elements have the same type.
///
/// ```
/// use ferroform::{Attr, Shape};
///
/// assert_eq!(<u16 as Attr>::SHAPE, Shape::Scalar);
/// assert_eq!(<Vec<String> as Attr>::SHAPE, Shape::List);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A bool, a number or a string.
    Scalar,
    /// A list of scalars.
    List,
    /// An object that contains only scalars and lists of scalars.
    Record,
    /// A value of any type: [`Type::Dynamic`](crate::value::Type::Dynamic).
    Dynamic,
    /// Any other type.
    Other,
}

impl Shape {
    /// The shape of a list of elements of this shape.
    pub const fn list(self) -> Shape {
        if matches!(self, Shape::Scalar) { Shape::List } else { Shape::Other }
    }

    /// The shape of an object with attributes of these shapes and the attributes of flattened objects.
    pub const fn object(attributes: &[Shape], flattened: &[Shape]) -> Shape {
        let mut i = 0;
        while i < attributes.len() {
            if !attributes[i].can_be_identity_attribute() {
                return Shape::Other;
            }
            i += 1;
        }
        let mut i = 0;
        while i < flattened.len() {
            if !flattened[i].is_record() {
                return Shape::Other;
            }
            i += 1;
        }
        Shape::Record
    }

    /// Returns true if a value can be part of an import ID.
    pub const fn is_scalar(self) -> bool {
        matches!(self, Shape::Scalar)
    }

    /// Returns true if a value can be an identity attribute.
    pub const fn can_be_identity_attribute(self) -> bool {
        matches!(self, Shape::Scalar | Shape::List)
    }

    /// Returns true if an object can be an identity.
    pub const fn is_record(self) -> bool {
        matches!(self, Shape::Record)
    }
}
