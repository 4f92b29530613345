//! Arithmetic with a precision of 512 bits, which is that of parsed numbers.
//!
//! ```
//! use ferroform_value::Number;
//!
//! let third = Number::from(1).divide(&Number::from(3))?;
//! assert_eq!(third.multiply(&Number::from(3))?.to_string(), "1");
//! assert!(Number::from(1).divide(&Number::from(0))?.is_infinite());
//! # Ok::<(), ferroform_value::NumberError>(())
//! ```

use num_bigint::BigUint;

use super::big::{MAX_EXPONENT, Magnitude, PRECISION, rounded};
use super::error::NumberError;
use super::{Number, Repr};

impl Number {
    /// Returns the number with the opposite sign. The negation of zero is negative zero.
    #[must_use]
    pub fn negate(&self) -> Number {
        match &self.0 {
            Repr::Int(0) => Number(Repr::Float(-0.0)),
            Repr::Int(it) => it.checked_neg().map_or_else(|| Number::from(-i128::from(*it)), Number::from),
            // `from_f64` converts whole floats to integers; negative zero is the only such float here.
            Repr::Float(it) => Number::from_f64(-it).unwrap_or_else(|| self.clone()),
            Repr::Big(negative, it) => Number::from_magnitude(!negative, (**it).clone()),
        }
    }

    /// Returns the sum.
    ///
    /// # Errors
    ///
    /// Returns an error if the sum is out of range, or undefined: the sum of positive and negative infinity.
    pub fn add(&self, other: &Number) -> Result<Number, NumberError> {
        if let (Repr::Int(a), Repr::Int(b)) = (&self.0, &other.0) {
            return Ok(Number::from(i128::from(*a) + i128::from(*b)));
        }
        match (self.is_infinite(), other.is_infinite()) {
            (true, true) if self.is_negative() != other.is_negative() => {
                return Err(NumberError::undefined("the sum of opposing infinities is undefined"));
            }
            (true, _) => return Ok(self.clone()),
            (_, true) => return Ok(other.clone()),
            _ => {}
        }
        let (a, b) = (self.magnitude(), other.magnitude());
        let low = a.exponent.min(b.exponent);
        let aligned = |it: &Magnitude| &it.mantissa << (it.exponent - low) as u64;
        let (left, right) = (aligned(&a), aligned(&b));
        let (negative, sum) = match (self.is_negative(), other.is_negative()) {
            (x, y) if x == y => (x, left + right),
            (x, _) if left > right => (x, left - right),
            (_, y) if right > left => (y, right - left),
            _ => (false, BigUint::ZERO),
        };
        round_result(negative, sum, low, false)
    }

    /// Returns the difference.
    ///
    /// # Errors
    ///
    /// Returns an error if the difference is out of range, or undefined: the difference of two equal infinities.
    pub fn subtract(&self, other: &Number) -> Result<Number, NumberError> {
        self.add(&other.negate())
    }

    /// Returns the product.
    ///
    /// # Errors
    ///
    /// Returns an error if the product is out of range, or undefined: the product of zero and infinity.
    pub fn multiply(&self, other: &Number) -> Result<Number, NumberError> {
        let negative = self.is_negative() != other.is_negative();
        if self.is_infinite() || other.is_infinite() {
            return if self.is_zero() || other.is_zero() {
                Err(NumberError::undefined("the product of zero and infinity is undefined"))
            } else {
                Ok(infinity(negative))
            };
        }
        let (a, b) = (self.magnitude(), other.magnitude());
        round_result(negative, &a.mantissa * &b.mantissa, a.exponent + b.exponent, false)
    }

    /// Returns the quotient. The quotient of a number and zero is infinite.
    ///
    /// # Errors
    ///
    /// Returns an error if the quotient is out of range, or undefined: the quotient of two zeros or of two infinities.
    pub fn divide(&self, other: &Number) -> Result<Number, NumberError> {
        let negative = self.is_negative() != other.is_negative();
        match (self.is_infinite(), other.is_infinite()) {
            (true, true) => {
                return Err(NumberError::undefined("the quotient of two infinities is undefined"));
            }
            (true, false) => return Ok(infinity(negative)),
            (false, true) => return round_result(negative, BigUint::ZERO, 0, false),
            (false, false) if other.is_zero() => {
                return if self.is_zero() {
                    Err(NumberError::undefined("the quotient of zero and zero is undefined"))
                } else {
                    Ok(infinity(negative))
                };
            }
            _ => {}
        }
        let (a, b) = (self.magnitude(), other.magnitude());
        // The quotient has two more bits than the result, so only whether the remainder is zero affects the rounding.
        let shift = (PRECISION + 2 + b.mantissa.bits()).saturating_sub(a.mantissa.bits());
        let dividend = &a.mantissa << shift;
        let quotient = &dividend / &b.mantissa;
        let inexact = &quotient * &b.mantissa != dividend;
        round_result(negative, quotient, a.exponent - b.exponent - shift as i64, inexact)
    }

    /// Returns the remainder, with the sign of this number. If the divisor is zero or if one of the numbers is
    /// infinite, the result is this number.
    ///
    /// # Errors
    ///
    /// Returns an error if an intermediate result is out of range.
    pub fn remainder(&self, other: &Number) -> Result<Number, NumberError> {
        if self.is_infinite() || other.is_infinite() || other.is_zero() {
            return Ok(self.clone());
        }
        let quotient = self.divide(other)?;
        let it = quotient.magnitude();
        let whole = if it.is_integer() {
            quotient.clone()
        } else {
            let whole = &it.mantissa >> it.exponent.unsigned_abs();
            Number::from_magnitude(quotient.is_negative(), Magnitude::new(whole, 0))
        };
        self.subtract(&other.multiply(&whole)?)
    }
}

fn infinity(negative: bool) -> Number {
    Number(Repr::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY }))
}

/// Rounds a result to 512 bits. `inexact` is true if digits below the mantissa are already lost.
fn round_result(
    negative: bool,
    mantissa: BigUint,
    exponent: i64,
    inexact: bool,
) -> Result<Number, NumberError> {
    let (mantissa, exponent) = rounded(mantissa, exponent, inexact, PRECISION);
    if mantissa == BigUint::ZERO {
        let zero = Number::from(0);
        return Ok(if negative { zero.negate() } else { zero });
    }
    let it = Magnitude::new(mantissa, exponent);
    if it.top().abs() > MAX_EXPONENT {
        return Err(NumberError::OUT_OF_RANGE);
    }
    Ok(Number::from_magnitude(negative, it))
}
