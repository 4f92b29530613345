//! Terraform's types and values, and their encodings: MessagePack, JSON and type expressions.
//!
//! This crate knows nothing of providers, models, RPC or async. A [`Type`] says what a value may be; a
//! [`Value`] is one: known, null, or unknown until apply. The type travels beside the value, because the
//! schema knows it; only a value of the type [`Type::Dynamic`] carries its own.

pub mod console;
pub mod convert;
pub mod expr;
pub mod json;
pub mod msgpack;
pub mod type_expr;
pub mod variable;

mod defaults;
mod error;
mod nfc;
mod number;
mod object;
mod order;
mod path;
mod quote;
mod refine;
mod set;
mod ty;
mod typed;
mod unify;
mod value;
mod walk;

pub use crate::defaults::Defaults;
pub use crate::error::Error;
pub use crate::nfc::normalized;
pub use crate::number::Number;
pub use crate::object::Object;
pub use crate::path::{Path, Step};
pub use crate::refine::Refinements;
pub use crate::set::Set;
pub use crate::ty::{Attribute, ObjectType, Type};
pub use crate::typed::Typed;
pub use crate::unify::{Unified, unify};
pub use crate::value::Value;

/// How deep values and types may be nested in what others send. Where a type says `any` the depth is the
/// sender's choice, and every level costs stack.
pub(crate) const MAX_DEPTH: u32 = 256;
