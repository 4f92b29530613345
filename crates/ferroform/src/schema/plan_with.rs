//! What is planned for one attribute, where a function of the author's says it.

use std::sync::Arc;

use ferroform_value::{Type, Value};

use super::{Attribute, Mode, Sight, ValueChange};
use crate::view::{InConfig, InProposed};
use crate::{Attr, Diagnostics, Known, Maybe, Result, Unknown};

/// What a function for [`plan_with`](Attribute::plan_with) of an attribute of the type `T` can answer: `Maybe<T>`,
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

/// Says what is planned, of the prior value and of what is planned without it; none where it cannot read them.
type Plan = dyn Fn(&Value, &Value) -> Option<Result<Value>> + Send + Sync;

/// What an author's function says of what is planned, and for which type.
#[derive(Clone)]
pub(crate) struct Planner {
    plan: Arc<Plan>,
    /// The type that it plans.
    pub(super) ty: fn() -> Type,
}

impl Planner {
    /// What is planned for a value that the configuration leaves to the provider; none where the function is not
    /// asked, because the state holds what its type cannot read.
    pub(crate) fn plan(&self, prior: &Value, planned: &Value) -> Option<Result<Value>> {
        (self.plan)(prior, planned)
    }
}

impl<T: Attr> ValueChange<T> {
    /// What is planned so far, as a function for [`plan_with`](Attribute::plan_with) answers it: unknown where any
    /// part of it is.
    pub fn as_planned(&self) -> Maybe<Option<T>> {
        match &self.plan {
            Known(Some(it)) => T::from_value(&it.to_value()).map_or(Unknown, |it| Known(Some(it))),
            Known(None) => Known(None),
            Unknown => Unknown,
        }
    }
}

impl Attribute {
    /// Plans what the function answers, wherever the configuration leaves the attribute to the provider: a value,
    /// null, or that it is not known before apply.
    ///
    /// It is asked in every plan of a create or an update, never of a destroy. `plan` of the change holds what is
    /// planned without the function: the prior value where nothing changes or where that is kept, else unknown.
    /// [`ValueChange::as_planned`] answers that. What differs from the prior value is a change like one of the
    /// configuration.
    ///
    /// Terraform plans the same change more than once, and asks for the same answer: the function depends on
    /// nothing but what it is given. While parts of the configuration are not known, it is asked with either plan,
    /// and what does not agree is not known yet. An error is shown at the attribute's place.
    #[must_use]
    pub fn plan_with<T: Attr, P: IntoPlan<T>>(
        mut self,
        f: impl Fn(&ValueChange<T>) -> P + Send + Sync + 'static,
    ) -> Attribute {
        let sight = Sight::of::<T>(&self.ty);
        let plan = move |prior: &Value, planned: &Value| {
            let config = Maybe::<Option<T::In<InConfig>>>::from_value(&Value::Null).ok()?;
            let prior = Option::<T>::from_value(&sight.given(prior)).ok()?;
            let plan = Maybe::<Option<T::In<InProposed>>>::from_value(&sight.given(planned)).ok()?;
            let answer = f(&ValueChange { config, prior, plan }).into_plan();
            Some(answer.map(|it| sight.taken(it.to_value())))
        };
        self.behaviour_mut().plan_with = Some(Planner { plan: Arc::new(plan), ty: T::ty });
        self
    }

    /// What the function of [`plan_with`](Attribute::plan_with) must not stand beside.
    pub(super) fn wrong_plan(&self) -> Option<&'static str> {
        self.behaviour().plan_with.as_ref()?;
        if self.behaviour().default.is_some() {
            Some("an attribute has a default or a function that plans it, not both")
        } else if self.write_only {
            Some("what is write-only is in no plan, so no function says what is planned for it")
        } else if !matches!(self.mode, Mode::Computed | Mode::OptionalComputed) {
            Some("what the provider does not compute is planned as the configuration says, not by a function")
        } else {
            None
        }
    }
}
