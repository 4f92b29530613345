//! Bools, strings and numbers.

use ferroform_value::{Error, Number, NumberRange, Type, Value};

use ferroform_engine::type_mismatch::mismatch;

use super::{Attr, unrepresentable};
use crate::model::view::View;

/// The items of `Attr` that all built-in scalars have in common.
macro_rules! scalar {
    ($rust:ty, $ty:expr) => {
        scalar!($rust, $ty, true);
    };
    ($rust:ty, $ty:expr, $exact:literal) => {
        type In<V: View> = Self;
        const EXACT: bool = $exact;

        fn ty() -> Type {
            $ty
        }
    };
}

impl Attr for bool {
    scalar!(bool, Type::Bool);

    fn from_value(value: &Value) -> Result<Self, Error> {
        if let Value::Bool(it) = value { Ok(*it) } else { Err(mismatch("a bool", value)) }
    }

    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
}

impl Attr for String {
    scalar!(String, Type::String);

    fn from_value(value: &Value) -> Result<Self, Error> {
        if let Value::String(it) = value { Ok(String::from(&**it)) } else { Err(mismatch("a string", value)) }
    }

    fn to_value(&self) -> Value {
        Value::string(self)
    }
}

impl Attr for Number {
    scalar!(Number, Type::Number);

    fn from_value(value: &Value) -> Result<Self, Error> {
        if let Value::Number(it) = value { Ok(it.clone()) } else { Err(mismatch("a number", value)) }
    }

    fn to_value(&self) -> Value {
        Value::Number(self.clone())
    }
}

fn integer_range(min: impl Into<Number>, max: impl Into<Number>) -> NumberRange {
    NumberRange::integers(Some(min.into()), Some(max.into()))
}

/// Integers: a number that is not an integer in the range of the type is an error.
macro_rules! integers {
    ($($int:ty),+) => {$(
        impl Attr for $int {
            scalar!($int, Type::Number);

            fn from_value(value: &Value) -> Result<Self, Error> {
                let Value::Number(number) = value else {
                    return Err(mismatch("a whole number", value));
                };
                // Every integer of the type fits into one of the two widest types.
                let signed = number.to_i128().and_then(|it| <$int>::try_from(it).ok());
                let exact = signed.or_else(|| number.to_u128().and_then(|it| <$int>::try_from(it).ok()));
                exact.ok_or_else(|| Error::number_out_of_range(integer_range(<$int>::MIN, <$int>::MAX), number.clone()))
            }

            fn __number_range() -> Option<NumberRange> {
                Some(integer_range(<$int>::MIN, <$int>::MAX))
            }

            fn to_value(&self) -> Value {
                Value::Number(Number::from(*self))
            }
        }
    )+};
}

integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// The number of a float; `None` for not-a-number. A large integer gets the shortest digits that denote the float, because Terraform
/// encodes a number of 53 bits with fewer digits than it has.
fn number_of(float: f64) -> Option<Number> {
    let number = Number::from_f64(float)?;
    let is_large = number.is_integer() && number.to_i64().is_none();
    if is_large { Number::parse(&float.to_string()).ok() } else { Some(number) }
}

/// Floats: the float nearest to a number, as in the Go framework. A number that is too large, or that rounds to zero,
/// is an error. The plan and the state keep the digits of the configuration, because numbers that round to the same
/// float are semantically equal.
///
/// Not-a-number has no Terraform value: see [`Attr::to_value`].
macro_rules! floats {
    ($($float:ty, $nearest:ident, $fits:ident, $kind:literal;)+) => {$(
        impl Attr for $float {
            scalar!($float, Type::Number, false);

            fn from_value(value: &Value) -> Result<Self, Error> {
                let Value::Number(number) = value else { return Err(mismatch("a number", value)) };
                let nearest = number.$nearest();
                if nearest.is_infinite() && !number.is_infinite() || nearest == 0.0 && !number.is_zero() {
                    return Err(unrepresentable(&format!("a number in the range of a {}", $kind), number));
                }
                Ok(nearest)
            }

            fn to_value(&self) -> Value {
                number_of(f64::from(*self)).map_or_else(|| Value::string(self.to_string()), Value::Number)
            }

            fn __display(value: &Value) -> String {
                let shortest = |it: &Number| it.$fits()?.to_string().parse::<Number>().ok();
                match value {
                    Value::Number(it) => shortest(it).unwrap_or_else(|| it.clone()).to_string(),
                    _ => value.summary(),
                }
            }
        }
    )+};
}

floats! {
    f32, to_f32, as_f32, "32-bit float";
    f64, to_f64, as_f64, "64-bit float";
}

/// Types that are strings in Terraform: their name in errors, their placeholder, their parser and their printer. The parser
/// returns the reason why a string is invalid. The summary of the error is that of the Go type.
#[allow(unused_macros, reason = "used by the features")]
macro_rules! string_types {
    ($($ty:ty, $what:expr, $placeholder:literal, $parse:expr, $print:expr
        $(, canonical = $canonical:expr)? $(, summary = $summary:literal)?;)+) => {$(
        impl $crate::Attr for $ty {
            type In<V: $crate::view::View> = Self;

            fn ty() -> ferroform_value::Type {
                ferroform_value::Type::String
            }

            fn from_value(value: &ferroform_value::Value) -> Result<Self, ferroform_value::Error> {
                let ferroform_value::Value::String(string) = value else {
                    return Err(ferroform_engine::type_mismatch::mismatch($what, value));
                };
                let invalid = |reason| {
                    let error = ferroform_value::Error::invalid_value($what, format_args!("{string:?}"));
                    error.with_reason(reason)$(.with_summary($summary))?
                };
                $parse(&**string).map_err(invalid)
            }

            fn to_value(&self) -> ferroform_value::Value {
                $print(self).map_or_else(|other| other, ferroform_value::Value::string)
            }

            fn placeholder() -> ferroform_value::Value {
                $placeholder.into()
            }

            $(fn canonical(value: &ferroform_value::Value) -> ferroform_value::Value {
                Self::from_value(value).map_or_else(|_| value.clone(), |it| $canonical(&it).into())
            })?
        }

        impl $crate::MapKey for $ty {}
    )+};
}

/// The printer of most types. A value without a string form becomes a value of another type: see [`Attr::to_value`].
#[allow(dead_code, reason = "used by the features")]
pub(super) fn print(it: &impl ToString) -> Result<String, Value> {
    Ok(it.to_string())
}

#[allow(unused_imports, reason = "used by the features")]
pub(super) use string_types;
