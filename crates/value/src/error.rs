//! Errors about values: their kind, what they are about, and where in the value they are.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::number::NumberError;
use crate::path::{Path, Step};
use crate::ty::Type;
use crate::value::Value;

/// An error about a value or an encoding of one, with the path of the part that it is about.
///
/// An error has a private kind, which the predicates reveal: callers decide by [`Error::is_type_mismatch`] and its
/// siblings, never by the message. What was required ([`Error::expected`]) is separate from what was found
/// ([`Error::found`]), so that [`Error::redacted`] can leave out what depends on a sensitive value.
///
/// Messages are Terraform's, if it reports the same error.
///
/// ```
/// use ferroform_value::{Error, Step};
///
/// let error = Error::type_mismatch("string", "number").below(Step::Index(2)).below(Step::Attribute("tags".into()));
/// assert_eq!(error.to_string(), "tags[2]: string required, but have number");
/// assert!(error.is_type_mismatch());
/// assert_eq!((error.expected(), error.found()), (Some("string"), Some("number")));
///
/// let error = Error::invalid_value("a port number", "70000");
/// assert_eq!(error.to_string(), "a port number is required, but got 70000");
/// assert_eq!(error.redacted(), "a port number is required, but got (sensitive value)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    // One word, because every step of reading a value may return an error.
    inner: Box<Inner>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    path: Path,
    kind: Kind,
    /// The kind in words, so that [`Error::message`] can lend it out.
    message: String,
    /// The message for a sensitive value, if it is not that of the kind. It does not depend on the value.
    redacted: Option<String>,
}

/// What stands for a sensitive value.
const SENSITIVE: &str = "(sensitive value)";

/// What is wrong. No variant may hold text that depends on the value, except where its documentation states it:
/// [`Error::redacted`] relies on it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A value or a type of another type than the required one. `found` depends on the value.
    TypeMismatch { expected: Cow<'static, str>, found: Option<Cow<'static, str>> },
    /// A value of the right type that is not one of the accepted values. `found` depends on the value.
    InvalidValue { expected: String, hint: Option<Cow<'static, str>>, found: Option<String> },
    /// A value that is not known yet, where a known one is required.
    Unknown { context: Cow<'static, str> },
    /// A null where a value is required.
    Null,
    /// The required attributes that a value does not have, in their order.
    MissingAttributes(Vec<Arc<str>>),
    /// A map that is to become an object, without the element for a required attribute.
    MissingElement(Arc<str>),
    /// An attribute that the type does not have. The name depends on the value.
    UnsupportedAttribute(Option<Arc<str>>),
    /// A tuple or an object of another number of elements. `found` depends on the value.
    LengthMismatch { kind: &'static str, of: &'static str, expected: usize, found: Option<usize> },
    /// The elements of a collection are of several types; the name of the collection's kind, where it is known.
    InconsistentElements(Option<&'static str>),
    /// An encoding that is damaged or not of the format. The message may quote the encoding.
    Malformed(Cow<'static, str>),
    /// Values that are nested more deeply than this crate supports.
    NestedTooDeeply,
    /// A string that is not a number, or an operation without result.
    Number(NumberError),
    /// Another error, and what part of the type it is about.
    Context { context: String, cause: Error },
    /// A message that somebody else wrote. It may quote the value.
    Custom,
}

impl Error {
    /// An error with a message of its own, at the value itself.
    ///
    /// The message may quote the value, so [`Error::redacted`] hides all of it. For a value that is not accepted,
    /// [`Error::invalid_value`] or [`Error::with_redacted`] keep a reason readable even if the value is sensitive.
    pub fn new(message: impl Into<String>) -> Error {
        Error { inner: Box::new(Inner { message: message.into(), ..Inner::of(Kind::Custom) }) }
    }

    /// An error whose message does not depend on the value, so that it is shown for a sensitive value as well.
    pub fn constant(message: &'static str) -> Error {
        Error::new(message).with_redacted(message)
    }

    /// Sets the message for a sensitive value. It must not depend on the value.
    #[must_use]
    pub fn with_redacted(mut self, message: impl Into<String>) -> Error {
        self.inner.redacted = Some(message.into());
        self
    }

    /// The error for a value or a type of another type: `string required, but have number`.
    ///
    /// `expected` and `found` are names of types as Terraform prints them: `string`, `list of number`.
    pub fn type_mismatch(
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Error {
        Error::of(Kind::TypeMismatch { expected: expected.into(), found: Some(found.into()) })
    }

    /// The error for a value of the right type that is not accepted: `a port number is required, but got 70000`.
    ///
    /// `expected` is a noun phrase with its article and must not depend on the value. `found` is the value as it
    /// is to be shown, strings in quotes.
    pub fn invalid_value(expected: impl fmt::Display, found: impl fmt::Display) -> Error {
        let found = Some(found.to_string());
        Error::of(Kind::InvalidValue { expected: expected.to_string(), hint: None, found })
    }

    /// The same without the value: `a bool is required`.
    pub fn required(expected: impl fmt::Display) -> Error {
        Error::of(Kind::InvalidValue { expected: expected.to_string(), hint: None, found: None })
    }

    /// The error for an unknown value where a known one is required. `context` is a clause that explains why, such
    /// as `JSON cannot represent unknown values`.
    pub fn unknown(context: impl Into<Cow<'static, str>>) -> Error {
        Error::of(Kind::Unknown { context: context.into() })
    }

    /// The error for a null where a value is required.
    pub fn null() -> Error {
        Error::of(Kind::Null)
    }

    /// The error for attributes that are required and missing, in this order. There must be at least one.
    pub fn missing_attributes(names: impl IntoIterator<Item = Arc<str>>) -> Error {
        Error::of(Kind::MissingAttributes(names.into_iter().collect()))
    }

    /// The error for an attribute that the type does not have.
    pub fn unsupported_attribute(name: impl Into<Arc<str>>) -> Error {
        Error::of(Kind::UnsupportedAttribute(Some(name.into())))
    }

    pub(crate) fn missing_element(attribute: Arc<str>) -> Error {
        Error::of(Kind::MissingElement(attribute))
    }

    pub(crate) fn tuple_length(expected: usize, found: usize) -> Error {
        Error::of(Kind::LengthMismatch { kind: "tuple", of: "element", expected, found: Some(found) })
    }

    pub(crate) fn object_length(expected: usize, found: usize) -> Error {
        Error::of(Kind::LengthMismatch { kind: "object", of: "attribute", expected, found: Some(found) })
    }

    pub(crate) fn inconsistent_elements(collection: Option<&Type>) -> Error {
        Error::of(Kind::InconsistentElements(collection.map(Type::kind)))
    }

    pub(crate) fn malformed(message: impl Into<Cow<'static, str>>) -> Error {
        Error::of(Kind::Malformed(message.into()))
    }

    pub(crate) fn nested_too_deeply() -> Error {
        Error::of(Kind::NestedTooDeeply)
    }

    /// The error for a value of another kind than the type's.
    pub(crate) fn wrong_kind(expected: &Type, found: &Value) -> Error {
        Error::type_mismatch(expected.kind(), found.kind())
    }

    /// A hint that follows the message: `a bool is required; to convert from string, use lowercase "true"`.
    pub(crate) fn with_hint(mut self, text: impl Into<Cow<'static, str>>) -> Error {
        if let Kind::InvalidValue { hint, .. } = &mut self.inner.kind {
            *hint = Some(text.into());
            self.inner.message = self.inner.kind.to_string();
        }
        self
    }

    /// This error as the reason for another one: `incorrect list element type: string required, but have number`.
    /// `context` must not depend on the value.
    pub(crate) fn in_context(self, context: impl Into<String>) -> Error {
        Error::of(Kind::Context { context: context.into(), cause: self })
    }

    fn of(kind: Kind) -> Error {
        Error { inner: Box::new(Inner::of(kind)) }
    }

    /// The same error at another path.
    #[must_use]
    pub fn at(mut self, path: Path) -> Error {
        self.inner.path = path;
        self
    }

    /// The same error, seen from the value one step further out.
    #[must_use]
    pub fn below(mut self, step: Step) -> Error {
        self.inner.path = self.inner.path.below(&Path::from_iter([step]));
        self
    }

    /// The same error, seen from further out: what was its root is `parent` now.
    #[must_use]
    pub fn under(mut self, parent: &Path) -> Error {
        self.inner.path = self.inner.path.below(parent);
        self
    }

    /// The path of the part of the value that the error is about.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// The message without the path.
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// What was required, if the error is about a value of another type or one that is not accepted. It never
    /// depends on the value.
    pub fn expected(&self) -> Option<&str> {
        match &self.inner.kind {
            Kind::TypeMismatch { expected, .. } => Some(expected),
            Kind::InvalidValue { expected, .. } => Some(expected),
            Kind::Context { cause, .. } => cause.expected(),
            _ => None,
        }
    }

    /// What was found instead of [`Error::expected`]: the name of a type, or a value as it is shown. It depends on
    /// the value, so it must not be shown if the value is sensitive.
    pub fn found(&self) -> Option<&str> {
        match &self.inner.kind {
            Kind::TypeMismatch { found, .. } => found.as_deref(),
            Kind::InvalidValue { found, .. } => found.as_deref(),
            Kind::Context { cause, .. } => cause.found(),
            _ => None,
        }
    }

    /// The message for a sensitive value, without the path: it keeps only what does not depend on the value.
    ///
    /// ```
    /// use ferroform_value::Error;
    ///
    /// let error = Error::type_mismatch("list of string", "number");
    /// assert_eq!(error.redacted(), "list of string required");
    /// let error = Error::new("hunter2 is too short").with_redacted("at least eight characters are required");
    /// assert_eq!(error.redacted(), "at least eight characters are required");
    /// ```
    pub fn redacted(&self) -> String {
        self.inner.redacted.clone().unwrap_or_else(|| self.inner.kind.redacted().to_string())
    }

    /// The innermost kind: what is wrong, whatever it is the reason for.
    fn innermost(&self) -> &Kind {
        match &self.inner.kind {
            Kind::Context { cause, .. } => cause.innermost(),
            kind => kind,
        }
    }

    /// Returns true if a value or a type is of another type than the required one.
    pub fn is_type_mismatch(&self) -> bool {
        use Kind::{InconsistentElements, LengthMismatch, TypeMismatch};
        matches!(self.innermost(), TypeMismatch { .. } | LengthMismatch { .. } | InconsistentElements(_))
    }

    /// Returns true if a value of the right type is not one of the accepted values, such as a string that is not
    /// a number.
    pub fn is_invalid_value(&self) -> bool {
        matches!(self.innermost(), Kind::InvalidValue { .. } | Kind::Number(_))
    }

    /// Returns true if a value is unknown where a known one is required.
    pub fn is_unknown(&self) -> bool {
        matches!(self.innermost(), Kind::Unknown { .. })
    }

    /// Returns true if a value is null where it must not be.
    pub fn is_null(&self) -> bool {
        matches!(self.innermost(), Kind::Null)
    }

    /// Returns true if a required attribute is missing.
    pub fn is_missing_attribute(&self) -> bool {
        matches!(self.innermost(), Kind::MissingAttributes(_) | Kind::MissingElement(_))
    }

    /// Returns true if the value has an attribute that the type does not have.
    pub fn is_unsupported_attribute(&self) -> bool {
        matches!(self.innermost(), Kind::UnsupportedAttribute(_))
    }

    /// Returns true if an encoding is damaged or not of the format.
    pub fn is_malformed(&self) -> bool {
        matches!(self.innermost(), Kind::Malformed(_))
    }

    /// Returns true if the value exceeds a limit of this crate: its nesting, or the size of a number.
    pub fn is_limit_exceeded(&self) -> bool {
        match self.innermost() {
            Kind::NestedTooDeeply => true,
            Kind::Number(error) => error.is_out_of_range(),
            _ => false,
        }
    }
}

impl Inner {
    fn of(kind: Kind) -> Inner {
        Inner { path: Path::ROOT, message: kind.to_string(), kind, redacted: None }
    }
}

impl Kind {
    /// The same kind without what depends on the value.
    fn redacted(&self) -> Kind {
        match self {
            Kind::TypeMismatch { expected, .. } => {
                Kind::TypeMismatch { expected: expected.clone(), found: None }
            }
            Kind::InvalidValue { expected, found, .. } => {
                let found = found.as_ref().map(|_| SENSITIVE.to_owned());
                Kind::InvalidValue { expected: expected.clone(), hint: None, found }
            }
            Kind::LengthMismatch { kind, of, expected, .. } => {
                Kind::LengthMismatch { kind, of, expected: *expected, found: None }
            }
            Kind::UnsupportedAttribute(_) => Kind::UnsupportedAttribute(None),
            Kind::Malformed(_) => Kind::Malformed("the encoding is malformed".into()),
            // The path of the cause can have keys of the value in it.
            Kind::Context { context, cause } => {
                let cause = Error::new(cause.redacted());
                Kind::Context { context: context.clone(), cause }
            }
            Kind::Unknown { .. }
            | Kind::Null
            | Kind::MissingAttributes(_)
            | Kind::MissingElement(_)
            | Kind::InconsistentElements(_)
            | Kind::NestedTooDeeply
            | Kind::Number(_)
            | Kind::Custom => self.clone(),
        }
    }
}

/// The messages are those of Terraform wherever it reports the same.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::TypeMismatch { expected, found } => {
                write!(f, "{expected} required")?;
                found.as_ref().map_or(Ok(()), |found| write!(f, ", but have {found}"))
            }
            Kind::InvalidValue { expected, hint, found } => {
                write!(f, "{expected} is required")?;
                if let Some(hint) = hint {
                    write!(f, "; {hint}")?;
                }
                found.as_ref().map_or(Ok(()), |found| write!(f, ", but got {found}"))
            }
            Kind::Unknown { context } => write!(f, "the value is unknown; {context}"),
            Kind::Null => f.write_str("the value must not be null"),
            Kind::MissingAttributes(names) => missing(f, names),
            Kind::MissingElement(name) => write!(f, "map has no element for required attribute {name:?}"),
            Kind::UnsupportedAttribute(None) => f.write_str("unsupported attribute"),
            Kind::UnsupportedAttribute(Some(name)) => write!(f, "unsupported attribute {name:?}"),
            Kind::LengthMismatch { kind, of, expected, found } => {
                write!(f, "{kind} of {} required", counted(*expected, of))?;
                found.map_or(Ok(()), |found| write!(f, ", but have {found}"))
            }
            Kind::InconsistentElements(collection) => {
                let collection = collection.map(|it| format!("{it} ")).unwrap_or_default();
                write!(f, "all {collection}elements must have the same type")
            }
            Kind::Malformed(message) => f.write_str(message),
            Kind::NestedTooDeeply => f.write_str("the value is nested too deeply"),
            Kind::Number(error) => error.fmt(f),
            Kind::Context { context, cause } => write!(f, "{context}: {cause}"),
            // Until it is redacted, the message is the one that was given to `Error::new`.
            Kind::Custom => {
                f.write_str("the value is not valid; the reason is not shown because the value is sensitive")
            }
        }
    }
}

fn missing(f: &mut fmt::Formatter<'_>, names: &[Arc<str>]) -> fmt::Result {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    match &*quoted {
        [] => f.write_str("an attribute is required"),
        [name] => write!(f, "attribute {name} is required"),
        [first, second] => write!(f, "attributes {first} and {second} are required"),
        [first @ .., last] => write!(f, "attributes {}, and {last} are required", first.join(", ")),
    }
}

/// `1 element`, `2 elements`.
fn counted(count: usize, of: &str) -> String {
    format!("{count} {of}{}", if count == 1 { "" } else { "s" })
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.inner.path.is_root() {
            f.write_str(&self.inner.message)
        } else {
            write!(f, "{}: {}", self.inner.path, self.inner.message)
        }
    }
}

impl std::error::Error for Error {}

impl From<NumberError> for Error {
    fn from(error: NumberError) -> Error {
        Error::of(Kind::Number(error))
    }
}
