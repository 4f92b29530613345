//! The evaluation of expressions.

mod call;
mod logical;
mod references;
mod rejected;
mod scope;
mod traversal;
mod variables;

pub use self::logical::LogicalOperators;
pub use self::references::{FailedCall, References, Unresolved};
pub(crate) use self::rejected::Rejected;
pub(crate) use self::scope::Scope;
pub use self::variables::Variables;
