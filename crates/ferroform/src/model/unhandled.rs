//! What becomes of a null or unknown that the wanted type cannot hold.

use ferroform_value::{Type, Value};

/// What becomes of a null or unknown that the wanted type cannot hold: an error, unless said otherwise.
///
/// A type that can hold it does, whatever is said here: null is `None` of an `Option`, and unknown is
/// [`Unknown`](crate::Unknown) of a [`Maybe`](crate::Maybe).
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
    /// A null becomes the default value: false, zero, the empty string or collection, an object of these.
    #[must_use]
    pub fn null_as_default(self) -> Unhandled {
        Unhandled { null: true, ..self }
    }

    /// An unknown becomes what a null would: `None`, or else the default value.
    #[must_use]
    pub fn unknown_as_default(self) -> Unhandled {
        Unhandled { unknown: true, ..self }
    }

    /// True where this value becomes the default value of a type that cannot hold it.
    pub fn covers(self, value: &Value) -> bool {
        self.null && value.is_null() || self.unknown && value.is_unknown()
    }

    /// True where an unknown becomes the default value.
    pub(crate) fn covers_unknown(self, value: &Value) -> bool {
        self.unknown && value.is_unknown()
    }
}

/// The default value of a type that holds no others: those that do make their own.
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
