//! Rules for what may be known in part: objects and collections as they stand in the configuration.

use std::fmt;

use super::{complaint, is_constant, read};
use crate::Attr;
use crate::model::view::InConfig;
use ferroform_engine::validator::{InputForm, Validator};

/// What the function says of the value as it stands in the configuration, where parts may be unknown and what the
/// provider writes is absent: a model as its [`Config`](crate::Config), a collection with `Maybe` elements.
///
/// A plain function sees a value only once it is known to the last part, and never an object whose computed
/// attributes cannot be left out, because the configuration has none of them.
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
    judge: impl Fn(&T::In<InConfig>) -> Result<(), E> + Send + Sync + 'static,
) -> Validator<T>
where
    T: Attr,
    E: fmt::Display + 'static,
{
    let rule = Validator::new("", move |value| {
        let value = read::<T::In<InConfig>>(value)?;
        judge(&value).map_err(complaint)
    });
    rule.partial().constant(is_constant::<E>()).with_input_form(InputForm::Dynamic)
}
