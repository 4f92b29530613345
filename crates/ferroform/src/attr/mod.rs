//! How a Rust type is a Terraform value, and back.

mod collections;
mod dynamic;
mod json_string;
mod mac_address;
mod scalars;
pub(crate) mod semantic_equality;
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
mod time;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;

pub use collections::{MapKey, Set};
pub use dynamic::Dynamic;
pub use json_string::Json;
pub use mac_address::MacAddress;

use ferroform_value::{Error, Number};

pub use crate::model::attr::Attr;
pub use crate::model::shape::Shape;
pub(crate) use crate::model::type_facts::TypeFacts;
pub use crate::model::unhandled::Unhandled;

/// The error for a number that the wanted type cannot hold. It may have as many digits as fit into a message.
fn misfit(wanted: &str, got: &Number) -> Error {
    const MOST: usize = 80;
    let text = got.to_string();
    let shown = text.get(..MOST).map_or_else(|| text.clone(), |it| format!("{it}…"));
    Error::invalid_value(wanted, shown)
}
