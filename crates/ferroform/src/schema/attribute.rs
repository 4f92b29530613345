//! The methods of [`Attribute`] that take a Rust type.

use std::sync::Arc;

use ferroform_engine::schema::{
    AttributeDefault, Comparison, ConditionContext, PlanFunction, PlannedChange, ReplacementCondition,
};
use ferroform_value::{Type, Value};

use super::adapter;
use super::compare::{ChangeContext, CompareFn, ValueChange};
use super::plan::IntoPlan;
use super::{Attribute, Replace};
use crate::defaults::{self, IntoDefault};
use crate::model::attr::attribute_of;
use crate::model::view::{InConfig, InProposed};
use crate::validators::{IntoValidator, erased};
use crate::{Attr, Maybe};

/// The methods of [`Attribute`] that take a Rust type. `#[derive(Model)]` calls them for each field.
///
/// Import the trait to build attributes at run time:
///
/// ```
/// use ferroform::schema::{Attribute, AttributeExt as _, Block};
/// use ferroform::validators::between;
///
/// let block = Block::new()
///     .attribute(Attribute::of::<String>("name").requires_replace())
///     .attribute(Attribute::of::<u16>("port").default(|| 80_u16).validate::<u16, _>(between(1, 1024)))
///     .attribute(Attribute::of::<Option<Vec<String>>>("tags"));
/// assert!(block.get("port").is_some());
/// ```
pub trait AttributeExt: Sized {
    /// An attribute of the Rust type `T`: optional if `T` is an `Option`, and otherwise required.
    fn of<T: Attr>(name: impl Into<Arc<str>>) -> Self;

    /// Adds a validator for known values: a function, or one of [`validators`](crate::validators).
    #[must_use]
    fn validate<T: Attr, Marker>(self, validator: impl IntoValidator<T, Marker>) -> Self;

    /// Plans no change if the function returns true for the prior and the new value; the prior value is planned
    /// instead.
    ///
    /// The function is only called for two values that differ, are known and not null; never for a new object.
    #[must_use]
    fn suppress_diff<T: Attr, Marker: 'static>(self, f: impl CompareFn<T, Marker>) -> Self;

    /// Treats two values as semantically equal if the function returns true, in addition to the equality of their type.
    /// In that case, plans and the results of methods keep the prior value.
    #[must_use]
    fn semantic_eq<T: Attr, Marker: 'static>(self, f: impl CompareFn<T, Marker>) -> Self;

    /// Requires replacement for a change if the function returns true.
    ///
    /// An unknown value may become any value, so return true for it unless no value requires replacement: Terraform
    /// rejects an update that turns out to require replacement during apply.
    #[must_use]
    fn requires_replace_if<T: Attr>(
        self,
        f: impl Fn(&ValueChange<T>) -> bool + Send + Sync + 'static,
    ) -> Self;

    /// A plan modifier: plans the result of the function if the configuration omits the attribute. The result is a
    /// value, null, or unknown.
    ///
    /// The function is called in every plan of a create or update, but not of a destroy. [`ValueChange::plan`] is the
    /// value that would be planned without it: the prior value if nothing changes, or if `use_state_for_unknown` or
    /// `follows` keeps it, and otherwise unknown. [`ValueChange::as_planned`] returns that value. A result that differs
    /// from the prior value is a change, like a change of the configuration.
    ///
    /// Terraform plans a change more than once and expects the same result, so the function must depend only on its
    /// argument. While the configuration has unknown values, the function is called with both possible plans; if the
    /// results differ, the value is unknown. Errors are reported at the attribute path.
    #[must_use]
    fn plan_with<T: Attr, P: IntoPlan<T>>(
        self,
        f: impl Fn(&ValueChange<T>) -> P + Send + Sync + 'static,
    ) -> Self;

    /// Sets a default; evaluated at each use.
    #[must_use]
    fn default<T: Attr>(self, value: impl Fn() -> T + Send + Sync + 'static) -> Self;

    /// Sets a default that may have no value: a function, or [`env`](crate::defaults::env()). Evaluated at each use.
    ///
    /// A required attribute becomes optional in the schema, so that the schema does not depend on the environment. If
    /// neither the configuration nor the default has a value, Ferroform reports the missing attribute.
    #[must_use]
    fn default_with<T: Attr, Marker: 'static>(
        self,
        default: impl IntoDefault<T, Marker> + Send + Sync + 'static,
    ) -> Self;
}

impl AttributeExt for Attribute {
    fn of<T: Attr>(name: impl Into<Arc<str>>) -> Attribute {
        attribute_of::<T>(name.into())
    }

    fn validate<T: Attr, Marker>(mut self, validator: impl IntoValidator<T, Marker>) -> Attribute {
        let adapter = adapter::<T>(self.ty());
        let validator = erased(validator.into_validator());
        self.behavior_mut().validators.push(if adapter.is_needed() {
            validator.adapted(adapter)
        } else {
            validator
        });
        self
    }

    fn suppress_diff<T: Attr, Marker: 'static>(mut self, f: impl CompareFn<T, Marker>) -> Attribute {
        let compare = erase::<T, Marker>(f, self.ty());
        self.behavior_mut().suppress_diff = Some(compare);
        self
    }

    fn semantic_eq<T: Attr, Marker: 'static>(mut self, f: impl CompareFn<T, Marker>) -> Attribute {
        let compare = erase::<T, Marker>(f, self.ty());
        self.behavior_mut().semantic_equality = Some(compare);
        self
    }

    fn requires_replace_if<T: Attr>(
        mut self,
        f: impl Fn(&ValueChange<T>) -> bool + Send + Sync + 'static,
    ) -> Attribute {
        let adapter = adapter::<T>(self.ty());
        let evaluate =
            move |change: PlannedChange<'_>, object: PlannedChange<'_>, context: ConditionContext<'_>| {
                let PlannedChange { config, prior, planned } = change;
                let config = Maybe::<Option<T::In<InConfig>>>::from_value(&adapter.adapt_input(config));
                let prior = Option::<T>::from_value(&adapter.adapt_input(prior));
                let plan = Maybe::<Option<T::In<InProposed>>>::from_value(&adapter.adapt_input(planned));
                match (config, prior, plan) {
                    (Ok(config), Ok(prior), Ok(plan)) => {
                        f(&ValueChange { config, prior, plan, context: ChangeContext::new(object, context) })
                    }
                    // The type cannot read the state, so nothing is known about the change.
                    _ => true,
                }
            };
        self.behavior_mut().replace =
            Replace::If(ReplacementCondition { ty: T::ty, evaluate: Arc::new(evaluate) });
        self
    }

    fn plan_with<T: Attr, P: IntoPlan<T>>(
        mut self,
        f: impl Fn(&ValueChange<T>) -> P + Send + Sync + 'static,
    ) -> Attribute {
        let adapter = adapter::<T>(self.ty());
        let plan = move |prior: &Value, planned: &Value| {
            let config = Maybe::<Option<T::In<InConfig>>>::from_value(&Value::Null).ok()?;
            let prior = Option::<T>::from_value(&adapter.adapt_input(prior)).ok()?;
            let plan = Maybe::<Option<T::In<InProposed>>>::from_value(&adapter.adapt_input(planned)).ok()?;
            let result = f(&ValueChange::new(config, prior, plan)).into_plan();
            Some(result.map(|it| adapter.adapt_output(it.to_value())))
        };
        self.behavior_mut().plan_with = Some(PlanFunction { plan: Arc::new(plan), ty: T::ty });
        self
    }

    fn default<T: Attr>(self, value: impl Fn() -> T + Send + Sync + 'static) -> Attribute {
        let adapter = adapter::<T>(self.ty());
        let compute = move || Ok(Some(adapter.adapt_output(value().to_value())));
        self.with_default(AttributeDefault {
            compute: Arc::new(compute),
            is_static: true,
            from_environment: false,
            // The check of the schema evaluates the default.
            ty: None,
            environment_variables: Vec::new(),
            environment_fallback: None,
        })
    }

    fn default_with<T: Attr, Marker: 'static>(
        self,
        default: impl IntoDefault<T, Marker> + Send + Sync + 'static,
    ) -> Attribute {
        let (names, fallback) = (default.names().to_vec(), default.fallback().cloned());
        let (adapter, ty, from_environment) = (adapter::<T>(self.ty()), self.ty().clone(), !names.is_empty());
        let compute = move || {
            let Some(value) = default.value()? else { return Ok(None) };
            let value = adapter.adapt_output(value.to_value());
            // For a dynamic function type, a string from the environment is converted to the type of the attribute.
            Ok(Some(if from_environment && adapter.is_needed() {
                defaults::convert_env(value, &ty)?
            } else {
                value
            }))
        };
        self.with_default(AttributeDefault {
            is_static: false,
            from_environment,
            ty: names.is_empty().then_some(T::ty),
            environment_variables: names,
            environment_fallback: fallback,
            compute: Arc::new(compute),
        })
    }
}

/// Erases the Rust type. Values that it cannot read are not equal.
fn erase<T: Attr, Marker>(f: impl CompareFn<T, Marker>, of: &Type) -> Comparison {
    let adapter = adapter::<T>(of);
    let read = move |it: &Value| T::from_value(&adapter.adapt_input(it));
    let is_equal = move |old: &Value, new: &Value| match (read(old), read(new)) {
        (Ok(old), Ok(new)) => f.compare(&old, &new),
        _ => false,
    };
    Comparison { ty: T::ty, is_equal: Arc::new(is_equal) }
}
