//! Validators for the values of attributes: the values of `#[attr(validate = …)]`.
//!
//! A validator is a function of a reference to the value, or one of the validators of this module:
//!
//! ```
//! use ferroform::Model;
//! use ferroform::validators::{between, each, length_at_most, matches, one_of, size_at_least};
//!
//! /// A machine.
//! #[derive(Model, Clone, Debug, PartialEq)]
//! struct Machine {
//!     /// The name of the machine.
//!     #[attr(validate = matches("^[a-z]+$", "only lowercase letters are allowed"))]
//!     name: String,
//!     /// The size of the machine.
//!     #[attr(validate = one_of(["small", "large"]))]
//!     size: Option<String>,
//!     /// The number of machines.
//!     #[attr(default = 1, validate = between(1, 10))]
//!     count: i64,
//!     /// The tags of the machines.
//!     #[attr(validate = size_at_least(1), validate = each(length_at_most(20)))]
//!     tags: Option<Vec<String>>,
//!     /// The user that owns the machine.
//!     #[attr(validate = not_root)]
//!     owner: Option<String>,
//! }
//!
//! fn not_root(user: &str) -> Result<(), &'static str> {
//!     if user == "root" { Err("a user other than root is required") } else { Ok(()) }
//! }
//! ```
//!
//! A validator only receives known values: null and unknown values are not validated. The validators are named after
//! those of the Go module `terraform-plugin-framework-validators`.
//!
//! | for | validators |
//! |---|---|
//! | any type | [`one_of`], [`none_of`], [`equals`] |
//! | strings | [`length_at_least`], [`length_at_most`], [`length_between`], [`utf8_length_at_least`], [`utf8_length_at_most`], [`utf8_length_between`], [`matches()`], [`json`], [`one_of_case_insensitive`], [`none_of_case_insensitive`] |
//! | numbers | [`at_least`], [`at_most`], [`between`] |
//! | collections | [`size_at_least`], [`size_at_most`], [`size_between`], [`unique_values`], [`no_null_values`], [`each`], [`each_key`] |
//! | objects | [`configured`] |
//! | other validators | [`all`], [`any`], [`any_with_all_warnings`], [`not`], [`warning`] |
//!
//! Relations between attributes, such as `conflicts_with`, are options of [`#[derive(Model)]`](derive@crate::Model).

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

use ferroform_engine::normalization::defaults::{self, DefaultScope};
pub use ferroform_engine::validator::{Hint, Validator};
use ferroform_engine::validator::{INVALID_VALUE, InputForm, conversion_error, invalid, type_conflict};
use ferroform_value::{Type, Value};

use crate::{Attr, Diagnostic, Diagnostics};

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

/// Erases the Rust type of a validator, for schemas. It rejects values of another type.
pub(crate) fn erased<T: Attr>(validator: Validator<T>) -> Validator<Value> {
    let inner = validator.clone();
    let input_form = if is_any::<T>() { validator.input_form() } else { InputForm::Plain };
    let validator =
        validator.check_type(move |ty| inner.type_error(ty).or_else(|| type_conflict(&T::ty(), ty)));
    validator.erase().with_input_form(input_form)
}

/// A validator for the type `T`: a [`Validator`], or a function that returns the reason why a value is rejected.
///
/// ```
/// use ferroform::Model;
///
/// /// A server.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Server {
///     #[attr(validate = unprivileged)]
///     port: u16,
/// }
///
/// fn unprivileged(port: &u16) -> Result<(), String> {
///     if *port < 1024 { Err(format!("the port {port} is reserved: use 1024 or above")) } else { Ok(()) }
/// }
/// ```
///
/// `Marker` distinguishes the two for the compiler.
#[diagnostic::on_unimplemented(
    message = "`validate` needs a validator for `{T}`",
    label = "this is `{Self}`",
    note = "a validator is a function `fn(&{T}) -> Result<(), impl Display>`, or one of `ferroform::validators`"
)]
pub trait IntoValidator<T, Marker> {
    /// Converts into a validator.
    fn into_validator(self) -> Validator<T>;
}

#[diagnostic::do_not_recommend]
impl<T> IntoValidator<T, Validator<T>> for Validator<T> {
    fn into_validator(self) -> Validator<T> {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T, B, E, F> IntoValidator<T, fn(&B) -> E> for F
where
    T: Attr + Borrow<B>,
    B: ?Sized,
    E: fmt::Display + 'static,
    F: Fn(&B) -> Result<(), E> + Send + Sync + 'static,
{
    fn into_validator(self) -> Validator<T> {
        let nested = LazyLock::new(T::nested);
        let validator = Validator::new("", move |value| {
            // The function receives a `T`, in which attributes have their defaults. A missing default is reported
            // elsewhere.
            let Some(nested) = nested.as_ref().filter(|_| T::FACTS.is_model) else {
                return self(read::<T>(value)?.borrow()).map_err(into_diagnostics);
            };
            let Ok(filled) =
                defaults::apply_nested_defaults(nested.nesting(), nested.block(), value, DefaultScope::All)
            else {
                return Ok(());
            };
            let validated = self(read::<T>(&filled)?.borrow()).map_err(into_diagnostics);
            validated.map_err(|it| {
                defaults::with_configured_paths(
                    nested.nesting(),
                    nested.block(),
                    value,
                    DefaultScope::All,
                    it,
                )
            })
        });
        let validator = validator.check_type(|_| {
            let can_validate = !T::HAS_COMPUTED && !T::FACTS.has_write_only;
            (!can_validate).then(|| "a function of the model cannot validate an object with computed or write-only attributes: use `validators::configured`".to_owned())
        });
        validator.constant(is_constant::<E>()).with_input_form(InputForm::DynamicWithDefaults)
    }
}

/// Used by the derive: gives the parameter of a closure its type.
#[doc(hidden)]
pub fn validator_function<T, E>(
    f: impl Fn(&T) -> Result<(), E> + Send + Sync + 'static,
) -> impl Fn(&T) -> Result<(), E> + Send + Sync + 'static {
    f
}

/// A constant message cannot quote the value.
fn is_constant<E: 'static>() -> bool {
    TypeId::of::<E>() == TypeId::of::<&'static str>()
}

/// Converts the error of a function: diagnostics stay as they are, and any other error becomes a detail.
fn into_diagnostics<E: fmt::Display + 'static>(error: E) -> Diagnostics {
    let any: &dyn Any = &error;
    if let Some(all) = any.downcast_ref::<Diagnostics>() {
        return all.clone();
    }
    if let Some(one) = any.downcast_ref::<Diagnostic>() {
        return one.clone().into();
    }
    invalid(INVALID_VALUE, error)
}

/// Returns true for a dynamic type. A model never is, and its schema may just be under construction.
fn is_any<T: Attr>() -> bool {
    T::FACTS.has_dynamic && !T::FACTS.is_model && T::ty() == Type::Dynamic
}

/// Reads the value as the type of the validator; a dynamic value also as the value inside.
fn read<T: Attr>(value: &Value) -> Result<T, Diagnostics> {
    let read = T::from_value(value);
    let bare = value.without_type();
    let read = if std::ptr::eq(bare, value) { read } else { read.or_else(|_| T::from_value(bare)) };
    read.map_err(|it| conversion_error(&it))
}
