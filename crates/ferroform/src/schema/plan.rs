//! The results of plan modifiers.

use super::ValueChange;
use crate::{Attr, Diagnostics, Known, Maybe, Result, Unknown};

/// The results of functions for [`plan_with`](super::AttributeExt::plan_with): `Maybe<T>`, `Maybe<Option<T>>` if the value may
/// be null, or a `Result` of either.
///
/// ```
/// use ferroform::schema::ValueChange;
/// use ferroform::{Known, Maybe, Model};
///
/// /// A release.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Release {
///     notes: String,
///     /// The number of revisions, which every change increments.
///     #[attr(computed, plan_with = next_revision)]
///     revision: u64,
/// }
///
/// fn next_revision(change: &ValueChange<u64>) -> Maybe<u64> {
///     match change.as_planned() {
///         // Nothing else changes.
///         Known(Some(revision)) => Known(revision),
///         _ => Known(change.prior.map_or(1, |it| it + 1)),
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`plan_with` needs a function that returns `Maybe<{T}>`",
    label = "the function returns `{Self}`",
    note = "the function returns `Maybe<{T}>`, `Maybe<Option<{T}>>`, or a `Result` of either"
)]
pub trait IntoPlan<T> {
    /// Converts into a value, null, or unknown.
    ///
    /// # Errors
    ///
    /// The reason why the value cannot be planned.
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
    /// Returns the value that is planned so far, for a plan modifier that does not change it. Unknown if any part of the value
    /// is unknown.
    pub fn as_planned(&self) -> Maybe<Option<T>> {
        match &self.plan {
            Known(Some(it)) => T::from_value(&it.to_value()).map_or(Unknown, |it| Known(Some(it))),
            Known(None) => Known(None),
            Unknown => Unknown,
        }
    }
}
