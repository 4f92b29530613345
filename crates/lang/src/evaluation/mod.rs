//! The evaluation of expressions.

mod call;
mod scope;
mod traversal;

pub(crate) use self::scope::Scope;
