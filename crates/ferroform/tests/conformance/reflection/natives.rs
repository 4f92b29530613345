//! The Rust counterparts of the named native types of the cases.

use std::collections::BTreeMap;

use ferroform::value::{Error, Type, Value};
use ferroform::view::View;
use ferroform::{Attr, Dynamic, Model, Unhandled};

#[derive(Attr, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AliasString(String);

#[derive(Attr, Clone, Debug, PartialEq)]
pub struct AliasBool(bool);

#[derive(Attr, Clone, Debug, PartialEq)]
pub struct AliasI64(i64);

#[derive(Attr, Clone, Debug, PartialEq)]
pub struct AliasF64(f64);

#[derive(Attr, Clone, Debug, PartialEq)]
pub struct AliasVec(Option<Vec<String>>);

#[derive(Attr, Clone, Debug, PartialEq)]
pub struct AliasMap(Option<BTreeMap<String, String>>);

/// A type that converts null and unknown values itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Converter {
    Null,
    Unknown,
    Known(String),
}

impl Attr for Converter {
    type In<V: View> = Self;
    const NULLABLE: bool = true;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        match value {
            Value::Null => Ok(Converter::Null),
            Value::Unknown(_) => Ok(Converter::Unknown),
            _ => String::from_value(value).map(Converter::Known),
        }
    }

    fn from_value_or(value: &Value, _: Unhandled) -> Result<Self, Error> {
        Self::from_value(value)
    }

    fn to_value(&self) -> Value {
        match self {
            Converter::Null => Value::Null,
            Converter::Unknown => Value::UNKNOWN,
            Converter::Known(it) => it.to_value(),
        }
    }
}

macro_rules! models {
    ($($name:ident { $($(#[$attr:meta])* $field:ident: $ty:ty),* })+) => {$(
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[$attr])* pub $field: $ty,)*
        }
    )+};
}

models! {
    Empty {}
    A { a: String }
    OptionA { a: Option<String> }
    Both { a: String, b: i64 }
    OptionB { a: String, b: Option<i64> }
    OptionBoth { a: Option<String>, b: Option<i64> }
    OtherZ { a: String, z: String }
    OtherB { b: String }
    AnyA { a: Option<Dynamic> }
    AnyN { n: Option<Dynamic> }
    Nested { n: A }
    NestedOption { n: Option<A> }
    NestedVec { n: Option<Vec<A>> }
    NestedMap { n: Option<BTreeMap<String, A>> }
    WithSkippedField { a: String, #[attr(skip)] other: String }
    Private { a: String, #[attr(skip)] private: String }
    Untagged { a: String, untagged: String }
    Embedded { #[attr(flatten)] inner: A, b: Option<i64> }
}
