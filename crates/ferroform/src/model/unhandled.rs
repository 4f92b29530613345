//! How to read null and unknown values that a Rust type cannot represent.

use ferroform_value::{Type, Value};

/// How to read null and unknown values that a Rust type cannot represent. By default, they are errors.
///
/// An `Option` can represent null, and a [`Maybe`](crate::Maybe) can represent unknown, so these settings do not affect
/// them.
///
/// ```
/// use ferroform::{Attr, Unhandled, value::Value};
///
/// let ports = Value::List(vec![Value::from(80), Value::Null]);
/// assert!(Vec::<u16>::from_value(&ports).is_err());
/// assert_eq!(Vec::<u16>::from_value_or(&ports, Unhandled::default().null_as_default()), Ok(vec![80, 0]));
/// assert_eq!(Vec::<Option<u16>>::from_value(&ports), Ok(vec![Some(80), None]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unhandled {
    null: bool,
    unknown: bool,
}

impl Unhandled {
    /// Reads a null as the default value: false, zero, the empty string or collection, or an object of these.
    #[must_use]
    pub fn null_as_default(self) -> Unhandled {
        Unhandled { null: true, ..self }
    }

    /// Reads an unknown value as null: as `None` if the type has it, and otherwise as the default value.
    #[must_use]
    pub fn unknown_as_default(self) -> Unhandled {
        Unhandled { unknown: true, ..self }
    }

    /// Returns true if this value is read as the default value of a type that cannot represent it.
    pub fn covers(self, value: &Value) -> bool {
        self.null && value.is_null() || self.unknown && value.is_unknown()
    }

    /// Returns true if the value is unknown and is read as the default value.
    pub(crate) fn is_unknown_read_as_default(self, value: &Value) -> bool {
        self.unknown && value.is_unknown()
    }
}

/// The default value of a type that contains no other Rust types.
pub(super) fn empty(ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Number => Value::from(0),
        Type::String => Value::string(""),
        Type::List(_) => Value::List(Vec::new()),
        Type::Set(_) => Value::set([]),
        Type::Map(_) => Value::Map(Default::default()),
        Type::Object(it) => Value::object(it.attributes().iter().map(|a| (a.name.clone(), empty(&a.ty)))),
        Type::Tuple(it) => Value::Tuple(it.iter().map(empty).collect()),
        Type::Dynamic => Value::Null,
    }
}
