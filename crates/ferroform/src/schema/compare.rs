//! Functions of provider authors that compare two values of an attribute.

use std::any::Any;
use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use ferroform_engine::schema::{ConditionContext, PlannedChange};
use ferroform_value::Value;

use crate::model::view::{InConfig, InProposed};
use crate::{Attr, Clock, Known, Maybe};

/// A function that compares two values of the type `T`: `fn(&T, &T) -> bool`. A `fn(&str, &str) -> bool` compares
/// strings too, because `String` borrows as `str`; `Marker` distinguishes the two for the compiler.
///
/// ```
/// use ferroform::Model;
///
/// /// A user.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct User {
///     /// The email address, without regard to case.
///     #[attr(semantic_eq = str::eq_ignore_ascii_case)]
///     email: String,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`semantic_eq` and `suppress_diff` need a function that compares two values of the type `{T}`",
    label = "this is `{Self}`",
    note = "write a function `fn(&{T}, &{T}) -> bool`"
)]
pub trait CompareFn<T, Marker>: Send + Sync + 'static {
    /// Compares the prior value with the new value.
    fn compare(&self, old: &T, new: &T) -> bool;
}

#[diagnostic::do_not_recommend]
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

/// The values that a function of `requires_replace_if` can use in addition to the change.
#[derive(Clone, Default)]
pub(crate) struct ChangeContext {
    /// The object that contains the attribute: its configuration, prior state and plan.
    pub(crate) object: Option<[Value; 3]>,
    pub(crate) provider: Option<Arc<dyn Any + Send + Sync>>,
    pub(crate) clock: Clock,
}

impl ChangeContext {
    pub(crate) fn new(object: PlannedChange<'_>, context: ConditionContext<'_>) -> ChangeContext {
        let object = [object.config, object.prior, object.planned].map(Value::clone);
        let ConditionContext { provider, clock } = context;
        ChangeContext { object: Some(object), provider: provider.cloned(), clock: clock.clone() }
    }
}

/// The context is not compared: changes with the same values are equal.
impl PartialEq for ChangeContext {
    fn eq(&self, _: &ChangeContext) -> bool {
        true
    }
}

/// The values can be sensitive.
impl fmt::Debug for ChangeContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeContext").finish_non_exhaustive()
    }
}

/// A planned change of one attribute of the type `T`: functions for
/// [`requires_replace_if`](super::AttributeExt::requires_replace_if) and [`plan_with`](super::AttributeExt::plan_with)
/// receive it.
///
/// ```
/// use ferroform::schema::ValueChange;
/// use ferroform::{Known, Model};
///
/// /// A disk, which can grow but not shrink in place.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Disk {
///     #[attr(requires_replace_if = shrinks)]
///     size: u64,
/// }
///
/// fn shrinks(change: &ValueChange<u64>) -> bool {
///     match (&change.prior, &change.plan) {
///         (Some(prior), Known(Some(plan))) => plan < prior,
///         // An unknown size may turn out to be smaller.
///         _ => true,
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ValueChange<T: Attr> {
    /// The configured value; `Known(None)` if the configuration omits it.
    pub config: Maybe<Option<T::In<InConfig>>>,
    /// The prior value; `None` if it is null or the object is new.
    pub prior: Option<T>,
    /// The planned value so far; `Known(None)` if it is null.
    pub plan: Maybe<Option<T::In<InProposed>>>,
    pub(crate) context: ChangeContext,
}

/// Returns true if an element of a map is added, changed or removed: a function for `requires_replace_if`, for arguments such as
/// `keepers` and `triggers`, whose changes replace the resource.
///
/// A new element whose value is null is no change, because states that SDKv2 wrote contain no elements with null values, nor maps
/// with only such elements.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use ferroform::Model;
/// use ferroform::schema::map_changes;
///
/// /// A random name.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Name {
///     /// Values of which a change replaces the name.
///     #[attr(requires_replace_if = map_changes)]
///     keepers: Option<BTreeMap<String, Option<String>>>,
///     /// The name.
///     #[attr(computed, use_state_for_unknown)]
///     result: String,
/// }
/// ```
pub fn map_changes(change: &ValueChange<BTreeMap<String, Option<String>>>) -> bool {
    let Known(plan) = &change.plan else { return true };
    let (plan, prior) = (plan.clone().unwrap_or_default(), change.prior.clone().unwrap_or_default());
    let is_removed = |key: &String| !plan.contains_key(key);
    prior.keys().any(is_removed)
        || plan.iter().any(|(key, value)| *value != Known(prior.get(key).cloned().flatten()))
}

impl<T: Attr> ValueChange<T> {
    /// A change, for unit tests of functions of `requires_replace_if` and `plan_with`.
    pub fn new(
        config: Maybe<Option<T::In<InConfig>>>,
        prior: Option<T>,
        plan: Maybe<Option<T::In<InProposed>>>,
    ) -> ValueChange<T> {
        ValueChange { config, prior, plan, context: ChangeContext::default() }
    }
}
