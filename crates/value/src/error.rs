//! Errors about values, with their kind and attribute path.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::limits::MAX_ELEMENTS;
use crate::number::{Number, NumberError, NumberRange};
use crate::path::{Path, Step};
use crate::suggest::suggest;
use crate::ty::Type;
use crate::value::{Value, truncated};

/// An error about a value or its encoding, with the attribute path of the invalid attribute or element.
///
/// An error has a private kind. Callers distinguish errors by predicates such as [`Error::is_type_mismatch`], never
/// by the message. The required type or value ([`Error::expected`]) is separate from the actual one
/// ([`Error::found`]), so that [`Error::redacted`] can omit the parts of the message that depend on a sensitive
/// value.
///
/// If Terraform reports the same error, the message is that of Terraform.
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
    // The error is boxed so that it is small, because every step of decoding a value can return one.
    inner: Box<Inner>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    path: Path,
    kind: Kind,
    /// The printed kind, or the message of a custom error. It is stored so that [`Error::message`] can return a
    /// reference.
    message: String,
    /// The message for a sensitive value, if it differs from that of the kind. It does not depend on the value.
    redacted: Option<String>,
    /// The summary of the diagnostic about the error.
    summary: Option<&'static str>,
}

/// The placeholder for a sensitive value.
const SENSITIVE: &str = "(sensitive value)";

/// The kind of an error. [`Error::redacted`] requires that no variant contains a string that depends on the value,
/// unless the documentation of the variant states it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// The type differs from the required type. `found` depends on the value.
    TypeMismatch { expected: Cow<'static, str>, found: Option<Cow<'static, str>> },
    /// A value has the required type, but it is not one of the accepted values. `found`, `reason` and `suggestion`
    /// depend on the value.
    InvalidValue(InvalidValue),
    /// A number is not in the required range. `found` depends on the value.
    NumberOutOfRange { range: NumberRange, found: Option<Number> },
    /// A value is unknown, but a known value is required.
    Unknown { context: Cow<'static, str> },
    /// A value is null, but a value is required.
    Null,
    /// The names of the missing required attributes, in the order of the type.
    MissingAttributes(Vec<Arc<str>>),
    /// An object has other attributes than its type. The unsupported names depend on the value.
    AttributeMismatch { missing: Vec<Arc<str>>, unsupported: Vec<Arc<str>> },
    /// A map does not convert to an object, because it has no element for this required attribute.
    MissingElement(Arc<str>),
    /// An attribute that the type does not have. The name depends on the value.
    UnsupportedAttribute(Option<Arc<str>>),
    /// A tuple or an object has another number of elements than its type. `found` depends on the value.
    LengthMismatch { kind: &'static str, of: &'static str, expected: usize, found: Option<usize> },
    /// The elements of a collection have different types. Contains the kind of the collection, if it is known.
    InconsistentElements(Option<&'static str>),
    /// The encoding is invalid. The message can quote the encoding.
    Malformed(Cow<'static, str>),
    /// The nesting exceeds the limit of this crate.
    NestedTooDeeply,
    /// The number of elements exceeds the limit of this crate. Contains the number of elements of the collection at the
    /// path and the number that was counted before it, which depend on the value.
    TooManyElements(Option<(usize, usize)>),
    /// The string is not a number, or an operation has no result.
    Number(NumberError),
    /// Another error, with the part of the type that it concerns.
    Context { context: String, cause: Error },
    /// The message of a caller of this crate. It can quote the value.
    Custom,
}

/// The parts of the message about a value that is not accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct InvalidValue {
    expected: String,
    hint: Option<Cow<'static, str>>,
    found: Option<String>,
    reason: Option<String>,
    suggestion: Option<String>,
}

impl Error {
    /// Creates an error with this message. Its path is the root.
    ///
    /// The message can quote the value, so [`Error::redacted`] replaces it completely. Use [`Error::invalid_value`] or
    /// [`Error::with_redacted`] for a message that remains readable if the value is sensitive.
    pub fn new(message: impl Into<String>) -> Error {
        Error { inner: Box::new(Inner { message: message.into(), ..Inner::of(Kind::Custom) }) }
    }

    /// Sets the summary of the diagnostic that a practitioner gets about the error, for a type of your own whose Go equivalent
    /// has an established one. By default, it is "Invalid Attribute Value" for a configured value.
    ///
    /// ```
    /// use ferroform_value::Error;
    ///
    /// let error = Error::invalid_value("a color such as #ff0000", "\"red\"").with_summary("Invalid Color String Value");
    /// assert_eq!(error.summary(), Some("Invalid Color String Value"));
    /// ```
    #[must_use]
    pub fn with_summary(mut self, summary: &'static str) -> Error {
        self.inner.summary = Some(summary);
        self
    }

    /// Creates an error whose message does not depend on the value. The message is printed for a sensitive value as
    /// well.
    pub fn constant(message: &'static str) -> Error {
        Error::new(message).with_redacted(message)
    }

    /// Sets the message for a sensitive value. It must not depend on the value.
    #[must_use]
    pub fn with_redacted(mut self, message: impl Into<String>) -> Error {
        self.inner.redacted = Some(message.into());
        self
    }

    /// Creates the error for a value or a type of another type than the required one:
    /// `string required, but have number`.
    ///
    /// `expected` and `found` are names of types as Terraform prints them: `string`, `list of number`.
    pub fn type_mismatch(
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Error {
        Error::of(Kind::TypeMismatch { expected: expected.into(), found: Some(found.into()) })
    }

    /// Creates the error for a value that has the required type but is not accepted:
    /// `a port number is required, but got 70000`.
    ///
    /// `expected` is a noun phrase with its article and must not depend on the value. `found` is the printed value,
    /// with strings in quotes.
    pub fn invalid_value(expected: impl fmt::Display, found: impl fmt::Display) -> Error {
        let (expected, found) = (expected.to_string(), Some(truncated(found.to_string())));
        Error::of(Kind::InvalidValue(InvalidValue { expected, found, ..InvalidValue::default() }))
    }

    /// Appends the reason why the value of [`Error::invalid_value`] is not accepted, without a period. It is not part of
    /// the message for a sensitive value.
    ///
    /// ```
    /// use ferroform_value::Error;
    ///
    /// let error = Error::invalid_value("a time such as 23:59", "\"24:00\"").with_reason("the hour is out of range");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a time such as 23:59 is required, but got \"24:00\": the hour is out of range"
    /// );
    /// ```
    #[must_use]
    pub fn with_reason(self, reason: impl fmt::Display) -> Error {
        self.with_part(|it| it.reason = Some(reason.to_string()))
    }

    /// Creates the error for a string that is not one of the accepted strings, and suggests the most similar one.
    /// `expected` is a noun phrase with its article, such as `one of "small", "large"`.
    ///
    /// ```
    /// use ferroform_value::Error;
    ///
    /// let error = Error::unknown_name("one of \"small\", \"large\"", "smal", ["small", "large"]);
    /// assert_eq!(
    ///     error.to_string(),
    ///     "one of \"small\", \"large\" is required, but got \"smal\"; did you mean \"small\"?"
    /// );
    /// ```
    pub fn unknown_name<'a>(
        expected: impl fmt::Display,
        found: &str,
        accepted: impl IntoIterator<Item = &'a str>,
    ) -> Error {
        let accepted: Vec<&str> = accepted.into_iter().collect();
        // A single accepted string needs no suggestion.
        let suggestion = suggest(found, accepted.iter().copied()).filter(|_| accepted.len() > 1);
        let suggestion = suggestion.map(ToOwned::to_owned);
        Error::invalid_value(expected, format_args!("{found:?}")).with_part(|it| it.suggestion = suggestion)
    }

    /// Creates the error for a number that is not in a range: `a whole number between 0 and 255 is required, but got 256`.
    pub fn number_out_of_range(range: NumberRange, found: Number) -> Error {
        Error::of(Kind::NumberOutOfRange { range, found: Some(found) })
    }

    /// Narrows the range of [`Error::number_out_of_range`] to the numbers that are also in this range. Any other error
    /// stays the same.
    #[must_use]
    pub fn narrowed_to(mut self, other: &NumberRange) -> Error {
        if let Kind::NumberOutOfRange { range, .. } = &mut self.inner.kind {
            *range = range.intersection(other);
            self.inner.message = self.inner.kind.to_string();
        }
        self
    }

    /// Returns true for [`Error::number_out_of_range`].
    pub fn is_number_out_of_range(&self) -> bool {
        matches!(self.innermost(), Kind::NumberOutOfRange { .. })
    }

    /// Creates the same error as [`Error::invalid_value`] without the value: `a bool is required`.
    pub fn required(expected: impl fmt::Display) -> Error {
        Error::of(Kind::InvalidValue(InvalidValue {
            expected: expected.to_string(),
            ..InvalidValue::default()
        }))
    }

    /// Creates the error for an unknown value if a known value is required. `context` is a clause with the reason,
    /// such as `JSON cannot represent unknown values`.
    pub fn unknown(context: impl Into<Cow<'static, str>>) -> Error {
        Error::of(Kind::Unknown { context: context.into() })
    }

    /// Creates the error for a null value if a value is required.
    pub fn null() -> Error {
        Error::of(Kind::Null)
    }

    /// Creates the error for missing required attributes. `names` must not be empty.
    pub fn missing_attributes(names: impl IntoIterator<Item = Arc<str>>) -> Error {
        Error::of(Kind::MissingAttributes(names.into_iter().collect()))
    }

    /// Creates the error for an attribute that the type does not have.
    pub fn unsupported_attribute(name: impl Into<Arc<str>>) -> Error {
        Error::of(Kind::UnsupportedAttribute(Some(name.into())))
    }

    /// Creates the error for an object that has other attributes than its type. At least one name must be given.
    pub(crate) fn attribute_mismatch(missing: Vec<Arc<str>>, unsupported: Vec<Arc<str>>) -> Error {
        match (&*missing, &*unsupported) {
            (_, []) => Error::missing_attributes(missing),
            ([], [name]) => Error::unsupported_attribute(name.clone()),
            _ => Error::of(Kind::AttributeMismatch { missing, unsupported }),
        }
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

    /// Creates the error for a value with too many elements. `count` is the number of elements of the collection in
    /// which the limit is exceeded, or 1 if its length is not known yet. `before` is the number that was counted before it.
    pub(crate) fn too_many_elements(count: usize, before: usize) -> Error {
        Error::of(Kind::TooManyElements((count > 1).then_some((count, before))))
    }

    /// Creates the error for a value of another kind than the type.
    pub(crate) fn wrong_kind(expected: &Type, found: &Value) -> Error {
        Error::type_mismatch(expected.kind(), found.kind())
    }

    /// Adds a hint after the message: `a bool is required; to convert from string, use lowercase "true"`.
    pub(crate) fn with_hint(self, hint: impl Into<Cow<'static, str>>) -> Error {
        self.with_part(|it| it.hint = Some(hint.into()))
    }

    /// Changes a part of [`Error::invalid_value`]. Any other error stays the same.
    fn with_part(mut self, change: impl FnOnce(&mut InvalidValue)) -> Error {
        if let Kind::InvalidValue(it) = &mut self.inner.kind {
            change(it);
            self.inner.message = self.inner.kind.to_string();
        }
        self
    }

    /// Prepends a context to the message: `incorrect list element type: string required, but have number`. `context`
    /// must not depend on the value.
    pub(crate) fn in_context(self, context: impl Into<String>) -> Error {
        let summary = self.inner.summary;
        let mut error = Error::of(Kind::Context { context: context.into(), cause: self });
        error.inner.summary = summary;
        error
    }

    fn of(kind: Kind) -> Error {
        Error { inner: Box::new(Inner::of(kind)) }
    }

    /// Replaces the path.
    #[must_use]
    pub fn with_path(mut self, path: Path) -> Error {
        self.inner.path = path;
        self
    }

    /// Prepends a step to the path.
    #[must_use]
    pub fn below(mut self, step: Step) -> Error {
        self.inner.path = self.inner.path.below(&Path::from_iter([step]));
        self
    }

    /// Prepends a path to the path.
    ///
    /// ```
    /// use ferroform_value::{Error, Path};
    ///
    /// let error = Error::null().at(Path::attribute("port")).at(Path::attribute("listener"));
    /// assert_eq!(error.to_string(), "listener.port: the value must not be null");
    /// ```
    #[must_use]
    pub fn at(mut self, parent: Path) -> Error {
        self.inner.path = self.inner.path.below(&parent);
        self
    }

    /// Returns the attribute path of the invalid attribute or element.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Returns the message without the path.
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// Returns the required type or value, if the error is a type mismatch or an [invalid value](Error::invalid_value). It
    /// never depends on the value.
    pub fn expected(&self) -> Option<&str> {
        match &self.inner.kind {
            Kind::TypeMismatch { expected, .. } => Some(expected),
            Kind::InvalidValue(it) => Some(&it.expected),
            Kind::Context { cause, .. } => cause.expected(),
            _ => None,
        }
    }

    /// Returns the actual type or value instead of [`Error::expected`]: the name of a type, or a printed value. It
    /// depends on the value, so it must not be printed if the value is sensitive.
    pub fn found(&self) -> Option<&str> {
        match &self.inner.kind {
            Kind::TypeMismatch { found, .. } => found.as_deref(),
            Kind::InvalidValue(it) => it.found.as_deref(),
            Kind::Context { cause, .. } => cause.found(),
            _ => None,
        }
    }

    /// Returns the summary that [`with_summary`](Error::with_summary) has set.
    pub fn summary(&self) -> Option<&'static str> {
        self.inner.summary
    }

    /// Returns the message for a sensitive value, without the path. Parts that depend on the value are omitted.
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

    /// Returns the kind of the error without its contexts.
    fn innermost(&self) -> &Kind {
        match &self.inner.kind {
            Kind::Context { cause, .. } => cause.innermost(),
            kind => kind,
        }
    }

    /// Returns true if the type of a value differs from the required type.
    pub fn is_type_mismatch(&self) -> bool {
        use Kind::{InconsistentElements, LengthMismatch, TypeMismatch};
        matches!(self.innermost(), TypeMismatch { .. } | LengthMismatch { .. } | InconsistentElements(_))
    }

    /// Returns true if a value has the required type but is not one of the accepted values, such as a string that is
    /// not a number.
    pub fn is_invalid_value(&self) -> bool {
        matches!(self.innermost(), Kind::InvalidValue(_) | Kind::NumberOutOfRange { .. } | Kind::Number(_))
    }

    /// Returns true if a value is unknown, but a known value is required.
    pub fn is_unknown(&self) -> bool {
        matches!(self.innermost(), Kind::Unknown { .. })
    }

    /// Returns true if a value is null, but a value is required.
    pub fn is_null(&self) -> bool {
        matches!(self.innermost(), Kind::Null)
    }

    /// Returns true if a required attribute is missing.
    pub fn is_missing_attribute(&self) -> bool {
        match self.innermost() {
            Kind::AttributeMismatch { missing, .. } => !missing.is_empty(),
            kind => matches!(kind, Kind::MissingAttributes(_) | Kind::MissingElement(_)),
        }
    }

    /// Returns true if the value has an attribute that the type does not have.
    pub fn is_unsupported_attribute(&self) -> bool {
        matches!(self.innermost(), Kind::UnsupportedAttribute(_) | Kind::AttributeMismatch { .. })
    }

    /// Returns true if an encoding is invalid.
    pub fn is_malformed(&self) -> bool {
        matches!(self.innermost(), Kind::Malformed(_))
    }

    /// Returns true if the value exceeds a limit of this crate: its nesting, the number of its
    /// elements, or the size of a number.
    pub fn is_limit_exceeded(&self) -> bool {
        match self.innermost() {
            Kind::NestedTooDeeply | Kind::TooManyElements(_) => true,
            Kind::Number(error) => error.is_out_of_range(),
            _ => false,
        }
    }
}

impl Inner {
    fn of(kind: Kind) -> Inner {
        Inner { path: Path::ROOT, message: kind.to_string(), kind, redacted: None, summary: None }
    }
}

impl Kind {
    /// Returns the kind without the parts that depend on the value.
    fn redacted(&self) -> Kind {
        match self {
            Kind::TypeMismatch { expected, .. } => {
                Kind::TypeMismatch { expected: expected.clone(), found: None }
            }
            Kind::InvalidValue(InvalidValue { expected, found, .. }) => {
                let found = found.as_ref().map(|_| SENSITIVE.to_owned());
                Kind::InvalidValue(InvalidValue {
                    expected: expected.clone(),
                    found,
                    ..InvalidValue::default()
                })
            }
            Kind::NumberOutOfRange { range, .. } => {
                Kind::NumberOutOfRange { range: range.clone(), found: None }
            }
            Kind::LengthMismatch { kind, of, expected, .. } => {
                Kind::LengthMismatch { kind, of, expected: *expected, found: None }
            }
            Kind::UnsupportedAttribute(_) => Kind::UnsupportedAttribute(None),
            Kind::AttributeMismatch { missing, .. } if missing.is_empty() => Kind::UnsupportedAttribute(None),
            Kind::AttributeMismatch { missing, .. } => Kind::MissingAttributes(missing.clone()),
            Kind::Malformed(_) => Kind::Malformed("the encoding is malformed".into()),
            Kind::TooManyElements(_) => Kind::TooManyElements(None),
            // The path of the cause is omitted, because it can contain keys of the value.
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

/// If Terraform reports the same error, the message is that of Terraform.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::TypeMismatch { expected, found } => {
                write!(f, "{expected} required")?;
                found.as_ref().map_or(Ok(()), |found| write!(f, ", but have {found}"))
            }
            Kind::InvalidValue(InvalidValue { expected, hint, found, reason, suggestion }) => {
                write!(f, "{expected} is required")?;
                let optional = |f: &mut fmt::Formatter<'_>, before: &str, part: Option<&str>| {
                    part.map_or(Ok(()), |part| write!(f, "{before}{part}"))
                };
                optional(f, "; ", hint.as_deref())?;
                optional(f, ", but got ", found.as_deref())?;
                optional(f, ": ", reason.as_deref())?;
                suggestion.as_ref().map_or(Ok(()), |it| write!(f, "; did you mean {it:?}?"))
            }
            Kind::NumberOutOfRange { range, found: Some(found) } => {
                let (expected, found) = (range.describe_for(found), truncated(found.to_string()));
                write!(f, "{expected} is required, but got {found}")
            }
            Kind::NumberOutOfRange { range, found: None } => {
                write!(f, "{range} is required, but got {SENSITIVE}")
            }
            Kind::Unknown { context } => write!(f, "the value is unknown; {context}"),
            Kind::Null => f.write_str("the value must not be null"),
            Kind::MissingAttributes(names) => write_missing(f, names),
            Kind::MissingElement(name) => write!(f, "map has no element for required attribute {name:?}"),
            Kind::AttributeMismatch { missing, unsupported } => {
                if !missing.is_empty() {
                    write_missing(f, missing)?;
                    f.write_str("; ")?;
                }
                let names: Vec<String> = unsupported.iter().map(|name| format!("{name:?}")).collect();
                let plural = if names.len() == 1 { "" } else { "s" };
                write!(f, "unsupported attribute{plural} {}", names.join(", "))
            }
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
            Kind::TooManyElements(count) => {
                f.write_str("too many elements: ")?;
                if let Some((count, before)) = count {
                    write!(f, "this collection has {count}")?;
                    // Otherwise, the collection alone exceeds the limit.
                    if *count <= MAX_ELEMENTS {
                        write!(f, " in addition to {before} before it")?;
                    }
                    f.write_str(", and ")?;
                }
                write!(f, "a value can have at most {MAX_ELEMENTS} elements and attributes at all depths")
            }
            Kind::Number(error) => error.fmt(f),
            Kind::Context { context, cause } => write!(f, "{context}: {cause}"),
            // Only the redacted message is printed here: `Error::new` sets the message itself.
            Kind::Custom => {
                f.write_str("the value is not valid; the reason is not shown because the value is sensitive")
            }
        }
    }
}

/// Writes the message for missing attributes: `attributes "a" and "b" are required`.
fn write_missing(f: &mut fmt::Formatter<'_>, names: &[Arc<str>]) -> fmt::Result {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    match &*quoted {
        [] => f.write_str("an attribute is required"),
        [name] => write!(f, "attribute {name} is required"),
        [first, second] => write!(f, "attributes {first} and {second} are required"),
        [first @ .., last] => write!(f, "attributes {}, and {last} are required", first.join(", ")),
    }
}

/// Returns a number with its noun: `1 element`, `2 elements`.
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
