//! Numbers as Terraform keeps them.

mod arith;
mod big;
mod error;
mod text;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use num_bigint::BigUint;

use self::big::Magnitude;
pub use self::error::NumberError;

/// Powers of two past this have thousands of decimal digits.
const MAX_EXACT_EXPONENT: u64 = 10_000;

/// A number, with the precision that Terraform gives it.
///
/// Text gives a binary float of 512 bits, rounded to nearest even; a float of Rust's carries its 53 bits.
/// There are two infinities and a negative zero, and there is no "not a number".
///
/// Equality is the language's: two numbers are equal when they print the same, so that `0.1` read from a
/// configuration equals the `f64` of `0.1`; whole numbers must be equal exactly, and the two zeros are
/// equal. That is no order to sort by, hence no `Ord`: see [`Number::compare`].
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

/// Whole numbers of 64 bits are always `Int`. `Float` is what carries 53 bits, and also a number of 512
/// bits whose text is the same either way, such as 0.5.
#[derive(Clone, PartialEq)]
enum Repr {
    Int(i64),
    Float(f64),
    Big(bool, Box<Magnitude>),
}

impl Number {
    /// Reads decimal text: `12`, `-0.5`, `1e3`, `Inf`.
    ///
    /// # Errors
    ///
    /// Where it is not a number, or one past 10^±19,700, which takes long to print.
    pub fn parse(text: &str) -> Result<Number, NumberError> {
        text::parse(text)
    }

    /// The number that carries a float's 53 bits; none for "not a number".
    pub fn from_f64(it: f64) -> Option<Number> {
        let whole = it.fract() == 0.0 && it.abs() < (1u64 << 53) as f64;
        match it {
            _ if it.is_nan() => None,
            _ if whole && (it != 0.0 || it.is_sign_positive()) => Some(Number(Repr::Int(it as i64))),
            _ => Some(Number(Repr::Float(it))),
        }
    }

    /// The number that a float of 32 bits stands for exactly; none for "not a number".
    pub fn from_f32(it: f32) -> Option<Number> {
        Number::from_f64(f64::from(it))
    }

    /// The number of this sign and magnitude, in its one form.
    fn from_magnitude(negative: bool, it: Magnitude) -> Number {
        let int = it.to_u128().and_then(|it| i128::try_from(it).ok());
        if let Some(int) = int.and_then(|it| i64::try_from(if negative { -it } else { it }).ok()) {
            return Number(Repr::Int(int));
        }
        // Up to fifteen digits, a float's text is exact.
        let short =
            |(digits, places): (u64, u32)| Some(digits.checked_mul(5u64.pow(places))? < 10u64.pow(15));
        let places = u32::try_from(-it.exponent).ok().filter(|&it| it <= 21);
        match u64::try_from(&it.mantissa).ok().zip(places).and_then(short) {
            Some(true) => Number(Repr::Float(nearest(negative, &it))),
            _ => Number(Repr::Big(negative, Box::new(it))),
        }
    }

    /// True for a whole number; not for the infinities.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Int(_) => true,
            Repr::Float(it) => it.is_finite() && it.fract() == 0.0,
            Repr::Big(_, it) => it.is_integer(),
        }
    }

    /// True for the two infinities.
    pub fn is_infinite(&self) -> bool {
        matches!(self.0, Repr::Float(it) if it.is_infinite())
    }

    /// True for zero, whatever its sign.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Int(0)) || self.is_negative_zero()
    }

    /// True for the zero that prints as `-0`.
    pub fn is_negative_zero(&self) -> bool {
        matches!(self.0, Repr::Float(0.0))
    }

    /// True for numbers below zero, and for negative zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Int(it) => *it < 0,
            Repr::Float(it) => it.is_sign_negative(),
            Repr::Big(negative, _) => *negative,
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match (self.is_zero(), self.is_negative()) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// The numeric order of the exact values, whatever their precision.
    ///
    /// Two numbers that are equal, in the language's sense, may still be apart here: `0.1` at 512 bits and
    /// at 53.
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

    /// The number as an `i64`, where it is exactly one.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Int(it) => Some(it),
            _ => self.to_i128()?.try_into().ok(),
        }
    }

    /// The number as a `u64`, where it is exactly one.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128()?.try_into().ok()
    }

    /// The number as an `i128`, where it is exactly one.
    pub fn to_i128(&self) -> Option<i128> {
        if let Repr::Int(it) = self.0 {
            return Some(it.into());
        }
        let it = self.whole()?;
        if self.is_negative() { 0i128.checked_sub_unsigned(it) } else { it.try_into().ok() }
    }

    /// The number as a `u128`, where it is exactly one.
    pub fn to_u128(&self) -> Option<u128> {
        match self.0 {
            Repr::Int(it) => it.try_into().ok(),
            _ => self.whole().filter(|&it| it == 0 || !self.is_negative()),
        }
    }

    /// The size of a whole number, without its sign, as bytes with the highest first.
    pub fn to_be_bytes(&self) -> Option<Vec<u8>> {
        let it = self.is_integer().then(|| self.magnitude())?;
        Some((&it.mantissa << it.exponent.unsigned_abs()).to_bytes_be())
    }

    /// The whole number of this size, where it needs no more bits than Terraform keeps.
    pub fn from_be_bytes(negative: bool, bytes: &[u8]) -> Option<Number> {
        let it = Magnitude::new(BigUint::from_bytes_be(bytes), 0);
        (it.mantissa.bits() <= big::PRECISION).then(|| Number::from_magnitude(negative, it))
    }

    /// The nearest `f64`: an infinity past the largest, zero below the smallest.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Int(it) => *it as f64,
            Repr::Float(it) => *it,
            Repr::Big(negative, it) => nearest(*negative, it),
        }
    }

    /// The nearest `f32`: an infinity past the largest, zero below the smallest.
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

    /// The `f64` that is exactly this number.
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

    /// The `f64` that stands for this number: one that is exactly it, or prints the same. So `0.1` has one,
    /// although no float is exactly a tenth, and a number with more digits than a float keeps has none.
    pub fn as_f64(&self) -> Option<f64> {
        self.to_f64_exact().or_else(|| {
            let it = self.to_f64();
            (it.is_finite() && text::float(it) == self.to_string()).then_some(it)
        })
    }

    /// The `f32` that stands for this number: one that is exactly it, or prints the same.
    pub fn as_f32(&self) -> Option<f32> {
        let it = self.to_f32();
        let wide = self.as_f64()?;
        (it.is_finite() && (f64::from(it) == wide || it.to_string() == self.to_string())).then_some(it)
    }

    /// Every digit of the exact value, without an exponent: `0.1` read as a float gives
    /// `0.1000000000000000055511151231257827021181583404541015625`. None for infinities and for numbers that
    /// have thousands of digits.
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
        // Half a unit is five tenths of one.
        let digits = (&it.mantissa * BigUint::from(5u32).pow(exponent as u32)).to_string();
        let digits = format!("{digits:0>width$}", width = exponent as usize + 1);
        let (whole, fraction) = digits.split_at(digits.len() - exponent as usize);
        Some(format!("{sign}{whole}.{fraction}"))
    }

    /// The whole number without its sign, where it is one of at most 128 bits.
    fn whole(&self) -> Option<u128> {
        if self.is_infinite() { None } else { self.magnitude().to_u128() }
    }

    /// The exact value without its sign. Not for the infinities, which have none.
    fn magnitude(&self) -> Cow<'_, Magnitude> {
        match &self.0 {
            Repr::Int(it) => Cow::Owned(Magnitude::new(it.unsigned_abs().into(), 0)),
            Repr::Float(it) => Cow::Owned(magnitude_of(*it)),
            Repr::Big(_, it) => Cow::Borrowed(it),
        }
    }
}

/// The nearest float.
fn nearest(negative: bool, it: &Magnitude) -> f64 {
    let it = f64::from_bits(it.to_ieee(52, 11));
    if negative { -it } else { it }
}

/// A finite float's exact value without its sign.
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
            // Whole numbers of 64 bits have one form only, up to the sign of zero and the float's range.
            (true, true) => self.compare(other).is_eq(),
            (false, false) => near(self.to_f64(), other.to_f64()) && self.to_string() == other.to_string(),
            _ => false,
        }
    }
}

/// Returns false if two numbers are too far apart to print the same; does not print them.
fn near(a: f64, b: f64) -> bool {
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

/// The shortest decimal that stands for the number at its precision, without an exponent.
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
            #[allow(unused_comparisons, reason = "the unsigned ones are never negative")]
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
