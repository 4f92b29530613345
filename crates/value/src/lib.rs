//! Terraform's types and values, and their encodings: MessagePack, JSON and type expressions.
//!
//! This crate knows nothing of providers, models, RPC or async. A [`Type`] says what a value may be; a
//! [`Value`] is one: known, null, or unknown until apply. The type travels beside the value, because the
//! schema knows it; only a value of the type [`Type::Dynamic`] carries its own.

pub mod msgpack;

mod error;
mod number;
mod object;
mod path;
mod refine;
mod set;
mod ty;
mod value;

pub use crate::error::Error;
pub use crate::number::Number;
pub use crate::object::Object;
pub use crate::path::{Path, Step};
pub use crate::refine::Refinements;
pub use crate::set::Set;
pub use crate::ty::{Attribute, ObjectType, Type};
pub use crate::value::{Typed, Value};
