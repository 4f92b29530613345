//! More types of the standard library: `Arc<str>`, `Box<str>`, `PathBuf`, `NonZero` integers and `VecDeque`.

use std::collections::VecDeque;
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16,
    NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};
use std::path::PathBuf;
use std::sync::Arc;

use ferroform_engine::schema::{Block, Nested};
use ferroform_engine::validator::Hint;
use ferroform_value::{Error, Number, NumberRange, Type, Value};

use super::collections::collection;
use super::{Attr, MapKey, Shape, Unhandled};
use crate::model::view::View;

/// Strings in another representation.
macro_rules! strings {
    ($($ty:ty: $from:expr, $to:expr;)+) => {$(
        impl Attr for $ty {
            type In<V: View> = Self;
            const EXACT: bool = true;

            fn ty() -> Type {
                Type::String
            }

            fn from_value(value: &Value) -> Result<Self, Error> {
                String::from_value(value).map($from)
            }

            fn to_value(&self) -> Value {
                $to(self)
            }
        }

        impl MapKey for $ty {}
    )+};
}

strings! {
    Arc<str>: Arc::from, Value::string;
    Box<str>: Box::from, Value::string;
    // A path that is not Unicode has no Terraform value: see `Attr::to_value`.
    PathBuf: PathBuf::from, |it: &PathBuf| it.to_str().map_or(Value::List(Vec::new()), Value::string);
}

/// `NonZero` integers. Their placeholder is 1.
macro_rules! non_zero {
    ($($non_zero:ty, $int:ty;)+) => {$(
        impl Attr for $non_zero {
            type In<V: View> = Self;
            const EXACT: bool = true;

            fn ty() -> Type {
                Type::Number
            }

            fn from_value(value: &Value) -> Result<Self, Error> {
                let number = <$int>::from_value(value).map_err(|error| match value {
                    Value::Number(number) => Error::number_out_of_range(Self::range(), number.clone()),
                    _ => error,
                })?;
                let is_unsigned = <$int>::MIN == 0;
                <$non_zero>::new(number).ok_or_else(|| match is_unsigned {
                    true => Error::number_out_of_range(Self::range(), Number::from(0)),
                    false => Error::invalid_value("a whole number other than 0", "0"),
                })
            }

            fn to_value(&self) -> Value {
                Value::Number(Number::from(self.get()))
            }

            fn placeholder() -> Value {
                Value::from(1)
            }

            fn __number_range() -> Option<NumberRange> {
                Some(Self::range())
            }
        }

        impl Range for $non_zero {
            /// The range of a signed type contains zero.
            fn range() -> NumberRange {
                let min = if <$int>::MIN == 0 { 1 } else { <$int>::MIN };
                NumberRange::integers(Some(min.into()), Some(<$int>::MAX.into()))
            }
        }
    )+};
}

/// The smallest range that contains all numbers of a type.
trait Range {
    fn range() -> NumberRange;
}

non_zero! {
    NonZeroU8, u8;
    NonZeroU16, u16;
    NonZeroU32, u32;
    NonZeroU64, u64;
    NonZeroU128, u128;
    NonZeroUsize, usize;
    NonZeroI8, i8;
    NonZeroI16, i16;
    NonZeroI32, i32;
    NonZeroI64, i64;
    NonZeroI128, i128;
    NonZeroIsize, isize;
}

impl<T: Attr> Attr for VecDeque<T> {
    type In<V: View> = VecDeque<V::Plain<T>>;
    collection!(T, Type::list, Nested::list, T::SHAPE.list());

    fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
        Vec::from_value_or(value, unhandled).map(VecDeque::from)
    }

    fn to_value(&self) -> Value {
        Value::List(self.iter().map(T::to_value).collect())
    }
}
