//! Functions of provider authors that compare values of an attribute.

use std::borrow::Borrow;

use crate::model::view::{InConfig, InProposed};
use crate::{Attr, Maybe};

/// What compares two values of the type `T`: a function `fn(&T, &T) -> bool`.
///
/// `How` is what the function borrows: a `fn(&str, &str) -> bool` compares two `String`s.
#[diagnostic::on_unimplemented(
    message = "this cannot compare two values of the type `{T}`",
    label = "does not compare `{T}`",
    note = "what compares is a function `fn(&{T}, &{T}) -> bool`"
)]
pub trait CompareFn<T, How>: Send + Sync + 'static {
    /// The outcome for two values, the older first.
    fn compare(&self, old: &T, new: &T) -> bool;
}

impl<T, B, F> CompareFn<T, fn(&B)> for F
where
    T: Borrow<B>,
    B: ?Sized,
    F: Fn(&B, &B) -> bool + Send + Sync + 'static,
{
    fn compare(&self, old: &T, new: &T) -> bool {
        self(old.borrow(), new.borrow())
    }
}

/// Used by the derive: gives the parameters of a closure their types.
#[doc(hidden)]
pub fn comparison<T>(
    f: impl Fn(&T, &T) -> bool + Send + Sync + 'static,
) -> impl Fn(&T, &T) -> bool + Send + Sync + 'static {
    f
}

/// A change of one attribute of the type `T`, for [`requires_replace_if`](super::AttributeExt::requires_replace_if) and
/// [`plan_with`](super::AttributeExt::plan_with).
#[derive(Clone, Debug, PartialEq)]
pub struct ValueChange<T: Attr> {
    /// What the configuration says: none where it says nothing.
    pub config: Maybe<Option<T::In<InConfig>>>,
    /// What it is; none where it is null, or its object is new.
    pub prior: Option<T>,
    /// What it will be; none where it will be null.
    pub plan: Maybe<Option<T::In<InProposed>>>,
}
