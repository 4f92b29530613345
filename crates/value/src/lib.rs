//! Terraform's types and values, and their encodings: MessagePack, JSON and type expressions.
//!
//! This crate knows nothing of providers, models, RPC or async. A [`Type`] says what a value may be; a
//! [`Value`] is one: known, null, or unknown until apply. The type travels beside the value, because the
//! schema knows it; only a value of the type [`Type::Dynamic`] carries its own.
//!
//! ```
//! use ferroform_value::type_expr::Constraint;
//! use ferroform_value::{Path, Value, expr, json, msgpack};
//!
//! // What an author declares, and what a user writes.
//! let rules = Constraint::parse("list(object({port = number, open = optional(bool, false)}))")?;
//! let given = expr::constant("[{port = \"443\", open = true}, {port = 80}]")?;
//!
//! // The value as a provider gets it, and as it travels.
//! let it = rules.fit(given)?;
//! let bytes = msgpack::encode(&it.value, &it.ty)?;
//! assert_eq!(msgpack::decode(&bytes, &it.ty)?, it.value);
//! assert_eq!(json::encode(&it.value, &it.ty)?, br#"[{"open":true,"port":443},{"open":false,"port":80}]"#);
//!
//! let second = Path::ROOT.then(1.into()).name("open");
//! assert_eq!(it.value.at(&second), Some(&Value::Bool(false)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it does |
//! | --- | --- |
//! | [`msgpack`] | values as the plugin protocol carries them |
//! | [`json`] | values and types as saved states and older messages have them |
//! | [`convert`], [`unify`](fn@unify) | conversion between types, and the type that several have in common |
//! | [`type_expr`] | type constraints with optional attributes and [`Defaults`] |
//! | [`expr`] | constant expressions, and the errors of everything that is read from text, with their places |
//! | [`body`] | configuration files: blocks, arguments, and expressions with `var.…` |
//! | [`variable`] | input variables: what is declared of one, and the values that it takes |
//! | [`console`] | values and types as Terraform prints them |
//!
//! # Limits
//!
//! Everything here may be given any bytes: it answers an error, in time and memory that grow with the input.
//! For that there are limits which Terraform does not have.
//!
//! | of what | limit |
//! | --- | --- |
//! | nesting of values in MessagePack and JSON | 256 |
//! | brackets in each other of a type in JSON | 512 |
//! | nesting of expressions and type expressions | 100 |
//! | work that an expression makes beyond its own length | a million members and bytes |
//! | mistakes reported at once | 64 |
//! | size of a number | about 10^±19,700 |
//! | digits of a number that are looked at one by one | 20,000; the rest counts as "not zero" |
//! | unknown elements that a refined unknown list is written out to | 1,024 |
//!
//! Within them the 2 MiB of stack that a thread has in Rust are enough, also in a debug build.
//!
//! # Where the documentation of the language and the program differ
//!
//! Terraform 1.11 is the measure, not its documentation. So here, too:
//!
//! * neither a list nor a set converts to a tuple, whatever its length;
//! * a set has an order: strings by their bytes, numbers by size, false before true, other elements by the
//!   bytes of a text form that keeps ten digits of a number, unknowns after those, nulls last;
//! * `"1"` and `"0"` convert to bools, `1` and `0` do not;
//! * texts such as `Inf` and `1p4` convert to numbers, and negative zero prints as `-0`;
//! * whether objects of several types have a type in common is decided before their values are looked at: a
//!   set of objects never gets a second look, where a list does;
//! * an attribute that is null is one that is missing, if it has a default.
//!
//! Where the program breaks down or answers a value of another type than was asked for, this crate answers
//! an error or the right value; `tests/vectors/deviations.toml` lists these places. One more: to an optional attribute
//! whose name is written in another normal form than C the program gives the default, whatever is given.

pub mod body;
pub mod console;
pub mod convert;
pub mod expr;
pub mod json;
pub mod msgpack;
pub mod type_expr;
pub mod variable;

mod bytes;
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
