//! Values that may be unknown until apply.

use std::ops::{Deref, DerefMut};

pub(crate) use Maybe::{Known, Unknown};

/// A value that can be unknown until apply. Terraform shows an unknown value as `(known after apply)`.
///
/// Unknown is not null. A null value is `None` of an [`Option`], so `Maybe<Option<T>>` is an optional value that may be
/// unknown. The methods have the names and the meaning of those of `Option`, with [`Unknown`] in the role of `None`.
/// [`known`](Maybe::known) converts to an `Option`.
///
/// ```
/// use ferroform::{Known, Maybe, Unknown};
///
/// fn describe(size: Maybe<Option<u64>>) -> String {
///     match size {
///         Known(Some(size)) => format!("{size} GB"),
///         Known(None) => "the default size".to_owned(),
///         Unknown => "(known after apply)".to_owned(),
///     }
/// }
///
/// assert_eq!(describe(Known(Some(7))), "7 GB");
/// assert_eq!(describe(Unknown), "(known after apply)");
/// ```
///
/// In comparisons, every known value is less than [`Unknown`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Maybe<T> {
    /// The value is known.
    Known(T),
    /// The value is unknown until apply.
    Unknown,
}

/// # Queries
impl<T> Maybe<T> {
    /// Returns true if the value is known.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert!(Known(7).is_known());
    /// assert!(!Maybe::<u8>::Unknown.is_known());
    /// ```
    #[must_use]
    pub const fn is_known(&self) -> bool {
        matches!(self, Known(_))
    }

    /// Returns true if the value is unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert!(Maybe::<u8>::Unknown.is_unknown());
    /// assert!(!Known(7).is_unknown());
    /// ```
    #[must_use]
    pub const fn is_unknown(&self) -> bool {
        matches!(self, Unknown)
    }

    /// Returns true if the value is known and the predicate holds.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert!(Known(7).is_known_and(|size| size > 5));
    /// assert!(!Maybe::<u8>::Unknown.is_known_and(|size| size > 5));
    /// ```
    #[must_use]
    pub fn is_known_and(self, predicate: impl FnOnce(T) -> bool) -> bool {
        self.known().is_some_and(predicate)
    }
}

/// # References
impl<T> Maybe<T> {
    /// Borrows the value.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// let name = Known("web".to_owned());
    /// assert_eq!(name.as_ref().map(String::len), Known(3));
    /// assert_eq!(name, Known("web".to_owned()));
    /// ```
    #[must_use]
    pub const fn as_ref(&self) -> Maybe<&T> {
        match self {
            Known(it) => Known(it),
            Unknown => Unknown,
        }
    }

    /// Borrows the value mutably.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// let mut size = Known(1);
    /// if let Known(size) = size.as_mut() {
    ///     *size += 1;
    /// }
    /// assert_eq!(size, Known(2));
    /// ```
    pub const fn as_mut(&mut self) -> Maybe<&mut T> {
        match self {
            Known(it) => Known(it),
            Unknown => Unknown,
        }
    }

    /// Borrows the value through its [`Deref`]: a `Maybe<String>` as a `Maybe<&str>`.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// let region = Known("eu".to_owned());
    /// assert_eq!(region.as_deref(), Known("eu"));
    /// ```
    #[must_use]
    pub fn as_deref(&self) -> Maybe<&T::Target>
    where
        T: Deref,
    {
        self.as_ref().map(T::deref)
    }

    /// Borrows the value mutably through its [`DerefMut`].
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// let mut region = Known("eu".to_owned());
    /// if let Known(region) = region.as_deref_mut() {
    ///     region.make_ascii_uppercase();
    /// }
    /// assert_eq!(region, Known("EU".to_owned()));
    /// ```
    pub fn as_deref_mut(&mut self) -> Maybe<&mut T::Target>
    where
        T: DerefMut,
    {
        self.as_mut().map(T::deref_mut)
    }

    /// Borrows the value as an `Option`: `None` if it is unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known(7).as_known(), Some(&7));
    /// ```
    #[must_use]
    pub const fn as_known(&self) -> Option<&T> {
        match self {
            Known(it) => Some(it),
            Unknown => None,
        }
    }
}

/// # Extracting the value
impl<T> Maybe<T> {
    /// Converts into an `Option`: `None` if the value is unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known(7).known(), Some(7));
    /// assert_eq!(Maybe::<u8>::Unknown.known(), None);
    /// ```
    #[must_use]
    pub fn known(self) -> Option<T> {
        match self {
            Known(it) => Some(it),
            Unknown => None,
        }
    }

    /// Returns the value, or `default` if it is unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Unknown.unwrap_or(7), 7);
    /// ```
    #[must_use]
    pub fn unwrap_or(self, default: T) -> T {
        match self {
            Known(it) => it,
            Unknown => default,
        }
    }

    /// Returns the value, or computes it if it is unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Unknown.unwrap_or_else(|| "web".to_owned()), "web");
    /// ```
    #[must_use]
    pub fn unwrap_or_else(self, default: impl FnOnce() -> T) -> T {
        match self {
            Known(it) => it,
            Unknown => default(),
        }
    }

    /// Returns the value, or the default value of its type if it is unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Maybe::<u8>::Unknown.unwrap_or_default(), 0);
    /// ```
    #[must_use]
    pub fn unwrap_or_default(self) -> T
    where
        T: Default,
    {
        match self {
            Known(it) => it,
            Unknown => T::default(),
        }
    }

    /// Converts into a `Result`, with `error` if the value is unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known(7).ok_or("unknown"), Ok(7));
    /// assert_eq!(Maybe::<u8>::Unknown.ok_or("unknown"), Err("unknown"));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error if the value is unknown.
    pub fn ok_or<E>(self, error: E) -> Result<T, E> {
        self.known().ok_or(error)
    }

    /// Converts into a `Result`, with a computed error if the value is unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// use ferroform::{Diagnostic, path};
    ///
    /// let error = || Diagnostic::error("Unknown Region").at(path!(region));
    /// assert_eq!(Known("eu").ok_or_else(error), Ok("eu"));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error of the function if the value is unknown.
    pub fn ok_or_else<E>(self, error: impl FnOnce() -> E) -> Result<T, E> {
        self.known().ok_or_else(error)
    }
}

/// # Combinators
impl<T> Maybe<T> {
    /// Applies a function to the value.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known("web").map(str::len), Known(3));
    /// ```
    #[must_use]
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Maybe<U> {
        match self {
            Known(it) => Known(f(it)),
            Unknown => Unknown,
        }
    }

    /// Applies a function to the value, or returns `default` if it is unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known("web").map_or(0, str::len), 3);
    /// ```
    #[must_use]
    pub fn map_or<U>(self, default: U, f: impl FnOnce(T) -> U) -> U {
        match self {
            Known(it) => f(it),
            Unknown => default,
        }
    }

    /// Applies a function to the value, or computes a default if it is unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Maybe::<&str>::Unknown.map_or_else(|| 80, str::len), 80);
    /// ```
    #[must_use]
    pub fn map_or_else<U>(self, default: impl FnOnce() -> U, f: impl FnOnce(T) -> U) -> U {
        match self {
            Known(it) => f(it),
            Unknown => default(),
        }
    }

    /// Returns `other` if the value is known.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known(1).and(Known("b")), Known("b"));
    /// ```
    #[must_use]
    pub fn and<U>(self, other: Maybe<U>) -> Maybe<U> {
        self.and_then(|_| other)
    }

    /// Applies a function that itself may return an unknown value.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// fn region(zone: &str) -> Maybe<&str> {
    ///     zone.strip_suffix("-a").map_or(Unknown, Known)
    /// }
    ///
    /// assert_eq!(Known("eu-a").and_then(region), Known("eu"));
    /// assert_eq!(Known("eu-b").and_then(region), Unknown);
    /// ```
    #[must_use]
    pub fn and_then<U>(self, f: impl FnOnce(T) -> Maybe<U>) -> Maybe<U> {
        match self {
            Known(it) => f(it),
            Unknown => Unknown,
        }
    }

    /// Returns this value if it is known, and otherwise `other`.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Unknown.or(Known(7)), Known(7));
    /// ```
    #[must_use]
    pub fn or(self, other: Maybe<T>) -> Maybe<T> {
        match self {
            Known(it) => Known(it),
            Unknown => other,
        }
    }

    /// Returns this value if it is known, and otherwise computes another one.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Unknown.or_else(|| Known(7)), Known(7));
    /// ```
    #[must_use]
    pub fn or_else(self, f: impl FnOnce() -> Maybe<T>) -> Maybe<T> {
        match self {
            Known(it) => Known(it),
            Unknown => f(),
        }
    }

    /// Keeps the value only if the predicate holds; otherwise it becomes unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known(7).filter(|size| *size > 9), Unknown);
    /// ```
    #[must_use]
    pub fn filter(self, predicate: impl FnOnce(&T) -> bool) -> Maybe<T> {
        match self {
            Known(it) if predicate(&it) => Known(it),
            _ => Unknown,
        }
    }

    /// Combines two values into a pair, which is unknown if either of them is.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known(1).zip(Known("a")), Known((1, "a")));
    /// assert_eq!(Known(1).zip(Maybe::<u8>::Unknown), Unknown);
    /// ```
    #[must_use]
    pub fn zip<U>(self, other: Maybe<U>) -> Maybe<(T, U)> {
        match (self, other) {
            (Known(a), Known(b)) => Known((a, b)),
            _ => Unknown,
        }
    }
}

impl<T> Maybe<&T> {
    /// Copies the value behind the reference.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known(&7).copied(), Known(7));
    /// ```
    #[must_use]
    pub fn copied(self) -> Maybe<T>
    where
        T: Copy,
    {
        self.map(|it| *it)
    }

    /// Clones the value behind the reference.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// let name = "web".to_owned();
    /// assert_eq!(Known(&name).cloned(), Known("web".to_owned()));
    /// ```
    #[must_use]
    pub fn cloned(self) -> Maybe<T>
    where
        T: Clone,
    {
        self.map(T::clone)
    }
}

impl<T> Maybe<Maybe<T>> {
    /// Removes one level of nesting.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known(Known(7)).flatten(), Known(7));
    /// assert_eq!(Known(Maybe::<u8>::Unknown).flatten(), Unknown);
    /// ```
    #[must_use]
    pub fn flatten(self) -> Maybe<T> {
        self.and_then(|it| it)
    }
}

impl<T> Maybe<Option<T>> {
    /// Swaps the two: `None` if the value is null, and otherwise the value or unknown.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// assert_eq!(Known(Some(7)).transpose(), Some(Known(7)));
    /// assert_eq!(Known(None::<u8>).transpose(), None);
    /// assert_eq!(Maybe::<Option<u8>>::Unknown.transpose(), Some(Unknown));
    /// ```
    #[must_use]
    pub fn transpose(self) -> Option<Maybe<T>> {
        match self {
            Known(it) => it.map(Known),
            Unknown => Some(Unknown),
        }
    }
}

impl<T, E> Maybe<Result<T, E>> {
    /// Swaps the two, so that `?` returns the error of a known value.
    ///
    /// ```
    /// use ferroform::{Known, Maybe, Unknown};
    ///
    /// let port = Known("80").map(str::parse::<u16>).transpose_result();
    /// assert_eq!(port, Ok(Known(80)));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error that the value contains.
    pub fn transpose_result(self) -> Result<Maybe<T>, E> {
        match self {
            Known(it) => it.map(Known),
            Unknown => Ok(Unknown),
        }
    }
}

impl<T> From<T> for Maybe<T> {
    fn from(it: T) -> Maybe<T> {
        Known(it)
    }
}
