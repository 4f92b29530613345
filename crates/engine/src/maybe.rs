//! Known, or not yet.

pub(crate) use Maybe::{Known, Unknown};

/// A value that may not be known before apply.
///
/// This is the only word for unknown here, and it never means null: null is [`Option`]. A
/// `Maybe<Option<T>>` reads as it is: perhaps unknown, and once known perhaps absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Maybe<T> {
    /// The value.
    Known(T),
    /// Terraform shows `(known after apply)`.
    Unknown,
}

impl<T> Maybe<T> {
    /// The value, where it is known.
    pub fn known(self) -> Option<T> {
        match self {
            Known(it) => Some(it),
            Unknown => None,
        }
    }

    /// The value by reference, where it is known.
    pub fn as_known(&self) -> Option<&T> {
        self.as_ref().known()
    }

    /// True where the value is not known.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Unknown)
    }

    /// True where the value is known.
    pub fn is_known(&self) -> bool {
        matches!(self, Known(_))
    }

    /// The same for a reference to the value.
    pub fn as_ref(&self) -> Maybe<&T> {
        match self {
            Known(it) => Known(it),
            Unknown => Unknown,
        }
    }

    /// Changes the value, where it is known.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Maybe<U> {
        match self {
            Known(it) => Known(f(it)),
            Unknown => Unknown,
        }
    }

    /// The value, or `other` where it is not known.
    pub fn known_or(self, other: T) -> T {
        self.known().unwrap_or(other)
    }

    /// The value, or what `f` answers where it is not known.
    pub fn known_or_else(self, f: impl FnOnce() -> T) -> T {
        self.known().unwrap_or_else(f)
    }
}

impl<T> From<T> for Maybe<T> {
    fn from(it: T) -> Maybe<T> {
        Known(it)
    }
}
