//! Values: null, unknown or known.

mod display;
mod object;
mod order;
mod set;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::display::truncated;
pub use self::object::Object;
pub use self::set::Set;
use crate::nfc_string::NfcString;
use crate::number::Number;
use crate::refinements::Refinements;
use crate::ty::Type;

/// A value of Terraform's language: null, unknown or known.
///
/// A value does not contain its type, because the schema determines it. Only a [`Value::Dynamic`] contains its type.
/// Equality is structural: sets compare without order, numbers compare by value, and an unknown value equals an unknown
/// value with the same refinements. The enum is exhaustive: the plugin protocol defines exactly these values.
///
/// `Display` prints a value in one line in Terraform's syntax; see [`Value::summary`] for messages.
///
/// ```
/// use ferroform_value::Value;
///
/// let server = Value::object([
///     ("name", "web".into()),
///     ("ports", Value::List(vec![80.into(), 443.into()])),
///     ("id", Value::UNKNOWN),
/// ]);
/// assert_eq!(server.attribute("name").and_then(Value::as_str), Some("web"));
/// assert!(!server.is_wholly_known());
/// assert_eq!(server.to_string(), r#"{id = (known after apply), name = "web", ports = [80, 443]}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Null, of any type.
    Null,
    /// An unknown value, possibly with refinements. Refinements that exclude no value are `None`; see
    /// [`Value::unknown`].
    Unknown(Option<Box<Refinements>>),
    /// A bool.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(NfcString),
    /// The elements of a list, in order.
    List(Vec<Value>),
    /// The elements of a set. Each element occurs once.
    Set(Set),
    /// The elements of a map, by key.
    Map(BTreeMap<NfcString, Value>),
    /// The attributes of an object, including those that are null.
    Object(Object),
    /// The elements of a tuple, in order.
    Tuple(Vec<Value>),
    /// A value that contains its type, for an attribute or element of the type `any`.
    Dynamic(Box<Typed>),
}

impl Value {
    /// An unknown value without refinements.
    pub const UNKNOWN: Value = Value::Unknown(None);

    /// Creates a string, which is converted to Unicode Normalization Form C.
    pub fn string(string: impl AsRef<str>) -> Value {
        Value::String(NfcString::new(string))
    }

    /// Creates an unknown value with refinements.
    pub fn unknown(refinements: Refinements) -> Value {
        let is_refined = refinements != Refinements::new();
        Value::Unknown(is_refined.then(|| Box::new(refinements)))
    }

    /// Creates a value that contains its type, for an attribute or element of the type `any`. If `ty` is `any`
    /// itself, the value is returned unchanged.
    pub fn dynamic(ty: Type, value: Value) -> Value {
        if ty == Type::Dynamic { value } else { Value::Dynamic(Box::new(Typed { ty, value })) }
    }

    /// Creates a map. If a key occurs more than once, the last value applies.
    pub fn map<K: Into<NfcString>>(entries: impl IntoIterator<Item = (K, Value)>) -> Value {
        Value::Map(entries.into_iter().map(|(k, v)| (k.into(), v)).collect())
    }

    /// Creates an object. If a name occurs more than once, the last value applies.
    pub fn object<K: Into<Arc<str>>>(attributes: impl IntoIterator<Item = (K, Value)>) -> Value {
        Value::Object(attributes.into_iter().map(|(k, v)| (k.into(), v)).collect())
    }

    /// Creates a set. Equal elements that are wholly known become one element.
    pub fn set(elements: impl IntoIterator<Item = Value>) -> Value {
        Value::Set(elements.into_iter().collect())
    }

    /// Returns true for null, including a null in a [`Value::Dynamic`].
    pub fn is_null(&self) -> bool {
        match self {
            Value::Null => true,
            Value::Dynamic(it) => it.value.is_null(),
            _ => false,
        }
    }

    /// Returns true for an unknown value, including one in a [`Value::Dynamic`]. A collection that contains unknown
    /// elements is known; see [`Value::is_wholly_known`].
    pub fn is_unknown(&self) -> bool {
        match self {
            Value::Unknown(_) => true,
            Value::Dynamic(it) => it.value.is_unknown(),
            _ => false,
        }
    }

    /// Returns true if the value and all of its elements and attributes, at every depth, are known.
    pub fn is_wholly_known(&self) -> bool {
        match self {
            Value::Unknown(_) => false,
            Value::Dynamic(it) => it.value.is_wholly_known(),
            Value::List(it) | Value::Tuple(it) => it.iter().all(Value::is_wholly_known),
            Value::Set(it) => it.iter().all(Value::is_wholly_known),
            Value::Map(it) => it.values().all(Value::is_wholly_known),
            Value::Object(it) => it.values().all(Value::is_wholly_known),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        }
    }

    /// Returns the kind of value, for messages: `null`, `unknown`, `string`, …
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Unknown(_) => "unknown",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::List(_) => "list",
            Value::Set(_) => "set",
            Value::Map(_) => "map",
            Value::Object(_) => "object",
            Value::Tuple(_) => "tuple",
            Value::Dynamic(it) => it.value.kind(),
        }
    }

    /// Returns the string slice of a string; `None` for any other value.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(it) = self { Some(it) } else { None }
    }

    /// Returns the attributes of an object; `None` for any other value.
    pub fn as_object(&self) -> Option<&Object> {
        if let Value::Object(it) = self { Some(it) } else { None }
    }

    /// Returns the value of an attribute; `None` if the value is not an object or does not have the attribute.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }

    /// Returns the value of an attribute; null if the value is not an object or does not have the attribute.
    pub fn attribute_or_null(&self, name: &str) -> &Value {
        self.attribute(name).unwrap_or(&Value::Null)
    }
}

/// A value and its type, for attributes and elements whose type the schema does not determine.
///
/// Inside a [`Value::Dynamic`] the type is never [`Type::Dynamic`]: an untyped null or unknown value is a plain
/// [`Value::Null`] or [`Value::Unknown`].
///
/// ```
/// use ferroform_value::{Type, Typed};
///
/// let pair = Typed::tuple([Typed::new(Type::Bool, true.into()), Typed::new(Type::Number, 2.into())]);
/// assert_eq!(pair.ty.to_string(), "tuple([bool, number])");
/// assert_eq!(pair.value.to_string(), "[true, 2]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Typed {
    /// The type of the value.
    pub ty: Type,
    /// The value.
    pub value: Value,
}

impl Typed {
    /// Combines a value with its type. The value must be of this type.
    pub fn new(ty: Type, value: Value) -> Typed {
        Typed { ty, value }
    }

    /// Creates a tuple of these elements.
    pub fn tuple(elements: impl IntoIterator<Item = Typed>) -> Typed {
        let (types, values): (Vec<Type>, Vec<Value>) =
            elements.into_iter().map(|it| (it.ty, it.value)).unzip();
        Typed::new(Type::tuple(types), Value::Tuple(values))
    }

    /// Creates an object of these attributes. If a name occurs more than once, the last value applies.
    pub fn object(attributes: impl IntoIterator<Item = (Arc<str>, Typed)>) -> Typed {
        let (types, values): (Vec<_>, Vec<_>) =
            attributes.into_iter().map(|(name, it)| ((name.clone(), it.ty), (name, it.value))).unzip();
        Typed::new(Type::object(types), Value::object(values))
    }
}

impl From<bool> for Value {
    fn from(it: bool) -> Value {
        Value::Bool(it)
    }
}

impl From<&str> for Value {
    fn from(it: &str) -> Value {
        Value::string(it)
    }
}

impl From<String> for Value {
    fn from(it: String) -> Value {
        Value::string(it)
    }
}

impl From<Number> for Value {
    fn from(it: Number) -> Value {
        Value::Number(it)
    }
}

impl From<i64> for Value {
    fn from(it: i64) -> Value {
        Value::Number(it.into())
    }
}
