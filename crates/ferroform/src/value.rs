//! Terraform's types and values, for schemas and providers that are built at run time, and for attribute types of your own.
//!
//! A [`Type`] describes a set of values. A [`Value`] is known, null, or unknown until apply. A [`Path`] names a part of it.
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

/// Values and types as JSON, as states contain them.
pub mod json {
    pub use ferroform_value::json::{
        decode, decode_simple, decode_state, encode, encode_converted, encode_simple, implied_type,
        type_from_slice, type_to_string,
    };
}

/// Values as MessagePack, as the messages of the plugin protocol contain them.
pub mod msgpack {
    pub use ferroform_value::msgpack::{decode, encode, encode_converted};
}
