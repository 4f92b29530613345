//! The evaluation of expressions.

mod call;
mod logical;
mod rejected;
mod scope;
mod traversal;

pub(crate) use self::rejected::Rejected;
pub(crate) use self::scope::Scope;
