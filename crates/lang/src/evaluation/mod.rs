//! The evaluation of expressions.

mod call;
mod environment;
mod evaluation_context;
mod logical;
mod logical_operators;
mod rejected;
mod scope;
mod template;
mod traversal;
mod variables;

pub(crate) use self::environment::Environment;
pub use self::evaluation_context::{EvaluationContext, FailedCall, UnresolvedReference};
pub use self::logical_operators::LogicalOperators;
pub(crate) use self::rejected::Rejected;
pub(crate) use self::scope::Scope;
pub use self::variables::Variables;
