//! Terraform's types and values, for schemas and providers that are built at run time, and for attribute types of your own.
//!
//! A [`Type`] describes a set of values. A [`Value`] is known, null, or unknown until apply. A [`Path`] identifies an element or
//! attribute of a value.
//!
//! ```
//! use ferroform::value::{Path, Type, Value, json};
//!
//! let ty = Type::object([("port", Type::Number)]);
//! let value = json::decode(br#"{"port": 443}"#, &ty)?;
//! assert_eq!(value.at(&Path::attribute("port")), Some(&Value::Number(443.into())));
//! # Ok::<(), ferroform::value::Error>(())
//! ```

pub use ferroform_value::convert::convert;
pub use ferroform_value::{
    Attribute, Error, NfcString, Number, NumberError, NumberRange, Object, ObjectType, Path, RefinementKind,
    Refinements, Set, Step, Type, Typed, Unified, Value, unify,
};

/// The JSON encoding of values and types, as in state files.
pub mod json {
    pub use ferroform_value::json::{
        decode, decode_simple, decode_state, encode, encode_converted, encode_simple, implied_type,
        type_from_slice, type_to_string,
    };
}

/// The MessagePack encoding of values, as in the plugin protocol.
pub mod msgpack {
    pub use ferroform_value::msgpack::{decode, encode, encode_converted};
}
