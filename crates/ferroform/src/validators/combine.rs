//! Validators for all types, and combinations of validators.

use std::sync::Arc;

use ferroform_value::{NumberRange, Path, Refinements, Step, Type, Value, suggest};

use super::read;
use crate::{Attr, AttrValue, Diagnostic, Diagnostics, Severity};
use ferroform_engine::validator::{
    Hint, INVALID_MATCH, INVALID_VALUE, InputForm, Validator, can_equal, describe_refinements,
    effective_range, invalid, is_conversion_error,
};

/// The result of a validator.
type Outcome = Result<(), Diagnostics>;
/// The results of several validators, computed one at a time.
type Outcomes<'a> = &'a mut dyn Iterator<Item = Outcome>;

fn listed<T: AttrValue>(
    word: &str,
    values: impl IntoIterator<Item: Into<T>>,
    expected: bool,
) -> Validator<T> {
    let values: Vec<T> = values.into_iter().map(Into::into).collect();
    let printed: Vec<Value> = values.iter().map(T::to_value).collect();
    let description = format!("{word} {}", printed.iter().map(T::__display).collect::<Vec<_>>().join(", "));
    let expected_for_refinements = description.clone();
    let hints: Vec<Hint> = match expected {
        true => printed.iter().map(|it| Hint::Value(it.without_type().clone())).collect(),
        false => Vec::new(),
    };
    let names: Vec<String> = match expected {
        true => printed.iter().filter_map(|it| Some(it.without_type().as_str()?.to_owned())).collect(),
        false => Vec::new(),
    };
    let validator = Validator::new(description.clone(), move |value| {
        let it = read::<T>(value)?;
        if values.contains(&it) == expected {
            return Ok(());
        }
        let nearest = value.without_type().as_str().and_then(|it| nearest(it, &names));
        let nearest = nearest.unwrap_or_default();
        Err(invalid(
            INVALID_MATCH,
            format!("{description} is required, but got {}{nearest}", value.summary()),
        ))
    });
    let validator = validator.with_input_form(InputForm::Dynamic).with_hints(hints);
    validator.check_refinements(move |known| match describe_refinements(known) {
        // If different values can be equal in the Rust type, the prefix of a string is not sufficient to reject it.
        Some(what) if expected && T::EXACT && !printed.iter().any(|it| can_equal(known, it)) => {
            Err(invalid(INVALID_MATCH, format!("{expected_for_refinements} is required, but this {what}")))
        }
        _ => Ok(()),
    })
}

/// The end of a message that suggests the most similar of the accepted strings.
pub(super) fn nearest(string: &str, accepted: &[String]) -> Option<String> {
    // A single accepted string needs no suggestion.
    let nearest = suggest(string, accepted.iter().map(String::as_str)).filter(|_| accepted.len() > 1)?;
    Some(format!("; did you mean {nearest:?}?"))
}

/// Accepts only these values.
///
/// ```
/// use ferroform::Model;
/// use ferroform::validators::{one_of};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(validate = one_of(["small", "large"]))]
///     size: String,
/// }
/// ```
pub fn one_of<T: AttrValue>(values: impl IntoIterator<Item: Into<T>>) -> Validator<T> {
    listed("one of", values, true)
}

/// Rejects these values.
///
/// ```
/// use ferroform::Model;
/// use ferroform::validators::{none_of};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(validate = none_of([22_u16, 25]))]
///     port: u16,
/// }
/// ```
pub fn none_of<T: AttrValue>(values: impl IntoIterator<Item: Into<T>>) -> Validator<T> {
    listed("a value other than", values, false)
}

/// Accepts only this value. Useful inside [`not`] and [`any`].
pub fn equals<T: AttrValue>(value: impl Into<T>) -> Validator<T> {
    listed("the value", [value], true)
}

/// Requires all of these validators, for use inside [`any`] and [`not`]. To require several validators of an attribute,
/// repeat `validate`.
pub fn all<T: Attr>(validators: impl IntoIterator<Item = Validator<T>>) -> Validator<T> {
    let validators: Vec<Validator<T>> = validators.into_iter().collect();
    let ranges = ranges_of_all(&validators);
    let combined = combined(validators, " and ", |found| {
        let mut all = Diagnostics::new();
        for it in found {
            all.ok_or_extend(it);
        }
        outcome_of(all)
    });
    combined.with_ranges(ranges)
}

/// The ranges of numbers that all validators require together.
fn ranges_of_all<T>(validators: &[Validator<T>]) -> Vec<Option<NumberRange>> {
    let depth = validators.iter().map(|it| it.ranges().len()).max().unwrap_or_default();
    let path_of_depth = |depth| std::iter::repeat_n(Step::Index(0), depth).collect::<Path>();
    (0..depth).map(|depth| effective_range(validators, &path_of_depth(depth))).collect()
}

/// Requires at least one of these validators. Reports the warnings of the first one that accepts the value, or
/// otherwise all errors.
///
/// ```
/// use ferroform::Model;
/// use ferroform::validators::{any, at_least, one_of};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(validate = any([at_least(1024), one_of([80_u16, 443])]))]
///     port: u16,
/// }
/// ```
pub fn any<T: Attr>(validators: impl IntoIterator<Item = Validator<T>>) -> Validator<T> {
    combined(validators, " or ", |found| alternatives(found, false))
}

/// As [`any`], but reports the warnings of all validators.
pub fn any_with_all_warnings<T: Attr>(validators: impl IntoIterator<Item = Validator<T>>) -> Validator<T> {
    combined(validators, " or ", |found| alternatives(found, true))
}

/// Accepts the values that a validator rejects. The message describes what is required. A value with unknown parts is
/// not validated until it is known.
///
/// ```
/// use ferroform::Model;
/// use ferroform::validators::{matches, not};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(validate = not(matches("^tmp-", ""), "a name that does not begin with tmp- is required"))]
///     name: String,
/// }
/// ```
pub fn not<T: Attr>(validator: Validator<T>, message: impl Into<String>) -> Validator<T> {
    let message = message.into();
    let (inner, input_form) = (validator.clone(), validator.input_form());
    let validator = Validator::new(message.clone(), move |value| match validator.validate(value) {
        Err(found) if found.iter().any(is_conversion_error) => Err(found),
        Err(found) if found.has_error() => Ok(()),
        _ => Err(invalid(INVALID_VALUE, &message)),
    });
    validator.check_type(move |ty| inner.type_error(ty)).with_input_form(input_form)
}

/// Reports the errors of a validator as warnings and accepts the value.
///
/// ```
/// use ferroform::Model;
/// use ferroform::validators::{length_at_least, warning};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(validate = warning(length_at_least(12)))]
///     password: String,
/// }
/// ```
pub fn warning<T: Attr>(validator: Validator<T>) -> Validator<T> {
    let downgrade = |found: Outcome| {
        let to_warning = |mut it: Diagnostic| {
            if !is_conversion_error(&it) {
                it.severity = Severity::Warning;
            }
            it
        };
        found.map_err(|it| it.into_iter().map(to_warning).collect::<Diagnostics>())
    };
    let (description, inner, early) =
        (validator.description().to_owned(), validator.clone(), validator.clone());
    let (constant, input_form) = (validator.is_constant(), validator.input_form());
    let to_warning = Validator::new(description, move |value| downgrade(validator.validate(value)))
        .check_refinements(move |known| downgrade(early.validate(&unknown(known))))
        .check_type(move |ty| inner.type_error(ty));
    to_warning.partial().constant(constant).with_input_form(input_form)
}

/// A validator that combines the results of others.
fn combined<T: Attr>(
    validators: impl IntoIterator<Item = Validator<T>>,
    with: &str,
    outcome: fn(Outcomes<'_>) -> Outcome,
) -> Validator<T> {
    let validators: Arc<[Validator<T>]> = validators.into_iter().collect();
    let descriptions = validators.iter().map(Validator::description).filter(|it| !it.is_empty());
    let description = descriptions.collect::<Vec<_>>().join(with);
    let constant = validators.iter().all(Validator::is_constant);
    let input_form = validators.iter().map(Validator::input_form).max().unwrap_or_default();
    let hints: Vec<Hint> = validators.iter().flat_map(|it| it.hints().iter().cloned()).collect();
    let (early, inner) = (validators.clone(), validators.clone());
    let validator = Validator::new(description, move |value| {
        outcome(&mut validators.iter().map(|it| it.validate(value)))
    })
    .check_refinements(move |known| {
        let known = unknown(known);
        outcome(&mut early.iter().map(|it| it.validate(&known)))
    })
    .check_type(move |ty: &Type| inner.iter().find_map(|it| it.type_error(ty)));
    validator.partial().constant(constant).with_input_form(input_form).with_hints(hints)
}

fn unknown(known: &Refinements) -> Value {
    Value::Unknown(Some(Box::new(known.clone())))
}

fn outcome_of(found: Diagnostics) -> Outcome {
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn alternatives(all: Outcomes<'_>, all_warnings: bool) -> Outcome {
    let mut found = Diagnostics::new();
    let mut accepted = false;
    for it in all {
        match it {
            Err(errors) if errors.has_error() => found.extend(errors),
            accepting if !all_warnings => return accepting,
            accepting => {
                accepted = true;
                found.ok_or_extend(accepting);
            }
        }
    }
    if accepted {
        found = found.warnings().cloned().collect();
    }
    outcome_of(found)
}
