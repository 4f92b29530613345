//! Functions that the generated code of the derives calls, re-exported by `__private`.

use ferroform_engine::type_mismatch::mismatch;
use ferroform_value::{Error, Refinements, Value};

use crate::attr::{Attr, Unhandled};
use crate::validators::Validator;

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
    let message = if diagnostic.detail.is_empty() { diagnostic.summary } else { diagnostic.detail };
    let error = Error::new(message).at(diagnostic.path.unwrap_or_default());
    Some(match validator.description() {
        _ if validator.is_constant() => {
            let message = error.message().to_owned();
            error.with_redacted(message)
        }
        "" => error,
        description => error.with_redacted(format!("{description} is required")),
    })
}

/// Rejects an unknown string whose known prefix belongs to no variant of an enum.
pub fn check_enum_refinements(expected: &str, variants: &[&str], known: &Refinements) -> Result<(), Error> {
    match known.prefix() {
        Some(prefix) if !variants.iter().any(|it| it.starts_with(prefix)) => {
            let error = Error::new(format!("{expected} is required, but this begins with {prefix:?}"));
            Err(error.with_redacted(format!("{expected} is required")))
        }
        _ => Ok(()),
    }
}

/// The error for a value that is not a variant of an enum.
pub fn unknown_variant(expected: &str, value: &Value) -> Error {
    match value {
        Value::String(string) => Error::invalid_value(expected, format_args!("{string:?}")),
        _ => mismatch(expected, value),
    }
}
