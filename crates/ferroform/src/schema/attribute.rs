//! The methods of [`Attribute`] that take a Rust type.

use std::sync::Arc;

use ferroform_engine::schema::{Compare, Condition, Default, Planner};
use ferroform_value::{Type, Value};

use super::compare::{CompareFn, ValueChange};
use super::plan::IntoPlan;
use super::sight;
use super::{Attribute, Mode, Replace};
use crate::defaults::{self, IntoDefault};
use crate::model::attr::attribute_of;
use crate::model::view::{InConfig, InProposed};
use crate::validators::{IntoValidator, erased};
use crate::{Attr, Maybe};

/// The methods of [`Attribute`] that take a Rust type: what the derive calls for each field.
///
/// Import it to describe attributes by hand: `use ferroform::schema::{Attribute, AttributeExt as _};`.
pub trait AttributeExt: Sized {
    /// An attribute of the Rust type `T`: optional where `T` is an `Option`, else required.
    fn of<T: Attr>(name: impl Into<Arc<str>>) -> Self;

    /// Adds a rule for its known values: a function, or one of [`validators`](crate::validators).
    #[must_use]
    fn validate<T: Attr, How>(self, rule: impl IntoValidator<T, How>) -> Self;

    /// Plans no change where the function answers true for the prior value and the new one.
    ///
    /// It is asked only of two values that differ, are known to the last part and not null: never of an object
    /// that is new. Where it answers true, the prior value is planned, which Terraform's core allows.
    #[must_use]
    fn suppress_diff<T: Attr, How: 'static>(self, f: impl CompareFn<T, How>) -> Self;

    /// Says when two values mean the same, in addition to what their type says. Where they do, the one that is
    /// there already stays: in a plan, and after each method that answers a value.
    #[must_use]
    fn semantic_eq<T: Attr, How: 'static>(self, f: impl CompareFn<T, How>) -> Self;

    /// A change of it needs a new object where the function answers true.
    ///
    /// What is not known yet may turn out to be anything: answer true for it, unless it cannot matter. An update
    /// that turns out to need a new object is one that Terraform refuses.
    #[must_use]
    fn requires_replace_if<T: Attr>(
        self,
        f: impl Fn(&ValueChange<T>) -> bool + Send + Sync + 'static,
    ) -> Self;

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
    fn plan_with<T: Attr, P: IntoPlan<T>>(
        self,
        f: impl Fn(&ValueChange<T>) -> P + Send + Sync + 'static,
    ) -> Self;

    /// Gives it a value where the configuration does not; evaluated at each use.
    #[must_use]
    fn default<T: Attr>(self, value: impl Fn() -> T + Send + Sync + 'static) -> Self;

    /// Gives it a value where the configuration does not, or none: a function, or
    /// [`env`](crate::defaults::env()). Evaluated at each use.
    ///
    /// What was required until here is optional then, whatever is around the provider; that neither the
    /// configuration nor the default has a value is an error of its own.
    #[must_use]
    fn default_with<T: Attr, How: 'static>(
        self,
        default: impl IntoDefault<T, How> + Send + Sync + 'static,
    ) -> Self;
}

impl AttributeExt for Attribute {
    fn of<T: Attr>(name: impl Into<Arc<str>>) -> Attribute {
        attribute_of::<T>(name.into())
    }

    fn validate<T: Attr, How>(mut self, rule: impl IntoValidator<T, How>) -> Attribute {
        let sight = sight::<T>(&self.ty);
        let rule = erased(rule.into_validator());
        self.behaviour_mut().rules.push(if sight.is_any() { rule.seeing(sight) } else { rule });
        self
    }

    fn suppress_diff<T: Attr, How: 'static>(mut self, f: impl CompareFn<T, How>) -> Attribute {
        let compare = erase::<T, How>(f, &self.ty);
        self.behaviour_mut().suppress = Some(compare);
        self
    }

    fn semantic_eq<T: Attr, How: 'static>(mut self, f: impl CompareFn<T, How>) -> Attribute {
        let compare = erase::<T, How>(f, &self.ty);
        self.behaviour_mut().means = Some(compare);
        self
    }

    fn requires_replace_if<T: Attr>(
        mut self,
        f: impl Fn(&ValueChange<T>) -> bool + Send + Sync + 'static,
    ) -> Attribute {
        let sight = sight::<T>(&self.ty);
        let judge = move |config: &Value, prior: &Value, planned: &Value| {
            let config = Maybe::<Option<T::In<InConfig>>>::from_value(&sight.given(config));
            let prior = Option::<T>::from_value(&sight.given(prior));
            let plan = Maybe::<Option<T::In<InProposed>>>::from_value(&sight.given(planned));
            match (config, prior, plan) {
                (Ok(config), Ok(prior), Ok(plan)) => f(&ValueChange { config, prior, plan }),
                // A state that its own type cannot read: nothing is known of what may stay.
                _ => true,
            }
        };
        self.behaviour_mut().replace = Replace::If(Condition { ty: T::ty, judge: Arc::new(judge) });
        self
    }

    fn plan_with<T: Attr, P: IntoPlan<T>>(
        mut self,
        f: impl Fn(&ValueChange<T>) -> P + Send + Sync + 'static,
    ) -> Attribute {
        let sight = sight::<T>(&self.ty);
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

    fn default<T: Attr>(mut self, value: impl Fn() -> T + Send + Sync + 'static) -> Attribute {
        let sight = sight::<T>(&self.ty);
        let make = move || Ok(Some(sight.taken(value().to_value())));
        self.behaviour_mut().default = Some(Default {
            make: Arc::new(make),
            is_fixed: true,
            is_needed: false,
            is_text: false,
            // Its value itself is checked.
            ty: None,
            names: Vec::new(),
        });
        self.mode(Mode::OptionalComputed)
    }

    fn default_with<T: Attr, How: 'static>(
        mut self,
        default: impl IntoDefault<T, How> + Send + Sync + 'static,
    ) -> Attribute {
        let names = default.names().to_vec();
        let (sight, ty, is_text) = (sight::<T>(&self.ty), self.ty.clone(), !names.is_empty());
        let make = move || {
            let Some(it) = default.value()? else { return Ok(None) };
            let made = sight.taken(it.to_value());
            // A text from the environment stays one where the function's type is any.
            Ok(Some(if is_text && sight.is_any() { defaults::converted(made, &ty)? } else { made }))
        };
        self.behaviour_mut().default = Some(Default {
            is_fixed: false,
            is_needed: self.mode == Mode::Required,
            is_text,
            ty: names.is_empty().then_some(T::ty),
            names,
            make: Arc::new(make),
        });
        self.mode(Mode::OptionalComputed)
    }
}

/// What does not parse is like nothing.
fn erase<T: Attr, How>(it: impl CompareFn<T, How>, of: &Type) -> Compare {
    let sight = sight::<T>(of);
    let read = move |it: &Value| T::from_value(&sight.given(it));
    let same = move |old: &Value, new: &Value| match (read(old), read(new)) {
        (Ok(old), Ok(new)) => it.compare(&old, &new),
        _ => false,
    };
    Compare { ty: T::ty, same: Arc::new(same) }
}
