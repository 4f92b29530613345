//! Decimal numbers without rounding.

use ferroform_value::{Error, Number, Type, Value};
use rust_decimal::Decimal;

use ferroform_engine::type_mismatch::mismatch;

use super::{Attr, unrepresentable};
use crate::model::view::View;

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
        Decimal::from_str_exact(&number.to_string())
            .map_err(|_| unrepresentable("a number of at most 28 digits", number))
    }

    fn to_value(&self) -> Value {
        let digits = self.to_string();
        Number::parse(&digits).map_or_else(|_| Value::string(digits), Value::Number)
    }
}
