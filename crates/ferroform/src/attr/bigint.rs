//! Integers of any size.

use ferroform_value::{Error, Number, NumberRange, Type, Value};
use num_bigint::{BigInt, Sign};

use ferroform_engine::type_mismatch::mismatch;

use super::Attr;
use crate::model::view::View;

impl Attr for BigInt {
    type In<V: View> = Self;
    const EXACT: bool = true;

    fn ty() -> Type {
        Type::Number
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let Value::Number(number) = value else {
            return Err(mismatch("a whole number", value));
        };
        let sign = if number.is_negative() { Sign::Minus } else { Sign::Plus };
        match number.to_be_bytes() {
            Some(bytes) => Ok(BigInt::from_bytes_be(sign, &bytes)),
            None => Err(Error::number_out_of_range(NumberRange::integers(None, None), number.clone())),
        }
    }

    fn __number_range() -> Option<NumberRange> {
        Some(NumberRange::integers(None, None))
    }

    /// An integer with more than 512 significant bits has no Terraform value: see [`Attr::to_value`].
    fn to_value(&self) -> Value {
        let (sign, bytes) = self.to_bytes_be();
        let number = Number::from_be_bytes(sign == Sign::Minus, &bytes);
        number.map_or_else(|| Value::string(self.to_string()), Value::Number)
    }
}
