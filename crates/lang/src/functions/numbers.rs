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
//! let show = |text| expression::evaluate(text).map(|value| console::show(&value));
//! assert_eq!(show(r#"ceil(1.5)"#)?, r#"2"#);
//! assert_eq!(show(r#"max(1, 3, 2)"#)?, r#"3"#);
//! assert_eq!(show(r#"pow(2, 10)"#)?, r#"1024"#);
//! assert_eq!(show(r#"parseint("ff", 16)"#)?, r#"255"#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::arguments::{Args, Function, MANY, Made, Refusal, number};
use ferroform_value::convert::convert;
use ferroform_value::{Number, Type, Value};

pub(crate) const ALL: &[Function] = &[
    ("abs", 1..=1, |args| {
        let it = args.number()?;
        Ok(number(if it.is_negative() { it.negate() } else { it }))
    }),
    ("ceil", 1..=1, |args| Ok(number(floor(args, |it| it.negate())?))),
    ("floor", 1..=1, |args| Ok(number(floor(args, |it| it)?))),
    ("max", 1..=MANY, |args| extreme(args, Ordering::Greater)),
    ("min", 1..=MANY, |args| extreme(args, Ordering::Less)),
    ("sum", 1..=1, sum),
    ("signum", 1..=1, |args| Ok(number(args.whole()?.signum()))),
    ("pow", 2..=2, pow),
    ("parseint", 2..=2, parseint),
];

/// `floor`, and `ceil` as its mirror image.
fn floor(args: &mut Args<'_>, turn: fn(Number) -> Number) -> Made<Number> {
    let it = args.number()?;
    if it.is_infinite() || it.is_integer() && !it.is_zero() {
        return Ok(it);
    }
    let it = turn(it);
    let one = Number::from(1);
    let cut = |it: &Number| {
        let rest = it.remainder(&one)?;
        let down = it.subtract(&rest)?;
        if rest.is_negative() { down.subtract(&one) } else { Ok(down) }
    };
    let it = turn(cut(&it).map_err(|e| args.failed(e))?);
    // Whole numbers have one zero there.
    Ok(if it.is_zero() { Number::from(0) } else { it })
}

fn extreme(args: &mut Args<'_>, ordering: Ordering) -> Made {
    let mut best = args.number()?;
    while args.left() > 0 {
        let it = args.number()?;
        if it.compare(&best) == ordering {
            best = it;
        }
    }
    Ok(number(best))
}

fn sum(args: &mut Args<'_>) -> Made {
    let mut total: Option<Number> = None;
    for it in args.elements()? {
        let Value::Number(it) = convert(it.value, &it.ty, &Type::Number).map_err(|e| args.failed(e))?.value
        else {
            return Err(args.wrong("the elements must not be null"));
        };
        total = Some(match total {
            None => it,
            Some(total) => total.add(&it).map_err(|e| args.failed(e))?,
        });
    }
    total.map(number).ok_or_else(|| args.wrong("the collection must not be empty"))
}

/// `pow`: a power of 64-bit floats. Exponents that are neither integers nor one half are not evaluated, because libraries round
/// their results differently.
fn pow(args: &mut Args<'_>) -> Made {
    let mut float = || {
        let it = args.number()?.to_f64();
        if it.is_finite() { Ok(it) } else { Err(Refusal::Unsure) }
    };
    let (base, power) = (float()?, float()?);
    let made = if power == 0.0 || base == 1.0 {
        1.0
    } else if power.abs() == 0.5 && base > 0.0 {
        let root = base.sqrt();
        if power > 0.0 { root } else { 1.0 / root }
    } else if power.fract() != 0.0 && base < 0.0 {
        return Err(Refusal::Call(
            "the power of a negative base and a fractional exponent is undefined".into(),
        ));
    } else if power.fract() == 0.0 && power.abs() < (1_u64 << 53) as f64 {
        whole_power(base, power)?
    } else {
        return Err(Refusal::Unsure);
    };
    Number::from_f64(made).map(number).ok_or(Refusal::Unsure)
}

/// Multiplies repeated squares, as Terraform does, so that the result is rounded in the same way. A step outside the range of
/// exact exponents would be rounded differently.
fn whole_power(base: f64, power: f64) -> Made<f64> {
    let mut left = power.abs() as u64;
    let mut square = base;
    let mut made = 1.0;
    while left > 0 {
        if base != 0.0 && !square.is_normal() {
            return Err(Refusal::Unsure);
        }
        if left & 1 == 1 {
            made *= square;
        }
        square *= square;
        left >>= 1;
    }
    let made = if power < 0.0 { 1.0 / made } else { made };
    if base == 0.0 || made.is_normal() { Ok(made) } else { Err(Refusal::Unsure) }
}

/// Returns the value of a digit in a base up to 62, in which uppercase letters follow lowercase letters.
fn parseint(args: &mut Args<'_>) -> Made {
    let it = args.present()?;
    let Value::String(text) = it.value else { return Err(args.unfit("a string")) };
    let base = args.whole()?;
    let base = u8::try_from(base).ok().filter(|it| (2..=62).contains(it));
    let base = base.ok_or_else(|| args.unfit("a base from 2 to 62"))?;
    let negative = text.starts_with('-');
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
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
    let wrong = || Refusal::Argument(0, format!("the string is not a whole number in base {base}"));
    let digits: Vec<u8> = digits.bytes().map(digit).collect::<Option<_>>().ok_or_else(wrong)?;
    if digits.is_empty() {
        return Err(wrong());
    }
    // More bits than a number keeps from elsewhere, and reading them takes its time.
    if digits.len() > 512 {
        return Err(Refusal::Unsure);
    }
    let it = BigUint::from_radix_be(&digits, base.into()).ok_or_else(wrong)?;
    let negative = negative && it != BigUint::ZERO;
    Number::from_be_bytes(negative, &it.to_bytes_be()).map(number).ok_or(Refusal::Unsure)
}
