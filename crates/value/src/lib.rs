//! Terraform's types and values, and their encodings: MessagePack and JSON.
//!
//! This crate knows nothing of providers, models, RPC, async or the configuration language. A [`Type`] describes
//! which values are allowed; a [`Value`] is one: known, null, or unknown until apply. The type travels separately
//! from the value, because the schema knows it; only a value of the type [`Type::Dynamic`] carries its own.
//!
//! ```
//! use ferroform_value::convert::convert;
//! use ferroform_value::{Path, Type, Typed, Value, json, msgpack};
//!
//! let port = Type::object([("port", Type::Number), ("open", Type::Bool)]);
//! let configured = Typed::object([
//!     ("port".into(), Typed::new(Type::String, "443".into())),
//!     ("open".into(), Typed::new(Type::Bool, true.into())),
//! ]);
//!
//! // The value as a provider gets it, and as it is encoded.
//! let converted = convert(configured.value, &configured.ty, &port)?;
//! let bytes = msgpack::encode(&converted.value, &port)?;
//! assert_eq!(msgpack::decode(&bytes, &port)?, converted.value);
//! assert_eq!(json::encode(&converted.value, &port)?, br#"{"open":true,"port":443}"#);
//!
//! assert_eq!(converted.value.at(&Path::attribute("open")), Some(&Value::Bool(true)));
//! # Ok::<(), ferroform_value::Error>(())
//! ```
//!
//! | module | what it does |
//! | --- | --- |
//! | [`msgpack`] | values as the plugin protocol carries them |
//! | [`json`] | values and types as saved states and older messages have them |
//! | [`convert`], [`unify`](fn@unify) | conversion between types, and the type that several have in common |
//!
//! # Limits
//!
//! Every function here accepts any bytes: it returns an error, in time and memory that grow with the input.
//! For that there are limits which Terraform does not have.
//!
//! | of what | limit |
//! | --- | --- |
//! | nesting of values in MessagePack and JSON | 256 |
//! | brackets in each other of a type in JSON | 512 |
//! | size of a number | about 10^±19,700 |
//! | digits of a number that are looked at one by one | 20,000; the rest counts as "not zero" |
//! | unknown elements that a refined unknown list is written out to | 1,024 |
//!
//! Within them the 2 MiB of stack that a thread has in Rust are enough, also in a debug build.
//!
//! # Differences between Terraform's documentation and its behavior
//!
//! The behavior of Terraform 1.11 decides, not its documentation:
//!
//! * neither a list nor a set converts to a tuple, whatever its length;
//! * a set has an order: strings by their bytes, numbers by size, false before true, other elements by the
//!   bytes of a string form that keeps ten digits of a number, unknowns after those, nulls last;
//! * `"1"` and `"0"` convert to bools, `1` and `0` do not;
//! * strings such as `Inf` and `1p4` convert to numbers, and negative zero prints as `-0`;
//! * whether objects of several types have a type in common is decided from their types alone for a set of
//!   objects; a list of objects also looks at their values.
//!
//! Where Terraform crashes or returns a value of a type other than the requested one, this crate returns an error
//! or the right value; `tests/vectors/deviations.toml` lists these cases.

pub mod convert;
pub mod json;
pub mod msgpack;

mod bytes;
mod conformance;
mod duration;
mod error;
mod limits;
mod nfc_string;
mod number;
mod path;
mod quote;
mod refined_value;
mod refinements;
mod ty;
mod type_syntax;
mod typed;
mod value;
mod walk;

pub use crate::convert::{Unified, unify};
pub use crate::duration::{DurationError, parse_duration};
pub use crate::error::Error;
pub use crate::nfc_string::NfcString;
pub use crate::number::{Number, NumberError};
pub use crate::path::{Path, Step};
pub use crate::quote::{write_hcl_string, write_quoted};
pub use crate::refinements::{RefinementKind, Refinements};
pub use crate::ty::{Attribute, ObjectType, Type};
pub use crate::value::{Object, Set, Typed, Value, truncated};
