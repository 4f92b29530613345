//! Parsing and printing of decimal numbers.
//!
//! ```text
//! number   = [ "+" | "-" ] ( digits | "Inf" | "inf" )
//! digits   = decimal digits with at most one point, [ exponent ]
//! exponent = ( "e" | "E" | "p" | "P" ) [ "+" | "-" ] decimal digits    # base ten for e, base two for p
//! ```
//!
//! A number is printed without an exponent, with as few digits as identify it at its precision:
//!
//! ```
//! use ferroform_value::Number;
//!
//! assert_eq!(Number::parse("1e3")?.to_string(), "1000");
//! assert_eq!(Number::parse("1p4")?.to_string(), "16");
//! assert_eq!(Number::parse("0.10")?.to_string(), "0.1");
//! # Ok::<(), ferroform_value::NumberError>(())
//! ```

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::big::{Magnitude, PRECISION};
use super::error::NumberError;
use super::{Number, Repr};

/// The maximum number of digits that are parsed individually. Further digits only count as "not zero", because an
/// input can be as long as a message, and the conversion from decimal takes quadratic time.
const MAX_DIGITS: usize = 20_000;

/// Below this number, the standard library prints a float as Terraform does. Above it, the two resolve ties
/// differently.
const PLAIN_FLOATS: f64 = (1u64 << 49) as f64;

pub(super) fn parse(text: &str) -> Result<Number, NumberError> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if let Some(it) = small(negative, digits).or_else(|| binary_fraction(negative, digits)) {
        return Ok(it);
    }
    if matches!(digits, b"Inf" | b"inf") {
        let it = if negative { f64::NEG_INFINITY } else { f64::INFINITY };
        return Ok(Number(Repr::Float(it)));
    }
    let Decimal { mut digits, fraction, exp10, exp2 } = Decimal::scan(digits).ok_or(NumberError::SYNTAX)?;
    let mut exp10 = exp10.checked_sub_unsigned(fraction as u64).ok_or(NumberError::SYNTAX)?;
    if digits.len() > MAX_DIGITS {
        let rest = digits.split_off(MAX_DIGITS);
        exp10 = exp10.checked_add_unsigned(rest.len() as u64).ok_or(NumberError::SYNTAX)?;
        if rest.iter().any(|&digit| digit != 0) {
            digits.push(1);
            exp10 -= 1;
        }
    }
    if digits.is_empty() {
        return Ok(if negative { Number(Repr::Float(-0.0)) } else { Number::from(0i64) });
    }
    let digits = BigUint::from_radix_be(&digits, 10).ok_or(NumberError::SYNTAX)?;
    Ok(Number::from_magnitude(negative, Magnitude::from_decimal(digits, exp10, exp2)?))
}

/// Parses a decimal of at most 15 digits that a float represents exactly, such as 2.0, 0.5 or 12.375.
fn binary_fraction(negative: bool, text: &[u8]) -> Option<Number> {
    let point = text.iter().position(|&it| it == b'.')?;
    let places = text.len() - point - 1;
    let digits = text.iter().filter(|&&it| it != b'.');
    // A decimal of up to fifteen digits is printed unchanged after it is converted to a float. A second point makes the
    // number of digits smaller than expected.
    if digits.clone().count() != text.len() - 1 || text.len() > 16 || !digits.clone().all(u8::is_ascii_digit)
    {
        return None;
    }
    let digits = digits.fold(0u64, |it, digit| it * 10 + u64::from(digit - b'0'));
    let power = 5u64.pow(places as u32);
    if digits == 0 || !digits.is_multiple_of(power) {
        return None;
    }
    let it = (digits / power) as f64 / (1u64 << places) as f64;
    Number::from_f64(if negative { -it } else { it })
}

/// Parses an integer of at most 18 digits, which is the most frequent case.
fn small(negative: bool, digits: &[u8]) -> Option<Number> {
    if digits.is_empty() || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let it = digits.iter().fold(0i64, |it, digit| it * 10 + i64::from(digit - b'0'));
    (it != 0 || !negative).then(|| Number::from(if negative { -it } else { it }))
}

/// The parts of a decimal number.
struct Decimal {
    /// The digits as numbers, without leading zeros.
    digits: Vec<u8>,
    /// The number of digits after the point.
    fraction: usize,
    exp10: i64,
    exp2: i64,
}

impl Decimal {
    fn scan(text: &[u8]) -> Option<Decimal> {
        let end = text.iter().position(|it| !it.is_ascii_digit() && *it != b'.').unwrap_or(text.len());
        let (mantissa, rest) = text.split_at(end);
        let point = mantissa.iter().position(|&it| it == b'.');
        let fraction = point.map_or(0, |at| mantissa.len() - at - 1);
        let count = mantissa.len() - usize::from(point.is_some());
        // A second point is not a digit and makes the number invalid.
        if count == 0 || mantissa.iter().filter(|&&it| it == b'.').count() > 1 {
            return None;
        }
        let digits =
            mantissa.iter().filter(|&&it| it != b'.').map(|it| it - b'0').skip_while(|&it| it == 0).collect();
        let (exp10, exp2) = match rest {
            [] => (0, 0),
            [b'e' | b'E', rest @ ..] => (exponent(rest)?, 0),
            [b'p' | b'P', rest @ ..] => (0, exponent(rest)?),
            _ => return None,
        };
        Some(Decimal { digits, fraction, exp10, exp2 })
    }
}

fn exponent(text: &[u8]) -> Option<i64> {
    let digits = match text {
        [b'+' | b'-', rest @ ..] => rest,
        rest => rest,
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Prints a float of 53 bits.
pub(super) fn float(it: f64) -> String {
    if it.is_infinite() {
        return if it > 0.0 { "+Inf".into() } else { "-Inf".into() };
    }
    let power_of_two = it.to_bits() & ((1 << 52) - 1) == 0;
    if it == 0.0 || it.abs() < PLAIN_FLOATS && it.is_normal() && !power_of_two {
        return it.to_string();
    }
    shortest(it.is_sign_negative(), &super::magnitude_of(it), 53)
}

/// Prints a number of 512 bits.
pub(super) fn big(negative: bool, it: &Magnitude) -> String {
    let near = super::nearest(negative, it);
    // Most fractions are parsed from a short decimal. If the string of the nearest float parses as the same number,
    // it is the shortest string, because a number of 512 bits has at most one decimal of up to 17 digits.
    if !it.is_integer() && near.abs() < PLAIN_FLOATS && near.is_normal() {
        let printed = near.to_string();
        if parse(&printed).is_ok_and(|parsed| parsed.0 == Repr::Big(negative, Box::new(it.clone()))) {
            return printed;
        }
    }
    shortest(negative, it, PRECISION)
}

/// Returns the shortest decimal within half a unit of the last of the `precision` bits.
///
/// The digits are generated from the first to the last. The generation ends at the first digit after which the rest
/// can be omitted. Terraform compares with the upper end of the interval digit by digit: if the end is excluded and
/// reached exactly, it does not round up at any later digit. The printed numbers of Terraform depend on this.
fn shortest(negative: bool, it: &Magnitude, precision: u64) -> String {
    // The unit is half of the last bit: the number is `rest / scale`, and the interval is `(rest ± reach) / scale`.
    let exponent = it.top() - precision as i64 - 1;
    let mut rest = &it.mantissa << (it.exponent - exponent) as u64;
    let inclusive = !rest.bit(1);
    let mut reach = BigUint::from(1u32);
    let mut scale = BigUint::from(1u32);
    if exponent >= 0 {
        rest <<= exponent as u64;
        reach <<= exponent as u64;
    } else {
        scale <<= exponent.unsigned_abs();
    }
    // `point` becomes the exponent of the smallest power of ten above the number. The first estimate is a lower bound.
    let mut point = ((it.top() - 1) as f64 * std::f64::consts::LOG10_2).floor() as i64;
    let power = BigUint::from(10u32).pow(point.unsigned_abs() as u32);
    if point >= 0 {
        scale *= power;
    } else {
        rest *= &power;
        reach *= power;
    }
    while rest >= scale {
        scale *= 10u32;
        point += 1;
    }
    let mut digits = Vec::new();
    let mut can_round_up = true;
    loop {
        rest *= 10u32;
        reach *= 10u32;
        let digit = &rest / &scale;
        rest -= &digit * &scale;
        digits.push(b'0' + u8::try_from(&digit).unwrap_or(0));
        let within = |order: Ordering| order.is_lt() || inclusive && order.is_eq();
        let down = within(rest.cmp(&reach));
        let to_upper = (&scale - &rest).cmp(&reach);
        let up = can_round_up && within(to_upper);
        can_round_up &= !to_upper.is_eq();
        if !down && !up {
            continue;
        }
        let odd = digits.last().is_some_and(|digit| digit % 2 == 1);
        let nearer_up = match (&rest * 2u32).cmp(&scale) {
            Ordering::Equal => odd,
            order => order.is_gt(),
        };
        if up && (!down || nearer_up) {
            point += i64::from(round_up(&mut digits));
        }
        break;
    }
    plain(negative, digits, point)
}

/// Adds one to the last digit, and returns true if the carry adds a digit at the start.
fn round_up(digits: &mut Vec<u8>) -> bool {
    while digits.pop_if(|digit| *digit == b'9').is_some() {}
    match digits.last_mut() {
        Some(last) => {
            *last += 1;
            false
        }
        None => {
            digits.push(b'1');
            true
        }
    }
}

/// Writes `0.digits * 10^point` without an exponent.
fn plain(negative: bool, mut digits: Vec<u8>, point: i64) -> String {
    while digits.pop_if(|digit| *digit == b'0').is_some() {}
    let digits = String::from_utf8(digits).unwrap_or_default();
    let sign = if negative { "-" } else { "" };
    match usize::try_from(point) {
        Ok(whole) if whole >= digits.len() => format!("{sign}{digits}{}", "0".repeat(whole - digits.len())),
        Ok(whole) if whole > 0 => format!("{sign}{}.{}", &digits[..whole], &digits[whole..]),
        _ => format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
    }
}
