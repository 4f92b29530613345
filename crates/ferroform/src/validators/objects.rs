//! Validators for configured objects and collections, which may have unknown parts.

use std::fmt;

use super::{into_diagnostics, is_constant, read};
use crate::Attr;
use crate::model::view::InConfig;
use ferroform_engine::validator::{InputForm, Validator};

/// Validates a value as it is configured, with unknown parts and without computed attributes: a model as its
/// [`Config`](crate::Config), a collection with `Maybe` elements.
///
/// A function without `configured` only receives wholly known values, and it cannot receive a model with computed attributes,
/// because the configuration does not have them.
///
/// ```
/// use ferroform::validators::{configured, each};
/// use ferroform::{Config, Known, Model};
///
/// /// A disk.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Disk {
///     kind: String,
///     size: Option<u64>,
///     #[attr(computed)]
///     serial: String,
/// }
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(mixed, validate = each(configured(tapes_have_no_size)))]
///     disks: Vec<Disk>,
/// }
///
/// fn tapes_have_no_size(disk: &Config<Disk>) -> Result<(), &'static str> {
///     match (&disk.kind, &disk.size) {
///         (Known(kind), Known(Some(_))) if kind == "tape" => Err("a tape has no size"),
///         _ => Ok(()),
///     }
/// }
/// ```
pub fn configured<T, E>(
    validate: impl Fn(&T::In<InConfig>) -> Result<(), E> + Send + Sync + 'static,
) -> Validator<T>
where
    T: Attr,
    E: fmt::Display + 'static,
{
    let validator = Validator::new("", move |value| {
        let value = read::<T::In<InConfig>>(value)?;
        validate(&value).map_err(into_diagnostics)
    });
    validator.partial().constant(is_constant::<E>()).with_input_form(InputForm::Dynamic)
}
