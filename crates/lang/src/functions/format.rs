//! `format` and `formatlist`.
//!
//! The verbs are those of Terraform:
//!
//! | verb | result |
//! | --- | --- |
//! | `%s`, `%q` | a string, or a string in quotes |
//! | `%d`, `%b`, `%o`, `%x`, `%X` | an integer in base 10, 2, 8 or 16 |
//! | `%f`, `%e`, `%g` | a number with digits after the point, with an exponent, or the shorter one |
//! | `%t` | a bool |
//! | `%v`, `%#v` | any value, or its JSON |
//! | `%[2]s` | the second argument |
//! | `%5.1f`, `%-5s`, `%05d`, `%+d` | width and precision, and flags |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"format("%s-%03d", "a", 7)"#)?, r#""a-007""#);
//! assert_eq!(show(r#"format("%.2f %t", 1.5, true)"#)?, r#""1.50 true""#);
//! assert_eq!(show(r#"formatlist("%s!", ["a", "b"]) == tolist(["a!", "b!"])"#)?, r#"true"#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use super::arguments::Treatment::Unmarked;
use super::arguments::{Args, CallError, CallResult, Function, MANY, list, string, unknown};
use super::decimal::Decimal;
use super::strings::graphemes;
use crate::unknown::{known_prefix, length_bounds, not_null, refined};
use ferroform_value::convert::convert;
use ferroform_value::{Number, Refinements, Type, Typed, Value, json};

pub(crate) const ALL: &[Function] =
    &[("format", 1..=MANY, Unmarked, single), ("formatlist", 1..=MANY, Unmarked, each)];

/// The maximum width and precision that are evaluated.
const MAX_WIDTH: usize = 1000;

/// The part of a verb between the percent sign and its letter.
#[derive(Debug, Default)]
struct Verb {
    zero: bool,
    sharp: bool,
    plus: bool,
    minus: bool,
    space: bool,
    width: Option<usize>,
    precision: Option<usize>,
    /// The index of the argument.
    argument: usize,
}

fn single(args: &mut Args<'_>) -> CallResult {
    let pattern = args.known_string()?;
    let values = typed_arguments(args)?;
    let Some(pattern) = pattern else { return unknown(Type::String) };
    if !values.iter().all(|it| it.value.is_wholly_known()) {
        let literal = pattern.find('%').map_or("", |at| &pattern[..at]);
        return Ok(refined(Type::String, Refinements::new().with_prefix(known_prefix(literal))).into());
    }
    Ok(string(write(args, &pattern, &values)?))
}

/// Returns the remaining arguments. If the type of one is unknown, the type of the result is unknown as well; the same
/// applies to a null without a type.
fn typed_arguments(args: &mut Args<'_>) -> CallResult<Vec<Typed>> {
    let mut values = Vec::new();
    while args.remaining() > 0 {
        let it = args.any()?;
        if it.ty == Type::Dynamic {
            return unknown(Type::Dynamic);
        }
        values.push(it);
    }
    Ok(values)
}

/// `formatlist`: returns a string for each element. An argument that is not a list is used for each string.
fn each(args: &mut Args<'_>) -> CallResult {
    let pattern = args.known_string()?;
    let arguments = typed_arguments(args)?;
    let Some(pattern) = pattern else { return unknown(Type::list(Type::String)) };
    let mut values = Vec::new();
    let mut count = None;
    let mut is_unknown = false;
    for (i, it) in arguments.into_iter().enumerate() {
        let length = match (&it.ty, &it.value) {
            (_, Value::Null) => None,
            // The length of a tuple is known, even if the tuple is not.
            (Type::Tuple(types), _) => Some(types.len()),
            (Type::List(_) | Type::Set(_), value) => {
                let (min, max) = length_bounds(value);
                is_unknown |= Some(min) != max;
                value.length().filter(|_| Some(min) == max)
            }
            _ => None,
        };
        if let Some(length) = length
            && *count.get_or_insert(length) != length
        {
            return Err(CallError::Argument(i + 1, "the lists must have the same length".into()));
        }
        is_unknown |= length.is_some() && it.value.is_unknown();
        values.push(it.into_elements());
    }
    if is_unknown {
        return unknown(Type::list(Type::String));
    }
    let mut strings = Vec::new();
    let mut size = 0;
    for i in 0..count.unwrap_or(1) {
        let current: Vec<Typed> = values
            .iter()
            .map(|it| match it {
                Ok(elements) => elements[i].clone(),
                Err(it) => it.clone(),
            })
            .collect();
        if !current.iter().all(|it| it.value.is_wholly_known()) {
            strings.push(not_null(Type::String).value);
            continue;
        }
        let it = write(args, &pattern, &current)?;
        size += it.len();
        args.check_size(size)?;
        strings.push(Value::string(it));
    }
    Ok(list(Type::String, strings))
}

fn write(args: &Args<'_>, pattern: &str, values: &[Typed]) -> CallResult<String> {
    let mut out = String::new();
    let mut next = 0;
    let mut used = 0;
    let mut rest = pattern;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let (verb, mode, after) = verb(rest, next)?;
        rest = after;
        let it = values
            .get(verb.argument)
            .ok_or_else(|| CallError::Call(format!("%{mode} requires argument {}", verb.argument + 1)))?;
        let it = show(&verb, mode, it)?;
        args.check_size(out.len() + it.len())?;
        out.push_str(&it);
        next = verb.argument + 1;
        used = used.max(next);
    }
    out.push_str(rest);
    if used < values.len() {
        return Err(CallError::Argument(used + 1, "the format string has no verb for this argument".into()));
    }
    Ok(out)
}

/// Parses a verb after its percent sign. Returns the verb, its letter and the rest of the string.
fn verb(string: &str, next: usize) -> CallResult<(Verb, char, &str)> {
    let mut it = Verb { argument: next, ..Verb::default() };
    let mut rest = string;
    loop {
        match rest.as_bytes().first() {
            Some(b'0') => it.zero = true,
            Some(b'#') => it.sharp = true,
            Some(b'-') => it.minus = true,
            Some(b'+') => it.plus = true,
            Some(b' ') => it.space = true,
            _ => break,
        }
        rest = &rest[1..];
    }
    (it.width, rest) = count(rest)?;
    if let Some(after) = rest.strip_prefix('.') {
        let precision;
        (precision, rest) = count(after)?;
        it.precision = Some(precision.unwrap_or(0));
    }
    if let Some(after) = rest.strip_prefix('[') {
        let (argument, after) = count(after)?;
        let argument = argument.filter(|_| !rest[1..].starts_with('0'));
        let argument = argument.zip(after.strip_prefix(']'));
        let (argument, after) = argument.ok_or_else(|| bad("the number of an argument"))?;
        (it.argument, rest) = (argument - 1, after);
    }
    let mode = rest.chars().next().filter(char::is_ascii_alphabetic).ok_or_else(|| bad("a letter"))?;
    Ok((it, mode, &rest[1..]))
}

fn bad(expected: &str) -> CallError {
    CallError::Argument(0, format!("{expected} is required after a percent sign"))
}

/// Returns the number at the start and the rest of the string.
fn count(string: &str) -> CallResult<(Option<usize>, &str)> {
    let end = string.find(|it: char| !it.is_ascii_digit()).unwrap_or(string.len());
    if end == 0 {
        return Ok((None, string));
    }
    let it = string[..end].parse().ok().filter(|it| *it <= MAX_WIDTH).ok_or(CallError::Undetermined)?;
    Ok((Some(it), &string[end..]))
}

fn show(verb: &Verb, mode: char, it: &Typed) -> CallResult<String> {
    let null = it.value == Value::Null;
    let to = |ty: &Type| match convert(it.value.clone(), &it.ty, ty) {
        Ok(it) if !null => Ok(it.value),
        Ok(_) => Err(CallError::Argument(verb.argument + 1, format!("%{mode} does not accept null values"))),
        Err(e) => Err(CallError::Argument(verb.argument + 1, e.to_string())),
    };
    Ok(match mode {
        'v' => {
            let it = match &it.value {
                Value::String(it) if !verb.sharp => it.to_string(),
                Value::Number(it) if !verb.sharp => float(it, 'g', None)?,
                it => {
                    let it = json::encode_simple(it);
                    let it = it.map_err(|e| CallError::Argument(verb.argument + 1, e.to_string()))?;
                    String::from_utf8_lossy(&it).into_owned()
                }
            };
            pad(verb, it)
        }
        't' => if to(&Type::Bool)? == Value::Bool(true) { "true" } else { "false" }.to_owned(),
        's' | 'q' => {
            let Value::String(it) = to(&Type::String)? else { return Err(CallError::Undetermined) };
            // As in Terraform, a precision of zero does not truncate the string.
            let it = match verb.precision {
                Some(max) if max > 0 => graphemes(&it).into_iter().take(max).collect(),
                _ => it.to_string(),
            };
            if mode == 's' {
                return Ok(pad(verb, it));
            }
            let quoted = json::encode_simple(&Value::string(it)).map_err(|_| CallError::Undetermined)?;
            pad(verb, String::from_utf8_lossy(&quoted).into_owned())
        }
        'b' | 'd' | 'o' | 'x' | 'X' | 'e' | 'E' | 'f' | 'g' | 'G' => {
            let Value::Number(it) = to(&Type::Number)? else { return Err(CallError::Undetermined) };
            match mode {
                'b' | 'd' | 'o' | 'x' | 'X' => whole(verb, mode, &it)?,
                _ => signed(verb, &float(&it, mode, verb.precision)?, it.is_infinite()),
            }
        }
        _ => return Err(CallError::Argument(0, format!("the verb %{mode} is not supported"))),
    })
}

/// Pads to the width, on the left or on the right, with spaces or zeros.
fn pad(verb: &Verb, it: String) -> String {
    let missing = verb.width.unwrap_or(0).saturating_sub(graphemes(&it).len());
    let padding = if verb.zero { "0" } else { " " }.repeat(missing);
    if verb.minus { it + &padding } else { padding + &it }
}

fn float(it: &Number, mode: char, precision: Option<usize>) -> CallResult<String> {
    if it.is_infinite() {
        return Ok(it.to_string());
    }
    let shortest = precision.is_none() && matches!(mode, 'g' | 'G');
    let digits =
        if shortest { Decimal::shortest(it) } else { Decimal::exact(it) }.ok_or(CallError::Undetermined)?;
    let e = if mode.is_ascii_uppercase() { 'E' } else { 'e' };
    Ok(match mode {
        'f' => digits.fixed(precision.unwrap_or(6)),
        'e' | 'E' => digits.scientific(precision.unwrap_or(6), e),
        _ => digits.general(precision, e),
    })
}

/// Formats a fraction with its sign and padding.
fn signed(verb: &Verb, it: &str, infinite: bool) -> String {
    let plain = it.trim_start_matches(['-', '+']);
    let sign = match it.as_bytes() {
        [b'-', ..] => "-",
        [b'+', ..] if verb.space => " ",
        [b'+', ..] => "+",
        _ if verb.plus => "+",
        _ if verb.space => " ",
        _ => "",
    };
    let missing = verb.width.unwrap_or(0).saturating_sub(sign.len() + plain.len());
    if verb.zero && !infinite {
        format!("{sign}{}{plain}", "0".repeat(missing))
    } else if verb.minus {
        format!("{sign}{plain}{}", " ".repeat(missing))
    } else {
        format!("{}{sign}{plain}", " ".repeat(missing))
    }
}

/// Formats an integer in the base of the letter.
fn whole(verb: &Verb, mode: char, it: &Number) -> CallResult<String> {
    let not_whole = || CallError::Argument(verb.argument + 1, "a whole number is required".into());
    if !it.is_integer() && !it.is_zero() {
        return Err(not_whole());
    }
    let size = num_bigint::BigUint::from_bytes_be(&it.to_be_bytes().ok_or_else(not_whole)?);
    if size.bits() > 4096 {
        return Err(CallError::Undetermined);
    }
    let (base, prefix) = match mode {
        'b' => (2, "0b"),
        'o' => (8, "0"),
        'x' => (16, "0x"),
        'X' => (16, "0X"),
        _ => (10, ""),
    };
    let mut digits = size.to_str_radix(base);
    if mode == 'X' {
        digits.make_ascii_uppercase();
    }
    if verb.precision == Some(0) && digits == "0" {
        return Ok(String::new());
    }
    let prefix = if verb.sharp { prefix } else { "" };
    let sign = match () {
        () if it.signum() < 0 => "-",
        () if verb.plus => "+",
        () if verb.space => " ",
        () => "",
    };
    let mut zeros = verb.precision.unwrap_or(0).saturating_sub(digits.len());
    let length = sign.len() + prefix.len() + zeros + digits.len();
    let missing = verb.width.unwrap_or(0).saturating_sub(length);
    let (mut left, mut right) = (0, 0);
    match () {
        () if verb.minus => right = missing,
        () if verb.zero && verb.precision.is_none() => zeros = missing,
        () => left = missing,
    }
    let [left, zeros, right] = [(" ", left), ("0", zeros), (" ", right)].map(|(it, n)| it.repeat(n));
    Ok(format!("{left}{sign}{prefix}{zeros}{digits}{right}"))
}
