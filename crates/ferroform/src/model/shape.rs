//! How a type is built, where only some types will do.

/// How a type is built on the wire, as far as an import id and an identity must know: an id is read from text,
/// and an identity has no objects, sets and maps inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A bool, a number or a string.
    Scalar,
    /// A list of these.
    List,
    /// An object with nothing but scalars and lists of them.
    Record,
    /// Anything else.
    Other,
}

impl Shape {
    /// A list of elements of this shape.
    pub const fn list(self) -> Shape {
        if matches!(self, Shape::Scalar) { Shape::List } else { Shape::Other }
    }

    /// An object with attributes of these shapes; a flattened one is itself a record.
    pub const fn object(attributes: &[Shape], flattened: &[Shape]) -> Shape {
        let mut i = 0;
        while i < attributes.len() {
            if !attributes[i].fits_identity() {
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

    /// True where it can be read from a text.
    pub const fn is_scalar(self) -> bool {
        matches!(self, Shape::Scalar)
    }

    /// True where it can be a part of an identity.
    pub const fn fits_identity(self) -> bool {
        matches!(self, Shape::Scalar | Shape::List)
    }

    /// True where it can be an identity as a whole.
    pub const fn is_record(self) -> bool {
        matches!(self, Shape::Record)
    }
}
