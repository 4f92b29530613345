//! Functions of provider authors that work on values, without their Rust types.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use ferroform_value::{Type, Value};

use crate::{Clock, Result};

/// Compares two values.
pub(super) type IsEqualFn = dyn Fn(&Value, &Value) -> bool + Send + Sync;

/// The function of `suppress_diff` or `semantic_eq`: returns true if the difference between two values can be ignored.
#[derive(Clone)]
pub struct Comparison {
    /// The type of the values that are compared.
    pub ty: fn() -> Type,
    /// Compares the prior value with the new one.
    pub is_equal: Arc<IsEqualFn>,
}

impl Comparison {
    /// True if the difference can be ignored.
    pub fn can_ignore_difference(&self, prior: &Value, new: &Value) -> bool {
        (self.is_equal)(prior, new)
    }
}

/// Three values of the same attribute or object. Each is null if there is none.
#[derive(Clone, Copy, Debug)]
pub struct PlannedChange<'a> {
    /// The configured value.
    pub config: &'a Value,
    /// The prior value.
    pub prior: &'a Value,
    /// The planned value.
    pub planned: &'a Value,
}

/// What a condition can use in addition to the values: the provider and the clock.
#[derive(Clone, Copy, Debug)]
pub struct ConditionContext<'a> {
    /// The provider, if it is configured.
    pub provider: Option<&'a Arc<dyn Any + Send + Sync>>,
    /// The clock of the request.
    pub clock: &'a Clock,
}

/// Returns true if the change of an attribute, and the change of the object that contains it, require replacement.
pub(super) type EvaluateFn =
    dyn Fn(PlannedChange<'_>, PlannedChange<'_>, ConditionContext<'_>) -> bool + Send + Sync;

/// The function of `requires_replace_if`: [`Replace::If`](super::Replace::If).
#[derive(Clone)]
pub struct ReplacementCondition {
    /// The type of the values.
    pub ty: fn() -> Type,
    /// Returns true if the change of the attribute, and the change of the object that contains it, require replacement.
    pub evaluate: Arc<EvaluateFn>,
}

impl ReplacementCondition {
    /// True if the change of the attribute requires replacement. `object` is the change of the object that contains it.
    pub fn requires_replacement(
        &self,
        attribute: PlannedChange<'_>,
        object: PlannedChange<'_>,
        context: ConditionContext<'_>,
    ) -> bool {
        (self.evaluate)(attribute, object, context)
    }
}

/// Two conditions are equal if they call the same function.
impl PartialEq for ReplacementCondition {
    fn eq(&self, other: &ReplacementCondition) -> bool {
        Arc::ptr_eq(&self.evaluate, &other.evaluate)
    }
}

impl fmt::Debug for ReplacementCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReplacementCondition")
    }
}

/// Plans a value from the prior value and the value that is planned without the function. Returns `None` if the Rust
/// type of the attribute cannot hold one of them.
pub(super) type PlanFn = dyn Fn(&Value, &Value) -> Option<Result<Value>> + Send + Sync;

/// The function of `plan_with`: the plan modifier of a single attribute.
#[derive(Clone)]
pub struct PlanFunction {
    /// Plans the value.
    pub plan: Arc<PlanFn>,
    /// The type of the values.
    pub ty: fn() -> Type,
}

impl PlanFunction {
    /// The planned value of an attribute that the configuration leaves to the provider. Returns `None` if the function
    /// was not called, because the state contains a value that its Rust type cannot hold.
    pub fn plan(&self, prior: &Value, planned: &Value) -> Option<Result<Value>> {
        (self.plan)(prior, planned)
    }
}
