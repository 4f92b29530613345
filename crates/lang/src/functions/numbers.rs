//! Numeric functions.
//!
//! | function | result |
//! | --- | --- |
//! | `abs(number)`, `ceil(number)`, `floor(number)`, `signum(number)` | a number |
//! | `max(numbers…)`, `min(numbers…)`, `sum(list)` | a number |
//! | `pow(base, exponent)` | a power with the precision of a 64-bit float |
//! | `parseint(string, base)` | an integer from its digits in a base from 2 to 62 |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"ceil(1.5)"#)?, r#"2"#);
//! assert_eq!(show(r#"max(1, 3, 2)"#)?, r#"3"#);
//! assert_eq!(show(r#"pow(2, 10)"#)?, r#"1024"#);
//! assert_eq!(show(r#"parseint("ff", 16)"#)?, r#"255"#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::arguments::Treatment::{Known, Unchanged, Unmarked};
use super::arguments::{Args, CallError, CallResult, Function, Kind, MANY, number, unknown};
use ferroform_value::convert::convert;
use ferroform_value::{Number, Type, Value};

pub(crate) const ALL: &[Function] = &[
    ("abs", 1..=1, Unchanged, abs),
    ("ceil", 1..=1, Known(&[Kind::Number], Kind::Number), |args| Ok(number(floor(args, |it| it.negate())?))),
    ("floor", 1..=1, Known(&[Kind::Number], Kind::Number), |args| Ok(number(floor(args, |it| it)?))),
    ("max", 1..=MANY, Known(&[Kind::Number], Kind::Number), |args| extreme(args, Ordering::Greater)),
    ("min", 1..=MANY, Known(&[Kind::Number], Kind::Number), |args| extreme(args, Ordering::Less)),
    ("sum", 1..=1, Known(&[Kind::Any], Kind::Number), sum),
    ("signum", 1..=1, Known(&[Kind::Number], Kind::Number), |args| Ok(number(args.integer()?.signum()))),
    ("pow", 2..=2, Known(&[Kind::Number], Kind::Number), pow),
    ("parseint", 2..=2, Unmarked, parseint),
];

/// `abs`: as in Terraform, an unknown result has no marks.
fn abs(args: &mut Args<'_>) -> CallResult {
    let it = args.marked_of(&Type::Number)?;
    match it.typed.value {
        Value::Number(number) => {
            Ok(self::number(if number.is_negative() { number.negate() } else { number }).with(it.marks))
        }
        _ => unknown(Type::Number),
    }
}

/// `floor`, and `ceil` as the negated floor of the negated number. `mirror` negates the number for `ceil`.
fn floor(args: &mut Args<'_>, mirror: fn(Number) -> Number) -> CallResult<Number> {
    let it = args.number()?;
    if it.is_infinite() || it.is_integer() && !it.is_zero() {
        return Ok(it);
    }
    let it = mirror(it);
    let one = Number::from(1);
    let round_down = |it: &Number| {
        let rest = it.remainder(&one)?;
        let down = it.subtract(&rest)?;
        if rest.is_negative() { down.subtract(&one) } else { Ok(down) }
    };
    let it = mirror(round_down(&it).map_err(|e| args.failed(e))?);
    // As in Terraform, the result is never negative zero.
    Ok(if it.is_zero() { Number::from(0) } else { it })
}

fn extreme(args: &mut Args<'_>, ordering: Ordering) -> CallResult {
    let mut best = args.number()?;
    while args.remaining() > 0 {
        let it = args.number()?;
        if it.compare(&best) == ordering {
            best = it;
        }
    }
    Ok(number(best))
}

fn sum(args: &mut Args<'_>) -> CallResult {
    let mut total: Option<Number> = None;
    for it in args.elements()? {
        let Value::Number(it) = convert(it.value, &it.ty, &Type::Number).map_err(|e| args.failed(e))?.value
        else {
            return Err(args.invalid("the elements must not be null"));
        };
        total = Some(match total {
            None => it,
            Some(total) => total.add(&it).map_err(|e| args.failed(e))?,
        });
    }
    total.map(number).ok_or_else(|| args.invalid("the collection must not be empty"))
}

/// `pow`: a power of 64-bit floats. Exponents that are neither integers nor one half are not evaluated, because
/// libraries round their results differently.
fn pow(args: &mut Args<'_>) -> CallResult {
    let mut float = || {
        let it = args.number()?.to_f64();
        if it.is_finite() { Ok(it) } else { Err(CallError::Undetermined) }
    };
    let (base, power) = (float()?, float()?);
    let result = if power == 0.0 || base == 1.0 {
        1.0
    } else if power.abs() == 0.5 && base > 0.0 {
        let root = base.sqrt();
        if power > 0.0 { root } else { 1.0 / root }
    } else if power.fract() != 0.0 && base < 0.0 {
        return Err(CallError::Call(
            "the power of a negative base and a fractional exponent is undefined".into(),
        ));
    } else if power.fract() == 0.0 && power.abs() < (1_u64 << 53) as f64 {
        whole_power(base, power)?
    } else {
        return Err(CallError::Undetermined);
    };
    Number::from_f64(result).map(number).ok_or(CallError::Undetermined)
}

/// Computes a power with an integer exponent by repeated squaring, as Terraform does, so that the result is rounded
/// in the same way. Intermediate results that are not normal floats would be rounded differently.
fn whole_power(base: f64, power: f64) -> CallResult<f64> {
    let mut remaining = power.abs() as u64;
    let mut square = base;
    let mut product = 1.0;
    while remaining > 0 {
        if base != 0.0 && !square.is_normal() {
            return Err(CallError::Undetermined);
        }
        if remaining & 1 == 1 {
            product *= square;
        }
        square *= square;
        remaining >>= 1;
    }
    let result = if power < 0.0 { 1.0 / product } else { product };
    if base == 0.0 || result.is_normal() { Ok(result) } else { Err(CallError::Undetermined) }
}

/// `parseint`: parses an integer in a base up to 62. In a base above 36, uppercase letters follow lowercase letters.
fn parseint(args: &mut Args<'_>) -> CallResult {
    args.convert(1, &Type::Number)?;
    let it = args.non_null()?;
    if it.ty != Type::String {
        return Err(args.expected("a string"));
    }
    let base = args.known_integer()?;
    let (Value::String(string), Some(base)) = (it.value, base) else { return unknown(Type::Number) };
    let base = u8::try_from(base).ok().filter(|it| (2..=62).contains(it));
    let base = base.ok_or_else(|| args.expected("a base from 2 to 62"))?;
    let negative = string.starts_with('-');
    let digits = string.strip_prefix(['-', '+']).unwrap_or(&string);
    let digit = |it: u8| {
        let it = match it {
            b'0'..=b'9' => it - b'0',
            b'a'..=b'z' => it - b'a' + 10,
            b'A'..=b'Z' if base <= 36 => it - b'A' + 10,
            b'A'..=b'Z' => it - b'A' + 36,
            _ => return None,
        };
        (it < base).then_some(it)
    };
    let invalid = || CallError::Argument(0, format!("the string is not a whole number in base {base}"));
    let digits: Vec<u8> = digits.bytes().map(digit).collect::<Option<_>>().ok_or_else(invalid)?;
    if digits.is_empty() {
        return Err(invalid());
    }
    // An integer with more digits exceeds the precision of numbers, unless it has leading zeros, and parsing it takes
    // quadratic time.
    if digits.len() > 512 {
        return Err(CallError::Undetermined);
    }
    let it = BigUint::from_radix_be(&digits, base.into()).ok_or_else(invalid)?;
    let negative = negative && it != BigUint::ZERO;
    Number::from_be_bytes(negative, &it.to_bytes_be()).map(number).ok_or(CallError::Undetermined)
}
