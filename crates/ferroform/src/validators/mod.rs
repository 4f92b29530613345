//! Rules for the values of attributes: what `#[attr(validate = …)]` takes.
//!
//! A rule is a function of a reference to the value, or one of those made here:
//!
//! ```
//! use ferroform::Model;
//! use ferroform::validators::{between, each, length_at_most, matches, one_of, size_at_least};
//!
//! /// A machine.
//! #[derive(Model, Clone, Debug, PartialEq)]
//! struct Machine {
//!     /// Its name.
//!     #[attr(validate = matches("^[a-z]+$", "only lowercase letters are allowed"))]
//!     name: String,
//!     /// How large it is.
//!     #[attr(validate = one_of(["small", "large"]))]
//!     size: Option<String>,
//!     /// How many of them.
//!     #[attr(default = 1, validate = between(1, 10))]
//!     count: i64,
//!     /// What they are for.
//!     #[attr(validate = size_at_least(1), validate = each(length_at_most(20)))]
//!     tags: Option<Vec<String>>,
//!     /// The user that owns it.
//!     #[attr(validate = not_root)]
//!     owner: Option<String>,
//! }
//!
//! fn not_root(user: &str) -> Result<(), &'static str> {
//!     if user == "root" { Err("a user other than root is required") } else { Ok(()) }
//! }
//! ```
//!
//! A rule sees known values only: null and unknown never reach it. What is in the `validators` packages of the
//! Go framework is here by the same names.

pub(crate) mod attr_kinds;
mod collections;
mod combine;
mod numbers;
mod objects;
mod strings;

use std::any::{Any, TypeId};
use std::borrow::Borrow;
use std::fmt;
use std::sync::LazyLock;

use ferroform_engine::planning::defaults::{self, DefaultScope};
pub use ferroform_engine::validator::Validator;
use ferroform_engine::validator::{InputForm, conversion_error, invalid, type_conflict};
use ferroform_value::{Type, Value};

use crate::{Attr, Diagnostic, Diagnostics};
use ferroform_engine::schema::Nested;

pub use self::attr_kinds::{NumberAttr, StringAttr};
pub use self::collections::{
    CollectionAttr, MapAttr, each, each_key, no_null_values, size_at_least, size_at_most, size_between,
    unique_values,
};
pub use self::combine::{all, any, any_with_all_warnings, not, warning};
pub use self::combine::{equals, none_of, one_of};
pub use self::numbers::{at_least, at_most, between};
pub use self::objects::configured;
pub use self::strings::{
    json, length_at_least, length_at_most, length_between, matches, none_of_case_insensitive,
    one_of_case_insensitive, utf8_length_at_least, utf8_length_at_most, utf8_length_between,
};

/// The same rule where the type is not known, as in a schema. It makes no sense for values of another type.
pub(crate) fn erased<T: Attr>(rule: Validator<T>) -> Validator<Value> {
    let inner = rule.clone();
    let takes = if is_any::<T>() { rule.input_form() } else { InputForm::Plain };
    let rule = rule.check_type(move |ty| inner.type_error(ty).or_else(|| type_conflict(&T::ty(), ty)));
    rule.erase().with_input_form(takes)
}

/// What can be a rule for the type `T`: a [`Validator`], or a function of a reference to it that answers why a value
/// is refused.
///
/// `How` tells the two apart for the compiler.
#[diagnostic::on_unimplemented(
    message = "this cannot judge a `{T}`",
    label = "not a rule for `{T}`",
    note = "a rule is a function `fn(&{T}) -> Result<(), impl Display>`, or one of `ferroform::validators`"
)]
pub trait IntoValidator<T, How> {
    /// The rule.
    fn into_validator(self) -> Validator<T>;
}

impl<T> IntoValidator<T, Validator<T>> for Validator<T> {
    fn into_validator(self) -> Validator<T> {
        self
    }
}

impl<T, B, E, F> IntoValidator<T, fn(&B) -> E> for F
where
    T: Attr + Borrow<B>,
    B: ?Sized,
    E: fmt::Display + 'static,
    F: Fn(&B) -> Result<(), E> + Send + Sync + 'static,
{
    fn into_validator(self) -> Validator<T> {
        let nested = LazyLock::new(T::nested);
        let rule = Validator::new("", move |value| {
            // In a `T` every attribute with a default has a value. One that has none is said elsewhere.
            let Some(Nested { nesting, block, .. }) = nested.as_ref().filter(|_| T::FACTS.is_model) else {
                return self(read::<T>(value)?.borrow()).map_err(complaint);
            };
            let Ok(filled) = defaults::apply_nested_defaults(*nesting, block, value, DefaultScope::All)
            else {
                return Ok(());
            };
            let judged = self(read::<T>(&filled)?.borrow()).map_err(complaint);
            judged
                .map_err(|it| defaults::with_configured_paths(*nesting, block, value, DefaultScope::All, it))
        });
        let rule = rule.check_type(|_| {
            let sees = !T::HOLDS_COMPUTED && !T::FACTS.has_write_only;
            (!sees).then(|| "it is a function of an object, but the configuration has no computed attributes and the state no write-only ones: use `validators::configured`".to_owned())
        });
        rule.constant(is_constant::<E>()).with_input_form(InputForm::DynamicWithDefaults)
    }
}

/// Used by the derive: gives the parameter of a closure its type.
#[doc(hidden)]
pub fn validator_function<T, E>(
    f: impl Fn(&T) -> Result<(), E> + Send + Sync + 'static,
) -> impl Fn(&T) -> Result<(), E> + Send + Sync + 'static {
    f
}

/// A text that is written in the program has nothing of the value in it.
fn is_constant<E: 'static>() -> bool {
    TypeId::of::<E>() == TypeId::of::<&'static str>()
}

/// An author's own error: a diagnostic as it is, any other as the detail of one.
fn complaint<E: fmt::Display + 'static>(error: E) -> Diagnostics {
    let any: &dyn Any = &error;
    if let Some(all) = any.downcast_ref::<Diagnostics>() {
        return all.clone();
    }
    if let Some(one) = any.downcast_ref::<Diagnostic>() {
        return one.clone().into();
    }
    invalid("Invalid Attribute Value", error)
}

/// True for what holds values of any type. A model is never one, and may just be asked for its schema.
fn is_any<T: Attr>() -> bool {
    T::FACTS.has_dynamic && !T::FACTS.is_model && T::ty() == Type::Dynamic
}

/// The value as the type that a rule is for; of a value of any type, what it is.
fn read<T: Attr>(value: &Value) -> Result<T, Diagnostics> {
    let read = T::from_value(value);
    let bare = value.without_type();
    let read = if std::ptr::eq(bare, value) { read } else { read.or_else(|_| T::from_value(bare)) };
    read.map_err(|it| conversion_error(&it))
}
