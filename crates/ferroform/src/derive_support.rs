//! What the output of the derive calls, next to the public API.

use ferroform_engine::schema::Upgrades;
use ferroform_engine::type_mismatch::mismatch;
use ferroform_value::{Error, Refinements, Value};

use crate::Model;
use crate::attr::{Attr, Unhandled};
use crate::schema::{Becomes, UpgradesExt};
use crate::validators::{IntoValidator, Validator};

/// Used by the derive: a rule of a newtype.
#[doc(hidden)]
pub fn rule<T: Attr, How>(rule: impl IntoValidator<T, How>) -> Validator<T> {
    rule.into_validator()
}

/// Used by the derive: the verdict of the rules on what is inside a newtype, as it was read from a value.
#[doc(hidden)]
pub fn judge<T: Attr>(
    rules: &[Validator<T>],
    it: &T,
    from: &Value,
    unhandled: Unhandled,
) -> Result<(), Error> {
    match first_fault(rules, &it.to_value()) {
        // A default value that the rule refuses is nobody's: there is none, and so it is about what came.
        Some(_) if unhandled.covers(from) && T::from_value(from).is_err() => T::from_value(from).map(drop),
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// The same for a value of which only this much is known.
#[doc(hidden)]
pub fn judge_early<T: Attr>(rules: &[Validator<T>], known: &Refinements) -> Result<(), Error> {
    first_fault(rules, &Value::Unknown(Some(Box::new(known.clone())))).map_or(Ok(()), Err)
}

fn first_fault<T>(rules: &[Validator<T>], value: &Value) -> Option<Error> {
    let first = |rule| Some((rule, Validator::judge(rule, value).err()?.into_iter().next()?));
    let (rule, fault) = rules.iter().find_map(first)?;
    let message = if fault.detail.is_empty() { fault.summary } else { fault.detail };
    let error = Error::new(message).under(&fault.path.unwrap_or_default());
    Some(match rule.text() {
        _ if rule.is_constant() => {
            let message = error.message().to_owned();
            error.with_redacted(message)
        }
        "" => error,
        text => error.with_redacted(format!("{text} is required")),
    })
}

/// Used by the derive: an error where an unknown value can be none of an enum's texts.
#[doc(hidden)]
pub fn none_early(wanted: &str, texts: &[&str], known: &Refinements) -> Result<(), Error> {
    match known.prefix() {
        Some(prefix) if !texts.iter().any(|it| it.starts_with(prefix)) => {
            let error = Error::new(format!("{wanted} is required, but this begins with {prefix:?}"));
            Err(error.with_redacted(format!("{wanted} is required")))
        }
        _ => Ok(()),
    }
}

/// Used by the derive: the error for a value that no variant of an enum is.
#[doc(hidden)]
pub fn none_of(wanted: &str, value: &Value) -> Error {
    match value {
        Value::String(given) => Error::invalid_value(wanted, format_args!("{given:?}")),
        _ => mismatch(wanted, value),
    }
}

/// Used by the derive: the steps to a model from its earlier one. A compile error with the message where a
/// version between the two is left out.
#[doc(hidden)]
#[track_caller]
pub const fn upgrades<Old: Becomes<New>, New: Model>(gap: &'static str) -> fn() -> Upgrades {
    if Old::VERSION + 1 != New::VERSION {
        panic!("{}", gap);
    }
    <Upgrades as UpgradesExt>::to::<Old, New>
}
