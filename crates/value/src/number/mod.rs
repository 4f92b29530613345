//! Numbers with Terraform's precision and equality.

mod arith;
mod big;
mod error;
mod range;
mod text;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use num_bigint::BigUint;

use self::big::Magnitude;
pub use self::error::NumberError;
pub use self::range::NumberRange;

/// The maximum exponent of two for printing every digit. Larger powers have thousands of digits.
const MAX_EXACT_EXPONENT: u64 = 10_000;

/// A number with Terraform's precision.
///
/// A parsed number is a binary float of 512 bits, rounded to nearest even. An `f64` keeps its 53 bits. There are two
/// infinities and a negative zero, but no NaN.
///
/// Equality is that of Terraform: fractions are equal if they print the same, so `0.1` in a configuration is equal to
/// the `f64` of `0.1`. Integers are equal if their values are equal, and the two zeros are equal. This equality is
/// not consistent with a total order, so `Number` does not implement `Ord`; see [`Number::compare`].
///
/// ```
/// use ferroform_value::Number;
///
/// let tenth: Number = "0.10".parse()?;
/// assert_eq!(tenth.to_string(), "0.1");
/// assert_eq!(tenth, Number::try_from(0.1)?);
/// assert!(tenth.compare(&Number::try_from(0.1)?).is_lt());
/// assert_eq!(Number::parse("1e21")?.to_i64(), None);
/// assert_eq!(Number::from(1).divide(&Number::from(8))?.to_f64_exact(), Some(0.125));
/// # Ok::<(), ferroform_value::Error>(())
/// ```
#[derive(Clone)]
pub struct Number(Repr);

/// The representation of a number. An integer of 64 bits is always `Int`. `Float` is a number of 53 bits, or a number
/// of 512 bits that prints the same, such as 0.5.
#[derive(Clone, PartialEq)]
enum Repr {
    Int(i64),
    Float(f64),
    Big(bool, Box<Magnitude>),
}

impl Number {
    /// Parses a decimal number such as `12`, `-0.5`, `1e3` or `Inf`.
    ///
    /// # Errors
    ///
    /// Returns an error if the string is not a number, or if the number is out of range (about 10^±19,700).
    pub fn parse(text: &str) -> Result<Number, NumberError> {
        text::parse(text)
    }

    /// Creates a number with the 53 bits of a float; `None` for NaN.
    pub fn from_f64(it: f64) -> Option<Number> {
        let whole = it.fract() == 0.0 && it.abs() < (1u64 << 53) as f64;
        match it {
            _ if it.is_nan() => None,
            _ if whole && (it != 0.0 || it.is_sign_positive()) => Some(Number(Repr::Int(it as i64))),
            _ => Some(Number(Repr::Float(it))),
        }
    }

    /// Creates a number with the exact value of a float; `None` for NaN.
    pub fn from_f32(it: f32) -> Option<Number> {
        Number::from_f64(f64::from(it))
    }

    /// Creates a number from its sign and magnitude, in its canonical representation.
    fn from_magnitude(negative: bool, it: Magnitude) -> Number {
        let int = it.to_u128().and_then(|it| i128::try_from(it).ok());
        if let Some(int) = int.and_then(|it| i64::try_from(if negative { -it } else { it }).ok()) {
            return Number(Repr::Int(int));
        }
        // A decimal of up to fifteen digits is printed unchanged after it is converted to a float.
        let short =
            |(digits, places): (u64, u32)| Some(digits.checked_mul(5u64.pow(places))? < 10u64.pow(15));
        let places = u32::try_from(-it.exponent).ok().filter(|&it| it <= 21);
        match u64::try_from(&it.mantissa).ok().zip(places).and_then(short) {
            Some(true) => Number(Repr::Float(nearest(negative, &it))),
            _ => Number(Repr::Big(negative, Box::new(it))),
        }
    }

    /// Returns true for an integer. An infinity is not an integer.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Int(_) => true,
            Repr::Float(it) => it.is_finite() && it.fract() == 0.0,
            Repr::Big(_, it) => it.is_integer(),
        }
    }

    /// Returns true for the two infinities.
    pub fn is_infinite(&self) -> bool {
        matches!(self.0, Repr::Float(it) if it.is_infinite())
    }

    /// Returns true for zero and for negative zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Int(0)) || self.is_negative_zero()
    }

    /// Returns true for the zero that prints as `-0`.
    pub fn is_negative_zero(&self) -> bool {
        matches!(self.0, Repr::Float(0.0))
    }

    /// Returns true for numbers less than zero and for negative zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Int(it) => *it < 0,
            Repr::Float(it) => it.is_sign_negative(),
            Repr::Big(negative, _) => *negative,
        }
    }

    /// Returns -1 for a negative number, 0 for both zeros, and 1 for a positive number.
    pub fn signum(&self) -> i32 {
        match (self.is_zero(), self.is_negative()) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// Compares the exact values.
    ///
    /// Numbers that are equal by `==` can differ here, such as `0.1` with 512 bits and `0.1` with 53 bits.
    pub fn compare(&self, other: &Number) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Int(a), Repr::Int(b)) => a.cmp(b),
            (Repr::Float(a), Repr::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            _ => self.signum().cmp(&other.signum()).then_with(|| {
                let order = match (self.is_infinite(), other.is_infinite()) {
                    (false, false) => self.magnitude().compare(&other.magnitude()),
                    (a, b) => a.cmp(&b),
                };
                if self.is_negative() { order.reverse() } else { order }
            }),
        }
    }

    /// Returns the number as an `i64` if it is an integer in this range.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Int(it) => Some(it),
            _ => self.to_i128()?.try_into().ok(),
        }
    }

    /// Returns the number as a `u64` if it is an integer in this range.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128()?.try_into().ok()
    }

    /// Returns the number as an `i128` if it is an integer in this range.
    pub fn to_i128(&self) -> Option<i128> {
        if let Repr::Int(it) = self.0 {
            return Some(it.into());
        }
        let it = self.whole()?;
        if self.is_negative() { 0i128.checked_sub_unsigned(it) } else { it.try_into().ok() }
    }

    /// Returns the number as a `u128` if it is an integer in this range.
    pub fn to_u128(&self) -> Option<u128> {
        match self.0 {
            Repr::Int(it) => it.try_into().ok(),
            _ => self.whole().filter(|&it| it == 0 || !self.is_negative()),
        }
    }

    /// Returns the absolute value of an integer as big-endian bytes; `None` if the number is not an integer.
    pub fn to_be_bytes(&self) -> Option<Vec<u8>> {
        let it = self.is_integer().then(|| self.magnitude())?;
        Some((&it.mantissa << it.exponent.unsigned_abs()).to_bytes_be())
    }

    /// Creates an integer from its sign and the big-endian bytes of its absolute value; `None` if it exceeds 512 bits.
    pub fn from_be_bytes(negative: bool, bytes: &[u8]) -> Option<Number> {
        let it = Magnitude::new(BigUint::from_bytes_be(bytes), 0);
        (it.mantissa.bits() <= big::PRECISION).then(|| Number::from_magnitude(negative, it))
    }

    /// Returns the nearest `f64`, which is infinite for numbers that are too large and zero for numbers that are too
    /// small.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Int(it) => *it as f64,
            Repr::Float(it) => *it,
            Repr::Big(negative, it) => nearest(*negative, it),
        }
    }

    /// Returns the nearest `f32`, which is infinite for numbers that are too large and zero for numbers that are too
    /// small.
    pub fn to_f32(&self) -> f32 {
        match &self.0 {
            Repr::Int(it) => *it as f32,
            Repr::Float(it) => *it as f32,
            Repr::Big(negative, it) => {
                let it = f32::from_bits(it.to_ieee(23, 8) as u32);
                if *negative { -it } else { it }
            }
        }
    }

    /// Returns the absolute value of the exponent of two, without its fraction; 0 for a 64-bit integer and an infinity.
    /// A large exponent means many decimal digits.
    pub(crate) fn exponent(&self) -> u64 {
        match &self.0 {
            Repr::Float(it) if it.is_normal() => it.abs().log2().abs() as u64,
            Repr::Int(_) | Repr::Float(_) => 0,
            Repr::Big(_, it) => it.top().unsigned_abs(),
        }
    }

    /// Returns the `f64` that is exactly this number, if there is one.
    pub fn to_f64_exact(&self) -> Option<f64> {
        let it = self.to_f64();
        let exact = match &self.0 {
            Repr::Float(_) => true,
            Repr::Int(int) if int.unsigned_abs() <= 1 << 53 => true,
            _ if it.is_infinite() => false,
            _ => *self.magnitude() == magnitude_of(it),
        };
        exact.then_some(it)
    }

    /// Returns the `f64` that is exactly this number or prints the same, if there is one. For example, `0.1` has such
    /// a float although no float is exactly a tenth. A number with more digits than a float has none.
    pub fn as_f64(&self) -> Option<f64> {
        self.to_f64_exact().or_else(|| {
            let it = self.to_f64();
            (it.is_finite() && text::float(it) == self.to_string()).then_some(it)
        })
    }

    /// Returns the `f32` that is exactly this number or prints the same, if there is one.
    pub fn as_f32(&self) -> Option<f32> {
        let it = self.to_f32();
        let wide = self.as_f64()?;
        (it.is_finite() && (f64::from(it) == wide || it.to_string() == self.to_string())).then_some(it)
    }

    /// Returns every digit of the exact value, without an exponent. The `f64` of `0.1` is
    /// `0.1000000000000000055511151231257827021181583404541015625`. Returns `None` for infinities and for numbers
    /// with thousands of digits.
    pub fn to_exact_string(&self) -> Option<String> {
        if self.is_infinite() {
            return None;
        }
        let it = self.magnitude();
        let exponent = it.exponent.unsigned_abs();
        if exponent > MAX_EXACT_EXPONENT {
            return None;
        }
        let sign = if self.is_negative() { "-" } else { "" };
        if it.is_integer() {
            return Some(format!("{sign}{}", &it.mantissa << exponent));
        }
        // One half is five tenths, so each power of one half adds one decimal digit.
        let digits = (&it.mantissa * BigUint::from(5u32).pow(exponent as u32)).to_string();
        let digits = format!("{digits:0>width$}", width = exponent as usize + 1);
        let (whole, fraction) = digits.split_at(digits.len() - exponent as usize);
        Some(format!("{sign}{whole}.{fraction}"))
    }

    /// Returns the absolute value of an integer of at most 128 bits.
    fn whole(&self) -> Option<u128> {
        if self.is_infinite() { None } else { self.magnitude().to_u128() }
    }

    /// Returns the exact absolute value. The number must be finite.
    fn magnitude(&self) -> Cow<'_, Magnitude> {
        match &self.0 {
            Repr::Int(it) => Cow::Owned(Magnitude::new(it.unsigned_abs().into(), 0)),
            Repr::Float(it) => Cow::Owned(magnitude_of(*it)),
            Repr::Big(_, it) => Cow::Borrowed(it),
        }
    }
}

/// Returns the nearest float.
fn nearest(negative: bool, it: &Magnitude) -> f64 {
    let it = f64::from_bits(it.to_ieee(52, 11));
    if negative { -it } else { it }
}

/// Returns the exact absolute value of a finite float.
fn magnitude_of(it: f64) -> Magnitude {
    let fraction = it.to_bits() & ((1 << 52) - 1);
    let (mantissa, exponent) = match (it.to_bits() >> 52) as i64 & 0x7ff {
        0 => (fraction, -1074),
        exponent => (fraction | 1 << 52, exponent - 1075),
    };
    if mantissa == 0 { Magnitude::new(BigUint::ZERO, 0) } else { Magnitude::new(mantissa.into(), exponent) }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        if self.0 == other.0 {
            return true;
        }
        match (self.is_integer(), other.is_integer()) {
            // Two integers can have different representations, for example the two zeros.
            (true, true) => self.compare(other).is_eq(),
            (false, false) => is_near(self.to_f64(), other.to_f64()) && self.to_string() == other.to_string(),
            _ => false,
        }
    }
}

/// Returns false if two numbers differ too much to print the same, without printing them.
fn is_near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= a.abs() * 1e-15 + f64::MIN_POSITIVE
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if let Some(it) = self.to_i64() {
            return state.write_i64(it);
        }
        if !self.is_integer() {
            return self.to_string().hash(state);
        }
        let it = self.magnitude();
        state.write_i64(it.exponent);
        it.mantissa.hash(state);
    }
}

/// Prints the shortest decimal that identifies the number at its precision, without an exponent.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Int(it) => fmt::Display::fmt(it, f),
            Repr::Float(it) => f.pad(&text::float(*it)),
            Repr::Big(negative, it) => f.pad(&text::big(*negative, it)),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Number, NumberError> {
        Number::parse(text)
    }
}

macro_rules! from_small {
    ($($int:ty)*) => {$(
        impl From<$int> for Number {
            fn from(it: $int) -> Number {
                Number(Repr::Int(it.into()))
            }
        }
    )*};
}

from_small!(i8 i16 i32 i64 u8 u16 u32);

macro_rules! from_large {
    ($($int:ty)*) => {$(
        impl From<$int> for Number {
            #[allow(unused_comparisons, reason = "unsigned integers are never negative")]
            fn from(it: $int) -> Number {
                match i64::try_from(it) {
                    Ok(it) => Number(Repr::Int(it)),
                    Err(_) => {
                        let magnitude = if it < 0 { (it as u128).wrapping_neg() } else { it as u128 };
                        Number(Repr::Big(it < 0, Box::new(Magnitude::new(magnitude.into(), 0))))
                    }
                }
            }
        }
    )*};
}

from_large!(u64 i128 u128 isize usize);

impl TryFrom<f64> for Number {
    type Error = NumberError;

    fn try_from(it: f64) -> Result<Number, NumberError> {
        Number::from_f64(it).ok_or(NumberError::NOT_A_NUMBER)
    }
}
