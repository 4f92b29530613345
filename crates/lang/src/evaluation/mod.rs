//! What an expression evaluates to.

mod call;
mod scope;
mod traversal;

pub(crate) use self::scope::Scope;
