//! Terraform's types and values, and their encodings: MessagePack and JSON.
//!
//! This crate does not depend on providers, models, RPCs, async code or the configuration language. A [`Type`]
//! describes a set of values. A [`Value`] is known, null, or unknown until apply. A value does not contain its type,
//! because the schema determines it. Only a value of the type [`Type::Dynamic`] contains its own type.
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
//! // Terraform converts the configured value to the type of the schema and encodes it.
//! let converted = convert(configured.value, &configured.ty, &port)?;
//! let bytes = msgpack::encode(&converted.value, &port)?;
//! assert_eq!(msgpack::decode(&bytes, &port)?, converted.value);
//! assert_eq!(json::encode(&converted.value, &port)?, br#"{"open":true,"port":443}"#);
//!
//! assert_eq!(converted.value.at(&Path::attribute("open")), Some(&Value::Bool(true)));
//! # Ok::<(), ferroform_value::Error>(())
//! ```
//!
//! | module | purpose |
//! | --- | --- |
//! | [`msgpack`] | encoding of values in the messages of the plugin protocol |
//! | [`json`] | encoding of values and types in states, and in messages of older protocol versions |
//! | [`convert`], [`unify`](fn@unify) | conversion between types, and the common type of several types |
//!
//! # Limits
//!
//! Every decoder and parser accepts arbitrary input: invalid input returns an error, and the time and memory are
//! proportional to the length of the input. Terraform does not have the limits that this requires:
//!
//! | property | limit |
//! | --- | --- |
//! | nesting of values in MessagePack and JSON | 256 |
//! | nesting of brackets of a type in JSON | 512 |
//! | magnitude of a number | about 10^±19,700 |
//! | digits of a number that are parsed individually | 20,000; further digits only count as "not zero" |
//! | elements of the list of unknown values that replaces a refined unknown list | 1,024 |
//!
//! Within these limits, the default stack of a Rust thread (2 MiB) is sufficient, also in a debug build.
//!
//! # Differences between Terraform's documentation and its behavior
//!
//! The behavior of Terraform 1.11 takes precedence over its documentation:
//!
//! * neither a list nor a set converts to a tuple, whatever its length;
//! * the elements of a set are sorted: strings by their bytes, numbers by size, false before true, and other
//!   elements by the bytes of a string form that keeps ten digits of a number. Unknown elements follow, and nulls
//!   are last;
//! * `"1"` and `"0"` convert to bools, `1` and `0` do not;
//! * strings such as `Inf` and `1p4` convert to numbers, and negative zero prints as `-0`;
//! * for a set of objects, only the types of the objects determine whether they have a common type; for a list of
//!   objects, their values matter as well.
//!
//! If Terraform crashes or returns a value of another type than the requested one, this crate returns an error or the
//! correct value. `tests/vectors/deviations.toml` lists these cases.

pub mod convert;
pub mod json;
pub mod msgpack;

mod bytes;
mod conformance;
mod duration;
mod element_budget;
mod error;
mod limits;
mod nfc_string;
mod number;
mod path;
mod quote;
mod refined_value;
mod refinements;
mod suggest;
mod ty;
mod type_syntax;
mod typed;
mod value;
mod walk;

pub use crate::convert::{Unified, unify};
pub use crate::duration::{DurationError, parse_duration};
pub use crate::error::Error;
pub use crate::nfc_string::NfcString;
pub use crate::number::{Number, NumberError, NumberRange};
pub use crate::path::{Path, Step};
pub use crate::quote::{hcl_string, write_hcl_string, write_quoted};
pub use crate::refinements::{RefinementKind, Refinements};
pub use crate::suggest::suggest;
pub use crate::ty::{Attribute, ObjectType, Type};
pub use crate::value::{Object, Set, Typed, Value, truncated};
