//! Functions that the generated code of the derives calls, re-exported by `__private`.

mod field;

pub use self::field::{Field, NotAnAttributeType};
use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_engine::function::FunctionSignature;
use ferroform_engine::type_mismatch::mismatch;
use ferroform_engine::validator::{INVALID_MATCH, effective_range, with_effective_range};
use ferroform_value::{Error, NumberRange, Path, Refinements, Value};

use crate::attr::{Attr, Unhandled};
use crate::validators::{Hint, Validator};

/// Two values of a type, with or without `PartialEq`. The derive calls `are_equal` on a
/// reference, so that the compiler prefers [`WithPartialEq`] over [`WithoutPartialEq`].
#[derive(Debug)]
pub struct Compared<'a, T>(pub &'a T, pub &'a T);

/// The comparison of a type that implements `PartialEq`.
pub trait WithPartialEq {
    /// Compares the two values.
    fn are_equal(&self) -> bool;
}

impl<T: PartialEq> WithPartialEq for Compared<'_, T> {
    fn are_equal(&self) -> bool {
        self.0 == self.1
    }
}

/// The comparison of a type without `PartialEq`, which the derive rejects.
pub trait WithoutPartialEq {
    /// Returns false.
    fn are_equal(&self) -> bool;
}

impl<T> WithoutPartialEq for &Compared<'_, T> {
    fn are_equal(&self) -> bool {
        false
    }
}

/// Marks a parameter as accepting unknown values if its type is a `Maybe`.
pub fn with_unknown<T: Attr>(signature: FunctionSignature, name: &'static str) -> FunctionSignature {
    match T::from_value(&Value::UNKNOWN) {
        Ok(_) => signature.allow_unknown(name),
        Err(_) => signature,
    }
}

/// The length of [`joined_descriptions`].
pub const fn joined_descriptions_length(first: &str, second: &str) -> usize {
    if second.is_empty() { first.len() } else { first.len() + 2 + second.len() }
}

/// The description of a newtype and that of the type inside, with an empty line between them. `LENGTH` is
/// [`joined_descriptions_length`].
pub const fn joined_descriptions<const LENGTH: usize>(first: &str, second: &str) -> [u8; LENGTH] {
    let (first, second) = (first.as_bytes(), second.as_bytes());
    let mut joined = [b'\n'; LENGTH];
    let mut i = 0;
    while i < LENGTH {
        if i < first.len() {
            joined[i] = first[i];
        } else if i >= first.len() + 2 {
            joined[i] = second[i - first.len() - 2];
        }
        i += 1;
    }
    joined
}

/// Validates the value inside a newtype. `from` is the value that it was read from.
pub fn validate_newtype<T: Attr>(
    validators: &[Validator<T>],
    inner: &T,
    from: &Value,
    unhandled: Unhandled,
) -> Result<(), Error> {
    match first_error(validators, &inner.to_value()) {
        // The value is the default value that replaces a null, and the validators reject it: the error is that null is
        // not allowed.
        Some(_) if unhandled.covers(from) && T::from_value(from).is_err() => T::from_value(from).map(drop),
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Validates an unknown value of a newtype by its refinements.
pub fn validate_refinements<T: Attr>(validators: &[Validator<T>], known: &Refinements) -> Result<(), Error> {
    first_error(validators, &Value::Unknown(Some(Box::new(known.clone())))).map_or(Ok(()), Err)
}

fn first_error<T>(validators: &[Validator<T>], value: &Value) -> Option<Error> {
    let first =
        |validator| Some((validator, Validator::validate(validator, value).err()?.into_iter().next()?));
    let (validator, diagnostic) = validators.iter().find_map(first)?;
    let path = diagnostic.path.clone().unwrap_or_default();
    if let DiagnosticKind::NumberOutOfRange(error) = diagnostic.kind() {
        return Some(with_effective_range(validators, error.clone().with_path(path)));
    }
    let message = if diagnostic.detail.is_empty() { diagnostic.summary } else { diagnostic.detail };
    let error = Error::new(message).at(path);
    Some(match validator.description() {
        _ if validator.is_constant() => {
            let message = error.message().to_owned();
            error.with_redacted(message)
        }
        "" => error,
        description => error.with_redacted(format!("requirement: {description}")),
    })
}

/// Names the range that the type inside a newtype and its validators require together, in an error of that type.
pub fn narrow_range<T>(validators: &[Validator<T>], error: Error) -> Error {
    with_effective_range(validators, error)
}

/// The range of the numbers of a newtype: those of the type inside that its validators accept.
pub fn number_range<T: Attr>(validators: &[Validator<T>]) -> Option<NumberRange> {
    let range = effective_range(validators, &Path::ROOT);
    match (T::__number_range(), range) {
        (Some(of_type), Some(range)) => Some(of_type.intersection(&range)),
        (of_type, range) => of_type.or(range),
    }
}

/// The hints at values of a newtype: those of its validators and of the type inside.
pub fn hints<T: Attr>(validators: &[Validator<T>]) -> Vec<Hint> {
    let of_validators = validators.iter().flat_map(|it| it.hints().iter().cloned());
    of_validators.chain(T::hints()).collect()
}

/// Rejects an unknown string whose known prefix belongs to no variant of an enum.
pub fn check_enum_refinements(expected: &str, variants: &[&str], known: &Refinements) -> Result<(), Error> {
    match known.prefix() {
        Some(prefix) if !variants.iter().any(|it| it.starts_with(prefix)) => {
            let error = Error::new(format!("{expected} is required, but this begins with {prefix:?}"));
            Err(error.with_redacted(format!("{expected} is required")).with_summary(INVALID_MATCH))
        }
        _ => Ok(()),
    }
}

/// The error for a value that is not a variant of an enum.
pub fn unknown_variant(expected: &str, variants: &[&str], value: &Value) -> Error {
    match value {
        Value::String(string) => {
            Error::unknown_name(expected, string, variants.iter().copied()).with_summary(INVALID_MATCH)
        }
        _ => mismatch(expected, value),
    }
}
