//! The methods of [`Block`] that take a Rust type.

use super::Block;
use crate::Attr;
use crate::validators::{IntoValidator, erased};

/// The methods of [`Block`] that take a Rust type.
///
/// ```
/// use ferroform::schema::{Attribute, AttributeExt as _, Block, BlockExt as _};
/// use ferroform::{Dynamic, path};
///
/// fn has_name_or_id(object: &Dynamic) -> Result<(), &'static str> {
///     let is_set = |path| object.data().get::<Option<String>>(path).is_ok_and(|it| it.is_some());
///     if is_set(path!(name)) || is_set(path!(id)) { Ok(()) } else { Err("either name or id is required") }
/// }
///
/// let block = Block::new()
///     .attribute(Attribute::of::<Option<String>>("name"))
///     .attribute(Attribute::of::<Option<String>>("id"))
///     .validate::<Dynamic, _>(has_name_or_id);
/// ```
pub trait BlockExt: Sized {
    /// Adds a validator for each configured object as a whole. With a model, use
    /// [`configured`](crate::validators::configured). Without a model, use a function of a [`Dynamic`](crate::Dynamic), which
    /// receives the object with its type; a [`Validator::new`](crate::validators::Validator::new) receives the bare object.
    #[must_use]
    fn validate<T: Attr, Marker>(self, validator: impl IntoValidator<T, Marker>) -> Self;
}

impl BlockExt for Block {
    fn validate<T: Attr, Marker>(self, validator: impl IntoValidator<T, Marker>) -> Block {
        self.validator(erased(validator.into_validator()))
    }
}
