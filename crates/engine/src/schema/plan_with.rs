//! What is planned for one attribute, where a function of the author's says it.

use std::sync::Arc;

use ferroform_value::{Type, Value};

use super::{Attribute, Mode};
use crate::Result;

/// Says what is planned, of the prior value and of what is planned without it; none where it cannot read them.
pub(super) type Plan = dyn Fn(&Value, &Value) -> Option<Result<Value>> + Send + Sync;

/// What an author's function says of what is planned, and for which type.
#[derive(Clone)]
pub struct Planner {
    /// Plans the value.
    pub plan: Arc<Plan>,
    /// The type that it plans.
    pub ty: fn() -> Type,
}

impl Planner {
    /// What is planned for a value that the configuration leaves to the provider; none where the function is not
    /// asked, because the state holds what its type cannot read.
    pub fn plan(&self, prior: &Value, planned: &Value) -> Option<Result<Value>> {
        (self.plan)(prior, planned)
    }
}

impl Attribute {
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
