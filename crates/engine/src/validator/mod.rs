//! Validators of configured values.
//! A validator receives values that are wholly known. With [`Validator::check_refinements`] it also validates unknown
//! values by their refinements, and with [`Validator::partial`] collections with unknown elements.

mod dynamic_adapter;
mod length;
mod refinements;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ferroform_value::{Error, NumberRange, Object, Path, Refinements, Type, Value};

pub use self::dynamic_adapter::DynamicAdapter;
pub use self::length::{element_count_between, is_collection, item_limits, length, unsupported_type};
pub use self::refinements::{
    can_be_in_range, can_equal, can_have_length, compare_numbers, describe_refinements,
};
use crate::diagnostic::sentence;
use crate::diagnostic_kind::{ConversionError, DiagnosticKind};
use crate::type_mismatch::{self, mismatch};
use crate::{Diagnostic, Diagnostics};

/// The form in which a validator that accepts values of any type receives an object whose attribute has no Rust type.
/// If several validators are combined, the greatest form is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputForm {
    /// As the [`Value`] itself.
    #[default]
    Plain,
    /// As a `ferroform::Dynamic`, with its type.
    Dynamic,
    /// As a `ferroform::Dynamic`, with its type and all defaults.
    DynamicWithDefaults,
}

/// A hint at values that satisfy a validator or that a type can hold, for tools that generate values. A hint applies to the value
/// itself or, in a collection, to its elements or keys. A tool still has to check each generated value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Hint {
    /// The value.
    Value(Value),
    /// A regular expression that matches the string.
    Pattern(Arc<str>),
}

type ValidateFn = dyn Fn(&Value) -> Result<(), Diagnostics> + Send + Sync;
type RefinementsFn = dyn Fn(&Refinements) -> Result<(), Diagnostics> + Send + Sync;
type TypeCheckFn = dyn Fn(&Type) -> Option<String> + Send + Sync;

/// A validator of the configured values of an attribute of the Rust type `T`.
///
/// ```
/// use ferroform_engine::validator::{Validator, invalid};
/// use ferroform_engine::value::Value;
///
/// let validator = Validator::<String>::new("a value other than root", |value| match value.as_str() {
///     Some("root") => Err(invalid("Invalid Attribute Value", "a value other than root is required")),
///     _ => Ok(()),
/// });
/// assert!(validator.validate(&Value::string("alice")).is_ok());
/// assert!(validator.validate(&Value::string("root")).is_err());
/// assert!(validator.validate(&Value::UNKNOWN).is_ok());
/// ```
pub struct Validator<T> {
    validate: Arc<ValidateFn>,
    /// Validates an unknown value by its refinements.
    refinements_check: Option<Arc<RefinementsFn>>,
    /// Checks whether the validator supports a type.
    type_check: Option<Arc<TypeCheckFn>>,
    partial: bool,
    before_conversion: bool,
    description: Arc<str>,
    /// True if the messages cannot contain the value.
    constant: bool,
    input_form: InputForm,
    /// The required ranges of numbers: of the value itself, of its elements, of their elements, and so on.
    ranges: Vec<Option<NumberRange>>,
    hints: Vec<Hint>,
    of: PhantomData<fn(&T)>,
}

impl<T> Validator<T> {
    /// A validator of values that are wholly known. The description names the requirement, such as
    /// `at most 20 characters`.
    pub fn new(
        description: impl Into<Arc<str>>,
        validate: impl Fn(&Value) -> Result<(), Diagnostics> + Send + Sync + 'static,
    ) -> Validator<T> {
        Validator {
            validate: Arc::new(validate),
            refinements_check: None,
            type_check: None,
            partial: false,
            before_conversion: false,
            description: description.into(),
            constant: false,
            input_form: InputForm::Plain,
            ranges: Vec::new(),
            hints: Vec::new(),
            of: PhantomData,
        }
    }

    /// Validates unknown values as well, by their refinements: an unknown URL that begins with `http:` cannot satisfy a
    /// validator that requires `https:`.
    #[must_use]
    pub fn check_refinements(
        mut self,
        check: impl Fn(&Refinements) -> Result<(), Diagnostics> + Send + Sync + 'static,
    ) -> Validator<T> {
        self.refinements_check = Some(Arc::new(check));
        self
    }

    /// Checks whether the validator supports the type of the attribute, when the schema is checked. The function
    /// returns the reason if it does not.
    #[must_use]
    pub fn check_type(
        mut self,
        check: impl Fn(&Type) -> Option<String> + Send + Sync + 'static,
    ) -> Validator<T> {
        self.type_check = Some(Arc::new(check));
        self
    }

    /// Validates collections with unknown or null elements as well.
    #[must_use]
    pub fn partial(mut self) -> Validator<T> {
        self.partial = true;
        self
    }

    /// Runs the validator even if a value cannot be converted to the Rust type of the attribute. If it rejects such a value, its error is
    /// reported instead of the error of the conversion.
    #[must_use]
    pub fn before_conversion(mut self) -> Validator<T> {
        self.before_conversion = true;
        self
    }

    /// True if the validator runs even if a value cannot be converted to the Rust type of the attribute.
    pub fn is_before_conversion(&self) -> bool {
        self.before_conversion
    }

    /// Declares that the messages cannot contain the value, so that they can be shown for a sensitive value too.
    #[must_use]
    pub fn constant(mut self, constant: bool) -> Validator<T> {
        self.constant = constant;
        self
    }

    /// Sets how the validator receives objects, if it accepts values of any type.
    #[must_use]
    pub fn with_input_form(mut self, input_form: InputForm) -> Validator<T> {
        self.input_form = input_form;
        self
    }

    /// Declares the required ranges of numbers: of the value itself, of its elements, of their elements, and so on.
    /// Messages about a number name the range that all validators of an attribute require together.
    #[must_use]
    pub fn with_ranges(mut self, ranges: Vec<Option<NumberRange>>) -> Validator<T> {
        self.ranges = ranges;
        self
    }

    /// The required ranges of numbers, as for [`with_ranges`](Validator::with_ranges).
    pub fn ranges(&self) -> &[Option<NumberRange>] {
        &self.ranges
    }

    /// Adds hints at values that satisfy the validator.
    #[must_use]
    pub fn with_hints(mut self, hints: impl IntoIterator<Item = Hint>) -> Validator<T> {
        self.hints.extend(hints);
        self
    }

    /// The hints at values that satisfy the validator; empty if there are none.
    pub fn hints(&self) -> &[Hint] {
        &self.hints
    }

    /// The requirement, such as `at most 20 characters`; empty if there is no description.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// True if the messages cannot contain the value.
    pub fn is_constant(&self) -> bool {
        self.constant
    }

    /// The form in which the validator receives objects, if it accepts values of any type.
    pub fn input_form(&self) -> InputForm {
        self.input_form
    }

    /// The reason why the validator does not support attributes of this type; `None` if it does.
    pub fn type_error(&self, ty: &Type) -> Option<String> {
        self.type_check.as_ref()?(ty)
    }

    /// Validates a value. Null is always valid. An unknown value is valid unless its refinements contradict the
    /// validator and exclude null.
    ///
    /// # Errors
    ///
    /// Returns the errors and warnings, with paths relative to the value.
    pub fn validate(&self, value: &Value) -> Result<(), Diagnostics> {
        match (value.without_type(), &self.refinements_check) {
            (Value::Unknown(Some(refinements)), Some(check)) if refinements.is_not_null() => {
                check(refinements)
            }
            (Value::Null | Value::Unknown(_), _) => Ok(()),
            (it, _) if self.partial || it.is_wholly_known() => (self.validate)(value),
            _ => Ok(()),
        }
    }

    /// The same validator without its Rust type.
    pub fn erase(self) -> Validator<Value> {
        let Validator { validate, refinements_check, type_check, partial, before_conversion, .. } = self;
        let Validator { description, constant, input_form, ranges, hints, .. } = self;
        Validator {
            validate,
            refinements_check,
            type_check,
            partial,
            before_conversion,
            description,
            constant,
            input_form,
            ranges,
            hints,
            of: PhantomData,
        }
    }
}

impl Validator<Value> {
    /// The same validator with its input converted by the adapter.
    pub fn adapted(self, adapter: DynamicAdapter) -> Validator<Value> {
        let validate = self.validate;
        Validator { validate: Arc::new(move |value| validate(&adapter.adapt_input(value))), ..self }
    }

    /// The same validator for objects that have further attributes: it receives only the attributes with these names.
    /// `ty` is the type of an object with only these attributes.
    pub fn for_attributes(self, names: Arc<[Arc<str>]>, ty: &Type) -> Validator<Value> {
        let is_seen = move |name: &Arc<str>| names.contains(name);
        let seen = is_seen.clone();
        let inner = match self.input_form {
            InputForm::Plain => self.clone(),
            _ => self.clone().adapted(DynamicAdapter::for_type(ty)),
        };
        let validator = Validator::new(self.description.clone(), move |value| match value.without_type() {
            Value::Object(it) => {
                let part = it.iter().filter(|(name, _)| seen(name));
                let part: Object = part.map(|(name, it)| (name.clone(), it.clone())).collect();
                inner.validate(&Value::Object(part))
            }
            _ => inner.validate(value),
        });
        let (inner, seen) = (self.clone(), is_seen);
        let validator = validator.check_type(move |ty| match ty {
            Type::Object(it) => {
                let part = it.attributes().iter().filter(|it| seen(&it.name));
                inner.type_error(&Type::object(part.map(|it| (it.name.clone(), it.ty.clone()))))
            }
            _ => inner.type_error(ty),
        });
        Validator { constant: self.constant, input_form: self.input_form, ..validator.partial() }
    }
}

impl<T> Clone for Validator<T> {
    fn clone(&self) -> Self {
        Validator {
            validate: self.validate.clone(),
            refinements_check: self.refinements_check.clone(),
            type_check: self.type_check.clone(),
            partial: self.partial,
            before_conversion: self.before_conversion,
            description: self.description.clone(),
            constant: self.constant,
            input_form: self.input_form,
            ranges: self.ranges.clone(),
            hints: self.hints.clone(),
            of: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Validator<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Validator").field(&self.description).finish()
    }
}

/// The range of numbers that all validators require together of the value at this path inside an attribute; `None` if
/// no validator requires one.
pub fn effective_range<T>(validators: &[Validator<T>], path: &Path) -> Option<NumberRange> {
    let ranges = validators.iter().filter_map(|it| it.ranges.get(path.steps().len())?.as_ref());
    ranges.cloned().reduce(|one, other| one.intersection(&other))
}

/// The error with the range that all validators require together, if it is about a number that is out of range. Its path
/// begins at the attribute.
pub fn with_effective_range<T>(validators: &[Validator<T>], error: Error) -> Error {
    if !error.is_number_out_of_range() {
        return error;
    }
    match effective_range(validators, error.path()) {
        Some(range) => error.narrowed_to(&range),
        None => error,
    }
}

/// The summary of diagnostics about a configured value that is not accepted.
pub const INVALID_VALUE: &str = "Invalid Attribute Value";

/// The summary of diagnostics about a configured value that is not one of the accepted ones, or does not match a pattern.
pub const INVALID_MATCH: &str = "Invalid Attribute Value Match";

/// The error about a number that is not in the range of a validator.
pub fn out_of_range(error: Error) -> Diagnostics {
    let diagnostic = Diagnostic::error(INVALID_VALUE).detail(sentence(error.message()));
    diagnostic.at(error.path().clone()).of_kind(DiagnosticKind::NumberOutOfRange(error)).into()
}

/// The error about a value that the Rust type of its attribute cannot hold. Every validator that reads the value
/// reports the same error.
pub fn conversion_error(error: &Error) -> Diagnostics {
    let conversion_error = ConversionError { redacted: sentence(&error.redacted()) };
    Diagnostic::error(error.summary().unwrap_or(INVALID_VALUE))
        .detail(sentence(&type_mismatch::message(error)))
        .at(error.path().clone())
        .of_kind(DiagnosticKind::ConversionError(conversion_error))
        .into()
}

/// True if the diagnostic is about a value that the Rust type of its attribute cannot hold.
pub fn is_conversion_error(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.kind(), DiagnosticKind::ConversionError(_))
}

/// The error about a function for values of one type that is used for an attribute of another type.
pub fn type_conflict(expected: &Type, ty: &Type) -> Option<String> {
    let differs = expected != ty && !expected.has_dynamic() && !ty.has_dynamic();
    differs.then(|| format!("it takes values of type {expected}, but the attribute is of type {ty}"))
}

/// The error about a value of another kind than the expected one: `a number is required, but got a string`.
pub fn kind_mismatch(expected: &str, value: &Value) -> Diagnostics {
    conversion_error(&mismatch(expected, value))
}

/// An error with this summary. The detail becomes a sentence.
pub fn invalid(summary: &str, detail: impl fmt::Display) -> Diagnostics {
    Diagnostic::error(summary).detail(sentence(&detail.to_string())).into()
}
