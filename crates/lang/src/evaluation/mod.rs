//! The evaluation of expressions.

mod call;
mod environment;
mod logical;
mod logical_operators;
mod references;
mod rejected;
mod scope;
mod template;
mod traversal;
mod variables;

pub(crate) use self::environment::Environment;
pub use self::logical_operators::LogicalOperators;
pub use self::references::{FailedCall, References, Unresolved};
pub(crate) use self::rejected::Rejected;
pub(crate) use self::scope::Scope;
pub use self::variables::Variables;
