//! Attribute types: the conversions between Rust types and Terraform values.
//!
//! | Terraform type | Rust types |
//! |---|---|
//! | bool | `bool` |
//! | number | integers, `NonZero` integers, floats, [`Number`], and with features `BigInt` and `Decimal` |
//! | string | `String`, `Arc<str>`, `Box<str>`, `PathBuf`, `#[derive(Attr)]` enums, [`Json`], [`MacAddress`], [`GoDuration`], and with features addresses, times, URLs and UUIDs |
//! | list | `Vec`, `VecDeque`, arrays |
//! | set | [`Set`], `BTreeSet`, `HashSet` |
//! | map | `BTreeMap`, `HashMap`, with a [`MapKey`] |
//! | object | `#[derive(Model)]` structs, `#[derive(Attr)]` enums with data |
//! | tuple | tuples |
//! | dynamic | [`Dynamic`] |
//! | null | `Option` |
//! | unknown | [`Maybe`](crate::Maybe) |
//!
//! [`Attr`] is the trait of all of them; its documentation shows how to implement it for another type.

mod collections;
mod dynamic;
mod go_duration;
mod json_string;
mod mac_address;
mod scalars;
pub(crate) mod semantic_equality;
mod standard_types;
pub(crate) mod tagged_enum;
mod tuples;
mod wrappers;

#[cfg(feature = "bigint")]
mod bigint;
#[cfg(feature = "decimal")]
mod decimal;
#[cfg(feature = "ip")]
mod ip;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "time")]
mod rfc3339;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;

pub use collections::{MapKey, Set};
pub use dynamic::Dynamic;
pub use go_duration::GoDuration;
pub use json_string::Json;
pub use mac_address::MacAddress;
#[cfg(feature = "time")]
pub use rfc3339::Rfc3339;

use ferroform_value::{Error, Number};

pub use crate::model::attr::{Attr, AttrValue};
pub use crate::model::shape::Shape;
pub(crate) use crate::model::type_facts::TypeFacts;
pub use crate::model::unhandled::Unhandled;

/// The error for a number that the Rust type cannot represent. The number is shortened to the length of a message.
fn unrepresentable(expected: &str, number: &Number) -> Error {
    const MAX_LENGTH: usize = 80;
    let digits = number.to_string();
    let shown = digits.get(..MAX_LENGTH).map_or_else(|| digits.clone(), |it| format!("{it}…"));
    Error::invalid_value(expected, shown)
}
