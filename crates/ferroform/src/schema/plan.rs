//! What a function for `plan_with` returns.

use super::ValueChange;
use crate::{Attr, Diagnostics, Known, Maybe, Result, Unknown};

/// What a function for [`plan_with`](super::AttributeExt::plan_with) of an attribute of the type `T` can answer: `Maybe<T>`,
/// `Maybe<Option<T>>` where it may be null, or a `Result` of either.
#[diagnostic::on_unimplemented(
    message = "this cannot be planned for a `{T}`",
    label = "answers `{Self}`",
    note = "a function for `plan_with` answers `Maybe<{T}>`, `Maybe<Option<{T}>>`, or a `Result` of either"
)]
pub trait IntoPlan<T> {
    /// The value, null, or that it is not known before apply.
    ///
    /// # Errors
    ///
    /// Why nothing can be planned.
    fn into_plan(self) -> Result<Maybe<Option<T>>>;
}

impl<T> IntoPlan<T> for Maybe<Option<T>> {
    fn into_plan(self) -> Result<Maybe<Option<T>>> {
        Ok(self)
    }
}

impl<T> IntoPlan<T> for Maybe<T> {
    fn into_plan(self) -> Result<Maybe<Option<T>>> {
        Ok(self.map(Some))
    }
}

impl<T, P: IntoPlan<T>, E: Into<Diagnostics>> IntoPlan<T> for Result<P, E> {
    fn into_plan(self) -> Result<Maybe<Option<T>>> {
        self.map_err(Into::into)?.into_plan()
    }
}

impl<T: Attr> ValueChange<T> {
    /// What is planned so far, as a function for [`plan_with`](super::AttributeExt::plan_with) answers it: unknown where any
    /// part of it is.
    pub fn as_planned(&self) -> Maybe<Option<T>> {
        match &self.plan {
            Known(Some(it)) => T::from_value(&it.to_value()).map_or(Unknown, |it| Known(Some(it))),
            Known(None) => Known(None),
            Unknown => Unknown,
        }
    }
}
