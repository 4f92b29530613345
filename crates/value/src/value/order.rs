//! The order of the elements of a set in encodings and output.
//!
//! Terraform orders elements that are not primitive by the bytes of a string form of them. The comparison here
//! returns the same order without creating these strings: it compares the nested values of two elements in order, and
//! the first difference determines the order. For example, `{name = "a b"}` has the string form `<"a b";>` and `{name
//! = "a"}` has `<"a";>`. At the first difference, one has a space and the other the closing quote, and a space is
//! less than a quote.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::convert::Infallible;
use std::fmt::Write;

use super::{Set, Value};
use crate::number::Number;
use crate::quote::write_quoted;

impl Set {
    /// Returns the elements in Terraform's order: strings by their bytes, numbers by size, false before true, other
    /// elements by their string forms. Unknown elements follow, and nulls are last.
    ///
    /// ```
    /// use ferroform_value::{Set, Value};
    ///
    /// let set: Set = [Value::Null, "b".into(), "a".into()].into_iter().collect();
    /// assert_eq!(set.sorted(), [&"a".into(), &"b".into(), &Value::Null]);
    /// ```
    pub fn sorted(&self) -> Vec<&Value> {
        let mut sorted: Vec<&Value> = self.iter().collect();
        sorted.sort_by_cached_key(|element| Key {
            rank: rank(element.without_type()),
            value: with_lists_for_sets(element),
        });
        sorted
    }
}

/// The sort key of an element.
#[derive(PartialEq, Eq)]
struct Key<'a> {
    rank: (u8, u8),
    value: Cow<'a, Value>,
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.cmp(&other.rank).then_with(|| {
            match (self.value.without_type(), other.value.without_type()) {
                (Value::String(a), Value::String(b)) => a.cmp(b),
                // A set can contain both zeros, and negative zero is first.
                (Value::Number(a), Value::Number(b)) => {
                    a.compare(b).then_with(|| b.is_negative_zero().cmp(&a.is_negative_zero()))
                }
                (a, b) => compare(a, b),
            }
        })
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the rank of an element: known elements, then unknown ones, then nulls. The known elements of a set that
/// was not validated can have different types and are ordered by kind.
fn rank(element: &Value) -> (u8, u8) {
    match element {
        Value::Null => (2, 0),
        Value::Unknown(_) => (1, 0),
        Value::Number(_) => (0, b'0'),
        known => (0, first_byte(known)),
    }
}

/// Replaces each nested set by a sorted list, which has the same string form. Each set is therefore sorted once
/// instead of once for each comparison.
fn with_lists_for_sets(value: &Value) -> Cow<'_, Value> {
    if !has_set(value) {
        return Cow::Borrowed(value);
    }
    let Ok(replaced) = value.clone().transform::<Infallible>(&mut |_, inner| {
        Ok(match inner {
            Value::Set(set) => Value::List(set.sorted().into_iter().cloned().collect()),
            inner => inner,
        })
    });
    Cow::Owned(replaced)
}

fn has_set(value: &Value) -> bool {
    match value.without_type() {
        Value::Set(_) => true,
        Value::Object(it) => it.values().any(has_set),
        it => it.elements().any(has_set),
    }
}

/// Compares two elements or nested values by their string forms:
///
/// | value | string form |
/// | --- | --- |
/// | null, unknown | `~`, `?` |
/// | false, true | `F`, `T` |
/// | number | its first ten digits |
/// | string | in quotes, escaped |
/// | list, set | `[`, each element with `;` after it, `]` |
/// | tuple, object | `<`, each value with `;` after it, `>` |
/// | map | `{`, each key in quotes with `:`, its value and `;` after it, `}` |
fn compare(a: &Value, b: &Value) -> Ordering {
    match (a.without_type(), b.without_type()) {
        (Value::String(a), Value::String(b)) => compare_quoted(a, b),
        (Value::Number(a), Value::Number(b)) => compare_numbers(a, b),
        (Value::List(a), Value::List(b)) => compare_all(a.iter(), b.iter(), b']'),
        (Value::Tuple(a), Value::Tuple(b)) => compare_all(a.iter(), b.iter(), b'>'),
        (Value::Object(a), Value::Object(b)) => compare_all(a.values(), b.values(), b'>'),
        (Value::Map(a), Value::Map(b)) => {
            let mut pairs = a.iter().zip(b);
            let first = pairs.find_map(|((key, value), (other_key, other))| {
                Some(compare_quoted(key, other_key).then_with(|| compare(value, other)))
                    .filter(|it| it.is_ne())
            });
            // After the last key of the shorter map, its brace is compared with the quote of the next key of the
            // longer map. A quote is less than a brace, so the longer map is less.
            first.unwrap_or_else(|| b.len().cmp(&a.len()))
        }
        (a, b) => first_byte(a).cmp(&first_byte(b)),
    }
}

fn compare_all<'a>(
    mut a: impl Iterator<Item = &'a Value>,
    mut b: impl Iterator<Item = &'a Value>,
    close: u8,
) -> Ordering {
    loop {
        let order = match (a.next(), b.next()) {
            (Some(a), Some(b)) => compare(a, b),
            (Some(a), None) => first_byte(a).cmp(&close),
            (None, Some(b)) => close.cmp(&first_byte(b)),
            (None, None) => return Ordering::Equal,
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Returns the first byte of the string form.
fn first_byte(value: &Value) -> u8 {
    match value.without_type() {
        Value::Null => b'~',
        Value::Unknown(_) => b'?',
        Value::Bool(it) => {
            if *it {
                b'T'
            } else {
                b'F'
            }
        }
        Value::Number(it) => number_form(it).as_bytes().first().copied().unwrap_or_default(),
        Value::String(_) => b'"',
        Value::List(_) | Value::Set(_) => b'[',
        Value::Tuple(_) | Value::Object(_) => b'<',
        Value::Map(_) => b'{',
        Value::Dynamic(it) => first_byte(&it.value),
    }
}

/// Compares two strings in quotes, with escape sequences.
fn compare_quoted(a: &str, b: &str) -> Ordering {
    let common = a.bytes().zip(b.bytes()).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    // The first different character determines the order, because no escape sequence is a prefix of another one.
    let at =
        (0..=common).rev().find(|&at| a.is_char_boundary(at) && b.is_char_boundary(at)).unwrap_or_default();
    let form = |string: &str| match string[at..].chars().next() {
        Some(character) => {
            let mut form = String::new();
            write_quoted(&mut form, character.encode_utf8(&mut [0; 4]));
            form.split_off(1)
        }
        None => "\"".to_owned(),
    };
    match (a.as_bytes().get(at), b.as_bytes().get(at)) {
        (None, None) => Ordering::Equal,
        (Some(a), Some(b)) if is_plain(*a) && is_plain(*b) => a.cmp(b),
        _ => form(a).cmp(&form(b)),
    }
}

/// Returns true for an ASCII character that is not escaped.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')
}

fn compare_numbers(a: &Number, b: &Number) -> Ordering {
    match (a.to_i64(), b.to_i64()) {
        (Some(a), Some(b)) if a == b => Ordering::Equal,
        // A separator follows each number in the string form: `1;` is greater than `12;`.
        _ => (number_form(a) + ";").cmp(&(number_form(b) + ";")),
    }
}

fn number_form(number: &Number) -> String {
    let mut form = String::new();
    write_number(&mut form, number);
    form
}

/// Writes ten significant digits, with an exponent for very large and very small numbers.
fn write_number(out: &mut String, it: &Number) {
    if let Some(it) = it.to_i64().filter(|it| it.unsigned_abs() < 10_000_000_000) {
        let _ = write!(out, "{it}");
        return;
    }
    let decimal = it.to_string();
    let (sign, digits) = decimal.strip_prefix('-').map_or(("", &*decimal), |rest| ("-", rest));
    let Some((digits, exponent)) = significant(digits) else {
        out.push_str(&decimal);
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

/// Returns the first ten significant digits, rounded and without trailing zeros, and the power of ten of the first
/// digit.
fn significant(decimal: &str) -> Option<(String, i64)> {
    let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, ""));
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
