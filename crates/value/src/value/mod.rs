//! Values: null, unknown or known.

mod display;
mod object;
mod order;
mod set;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::display::shortened;
pub use self::object::Object;
pub use self::set::Set;
use crate::nfc::normalized;
use crate::number::Number;
use crate::refine::Refinements;
use crate::ty::Type;

/// A value of Terraform's language: null, unknown until apply, or known.
///
/// The type is not part of it (the schema knows it), except for [`Value::Dynamic`]. Equality is structural:
/// sets compare without order, numbers by value, an unknown equals an unknown with the same refinements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Absent, whatever the type.
    Null,
    /// Not known before apply; what is known of it all the same stands in its refinements.
    Unknown(Option<Box<Refinements>>),
    /// A bool.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(Arc<str>),
    /// The elements of a list, in order.
    List(Vec<Value>),
    /// The elements of a set, each once.
    Set(Set),
    /// The entries of a map, by key.
    Map(BTreeMap<Arc<str>, Value>),
    /// The attributes of an object, nulls included.
    Object(Object),
    /// The elements of a tuple, in order.
    Tuple(Vec<Value>),
    /// A value in a place of the type `any`, with its own type.
    Dynamic(Box<Typed>),
}

impl Value {
    /// An unknown of which nothing is known.
    pub const UNKNOWN: Value = Value::Unknown(None);

    /// A string, brought into Unicode normal form C as Terraform's values are.
    pub fn string(text: impl AsRef<str>) -> Value {
        Value::String(normalized(text.as_ref()))
    }

    /// A value with its own type, for a place of the type `any`.
    pub fn dynamic(ty: Type, value: Value) -> Value {
        if ty == Type::Dynamic { value } else { Value::Dynamic(Box::new(Typed { ty, value })) }
    }

    /// A map of these entries; a key given twice keeps its last value. Keys are taken as they are: one that
    /// is not ASCII goes through [`normalized`] first.
    pub fn map<K: Into<Arc<str>>>(entries: impl IntoIterator<Item = (K, Value)>) -> Value {
        Value::Map(entries.into_iter().map(|(k, v)| (k.into(), v)).collect())
    }

    /// An object of these attributes; a name given twice keeps its last value.
    pub fn object<K: Into<Arc<str>>>(attributes: impl IntoIterator<Item = (K, Value)>) -> Value {
        Value::Object(attributes.into_iter().map(|(k, v)| (k.into(), v)).collect())
    }

    /// A set of these elements; equal known elements are one.
    pub fn set(elements: impl IntoIterator<Item = Value>) -> Value {
        Value::Set(elements.into_iter().collect())
    }

    /// True for a null, also where it stands in a dynamic place with a type of its own.
    pub fn is_null(&self) -> bool {
        match self {
            Value::Null => true,
            Value::Dynamic(it) => it.value.is_null(),
            _ => false,
        }
    }

    /// True for an unknown, also where it stands in a dynamic place with a type of its own. A known
    /// collection with unknown elements is not unknown: see [`Value::is_wholly_known`].
    pub fn is_unknown(&self) -> bool {
        match self {
            Value::Unknown(_) => true,
            Value::Dynamic(it) => it.value.is_unknown(),
            _ => false,
        }
    }

    /// True where nothing inside is unknown.
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

    /// The kind of value, for messages: `null`, `unknown`, `string`, …
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

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(it) = self { Some(it) } else { None }
    }

    /// The attributes of an object.
    pub fn as_object(&self) -> Option<&Object> {
        if let Value::Object(it) = self { Some(it) } else { None }
    }

    /// The attribute of that name, where this is an object that has it.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }
}

/// A value and its type, for the places where the schema does not know the type.
///
/// Inside [`Value::Dynamic`] the type is never [`Type::Dynamic`] itself: an untyped null or unknown in a
/// dynamic place is plain [`Value::Null`] or [`Value::Unknown`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Typed {
    /// The type of the value.
    pub ty: Type,
    /// The value.
    pub value: Value,
}

impl Typed {
    /// A value of the type.
    pub fn new(ty: Type, value: Value) -> Typed {
        Typed { ty, value }
    }

    /// A tuple of these.
    pub fn tuple(elements: impl IntoIterator<Item = Typed>) -> Typed {
        let (types, values): (Vec<Type>, Vec<Value>) =
            elements.into_iter().map(|it| (it.ty, it.value)).unzip();
        Typed::new(Type::tuple(types), Value::Tuple(values))
    }

    /// An object of these attributes; a name given twice keeps its last value.
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
