//! The order in which the language goes through a set.

use std::cmp::Ordering;
use std::fmt::Write;

use crate::number::Number;
use crate::quote::write_quoted;
use crate::value::{Set, Value};

impl Set {
    /// The elements in the language's order: strings by their bytes, numbers by size, false before true,
    /// other types by a text form; unknowns after those, nulls last.
    pub fn sorted(&self) -> Vec<&Value> {
        sorted(self.as_slice())
    }
}

fn sorted(elements: &[Value]) -> Vec<&Value> {
    let mut sorted: Vec<&Value> = elements.iter().collect();
    if elements.iter().all(|it| rank(it) > 0 || key_is_cheap(it.bare())) {
        sorted.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| compare(a.bare(), b.bare())));
    } else {
        sorted.sort_by_cached_key(|it| {
            let mut text = String::new();
            write_key(&mut text, it);
            (rank(it), text)
        });
    }
    sorted
}

/// Known elements first, then the unknown ones, nulls last.
fn rank(it: &Value) -> u8 {
    match it.bare() {
        Value::Null => 2,
        Value::Unknown(_) => 1,
        _ => 0,
    }
}

fn key_is_cheap(it: &Value) -> bool {
    matches!(it, Value::Bool(_) | Value::Number(_) | Value::String(_))
}

fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.cmp(b),
        // Both zeros may be there, and the negative one is first.
        (Value::Number(a), Value::Number(b)) => {
            a.compare(b).then_with(|| b.is_negative_zero().cmp(&a.is_negative_zero()))
        }
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        _ => Ordering::Equal,
    }
}

/// The text form by whose bytes the language orders elements that are not primitive.
fn write_key(out: &mut String, it: &Value) {
    match it {
        Value::Null => out.push('~'),
        Value::Unknown(_) => out.push('?'),
        Value::Bool(it) => out.push(if *it { 'T' } else { 'F' }),
        Value::Number(it) => write_number(out, it),
        Value::String(it) => write_quoted(out, it),
        Value::List(it) => write_all(out, '[', it.iter(), ']'),
        Value::Set(it) => write_all(out, '[', it.sorted().into_iter(), ']'),
        Value::Tuple(it) => write_all(out, '<', it.iter(), '>'),
        Value::Object(it) => write_all(out, '<', it.values(), '>'),
        Value::Map(it) => {
            out.push('{');
            for (key, value) in it {
                write_quoted(out, key);
                out.push(':');
                write_key(out, value);
                out.push(';');
            }
            out.push('}');
        }
        Value::Dynamic(it) => write_key(out, &it.value),
    }
}

fn write_all<'a>(out: &mut String, open: char, values: impl Iterator<Item = &'a Value>, close: char) {
    out.push(open);
    for value in values {
        write_key(out, value);
        out.push(';');
    }
    out.push(close);
}

/// Ten significant digits, with an exponent where the number is far from one.
fn write_number(out: &mut String, it: &Number) {
    if let Some(it) = it.to_i64().filter(|it| it.unsigned_abs() < 10_000_000_000) {
        let _ = write!(out, "{it}");
        return;
    }
    let text = it.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", &*text), |rest| ("-", rest));
    let Some((digits, exponent)) = significant(digits) else {
        out.push_str(&text);
        return;
    };
    out.push_str(sign);
    if (-4..10).contains(&exponent) {
        let point = exponent + 1;
        if point <= 0 {
            let zeros = point.unsigned_abs() as usize;
            let _ = write!(out, "0.{:0<zeros$}{digits}", "");
        } else if digits.len() <= point as usize {
            let width = point as usize;
            let _ = write!(out, "{digits:0<width$}");
        } else {
            let (whole, fraction) = digits.split_at(point as usize);
            let _ = write!(out, "{whole}.{fraction}");
        }
    } else {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let _ = write!(out, "{first}{point}{rest}e{exponent:+03}");
    }
}

/// The first ten digits that count, rounded, without zeros at the end, and the power of ten of the first.
fn significant(text: &str) -> Option<(String, i64)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    let first = digits.iter().position(|&it| it != b'0')?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut exponent = whole.len() as i64 - 1 - first as i64;
    let mut kept: Vec<u8> = digits[first..].iter().copied().take(10).collect();
    if digits.get(first + 10).is_some_and(|&it| it >= b'5') {
        while kept.pop_if(|it| *it == b'9').is_some() {}
        match kept.last_mut() {
            Some(last) => *last += 1,
            None => {
                kept.push(b'1');
                exponent += 1;
            }
        }
    }
    while kept.pop_if(|it| *it == b'0').is_some() {}
    Some((String::from_utf8(kept).ok()?, exponent))
}
