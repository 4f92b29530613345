//! Functions of the provider author, without their Rust types.

use std::fmt;
use std::sync::Arc;

use ferroform_value::{Type, Value};

use crate::Result;

/// What a function says of two values.
pub(super) type Same = dyn Fn(&Value, &Value) -> bool + Send + Sync;

/// Tells whether there is nothing to be done for two values.
#[derive(Clone)]
pub struct Compare {
    /// The type that it compares.
    pub ty: fn() -> Type,
    /// Compares the older value with the newer one.
    pub same: Arc<Same>,
}

impl Compare {
    /// What the function says of these two.
    pub fn holds(&self, old: &Value, new: &Value) -> bool {
        (self.same)(old, new)
    }
}

/// Judges what the configuration says, what there was before, and what is planned.
pub(super) type Judge = dyn Fn(&Value, &Value, &Value) -> bool + Send + Sync;

/// Tells whether a change of an attribute needs a new object: [`Replace::If`](super::Replace::If).
#[derive(Clone)]
pub struct Condition {
    /// The type of the change that it judges.
    pub ty: fn() -> Type,
    /// Decides by the configuration, the prior value and the planned value.
    pub judge: Arc<Judge>,
}

impl Condition {
    /// What the function says of the change from one value to the other.
    pub fn holds(&self, config: &Value, prior: &Value, planned: &Value) -> bool {
        (self.judge)(config, prior, planned)
    }
}

/// Two are equal where they are the same.
impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        Arc::ptr_eq(&self.judge, &other.judge)
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Condition")
    }
}

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
