//! The methods of [`Upgrades`] and [`IdentitySchema`] that take models.

use std::sync::Arc;

use ferroform_engine::schema::Step;

use super::{IdentitySchema, Upgrades};
use crate::{Attr, Diagnostics, Model, Result};

/// The methods of [`Upgrades`] that take models.
pub trait UpgradesExt: Sized {
    /// The steps to the model `Old` from its earlier ones, and one more from `Old` to `New`.
    fn to<Old: UpgradesTo<New>, New: Model>() -> Self;
}

impl UpgradesExt for Upgrades {
    fn to<Old: UpgradesTo<New>, New: Model>() -> Upgrades {
        let mut made = Old::upgrades();
        made.steps.push(Step {
            version: Old::VERSION,
            schema: Arc::new(Old::schema),
            convert: Arc::new(|old| Ok(Old::from_value(old)?.upgrade_to_next()?.to_value())),
        });
        made
    }
}

/// The methods of [`IdentitySchema`] that take models.
pub trait IdentitySchemaExt: Sized {
    /// The identity that a model describes.
    fn of<T: Attr>() -> Self;

    /// An identity of the version that `Old` says is an `Old`, and becomes a `New`.
    #[must_use]
    fn upgrade<Old: Model, New: Attr + TryFrom<Old, Error: Into<Diagnostics>>>(self) -> Self;
}

impl IdentitySchemaExt for IdentitySchema {
    fn of<T: Attr>() -> IdentitySchema {
        IdentitySchema::raw(T::block().unwrap_or_default())
    }

    fn upgrade<Old: Model, New: Attr + TryFrom<Old, Error: Into<Diagnostics>>>(self) -> IdentitySchema {
        self.upgrade_raw(Old::schema().version, Old::ty(), |old| {
            Ok(New::try_from(Old::from_value(old)?).map_err(Into::into)?.to_value())
        })
    }
}

/// A model whose objects can become those of the model `New`: implemented for whatever has
/// `From<Old> for New`, or `TryFrom` where it can fail.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not become `{New}`",
    label = "no `From` or `TryFrom` to `{New}`",
    note = "write `impl From<{Self}> for {New}`, or `TryFrom` with `Diagnostics` or any standard error",
    note = "both are models: `#[derive(Model)]`"
)]
pub trait UpgradesTo<New>: Model {
    /// The object in its new shape.
    ///
    /// # Errors
    ///
    /// Why this one has none.
    fn upgrade_to_next(self) -> Result<New>;
}

#[diagnostic::do_not_recommend]
impl<Old, New> UpgradesTo<New> for Old
where
    Old: Model,
    New: Model + TryFrom<Old>,
    New::Error: Into<Diagnostics>,
{
    fn upgrade_to_next(self) -> Result<New> {
        New::try_from(self).map_err(Into::into)
    }
}
