//! Decimal numbers, to the last digit.

use ferroform_value::{Error, Number, Type, Value};
use rust_decimal::Decimal;

use super::{Attr, mismatch};
use crate::view::View;

impl Attr for Decimal {
    type In<V: View> = Self;
    const EXACT: bool = true;

    fn ty() -> Type {
        Type::Number
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let Value::Number(number) = value else {
            return Err(mismatch("a number", value));
        };
        Decimal::from_str_exact(&number.to_string()).map_err(|_| {
            Error::new(format!("a number of at most 28 digits is required, but this is {number}"))
        })
    }

    fn to_value(&self) -> Value {
        Number::parse(&self.to_string()).map_or(Value::Null, Value::Number)
    }
}
