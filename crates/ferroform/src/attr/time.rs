//! Points in time and durations.

use std::time::Duration;

use ferroform_value::{Number, Value};
use jiff::fmt::friendly::{Designator, Direction, Spacing, SpanPrinter};
use jiff::{SignedDuration, Timestamp};

use super::scalars::{print, texts};

texts! {
    Timestamp, "a time such as 2030-12-31T23:59:59Z (RFC 3339)", parse_timestamp, print;
    SignedDuration, "a duration such as 1h30m", parse_signed, print_duration;
    Duration, "a duration such as 1h30m that is not negative", parse_duration, print_unsigned;
}

/// The library reads more than RFC 3339 has, such as names of time zones.
fn parse_timestamp(text: &str) -> Result<Timestamp, &'static str> {
    let date = |(i, c): (usize, u8)| match i {
        4 | 7 => c == b'-',
        10 => c.eq_ignore_ascii_case(&b'T'),
        13 | 16 => c == b':',
        _ => c.is_ascii_digit(),
    };
    let zone = |text: &str| match text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').as_bytes()
    {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', a, b, b':', c, d] => [a, b, c, d].iter().all(|it| it.is_ascii_digit()),
        _ => false,
    };
    match text.split_at_checked(19) {
        // It would become the second before.
        Some((head, _)) if head.ends_with(":60") => Err("a leap second cannot be kept"),
        Some((head, tail)) if head.bytes().enumerate().all(date) && zone(tail) => {
            text.parse().map_err(|_| "there is no such time, or it has more than nine digits after the point")
        }
        _ => Err("the form is another"),
    }
}

/// What Go takes, and what else the library does, such as `1h 30m` and ISO 8601's `PT1H30M`.
fn parse_signed(text: &str) -> Result<SignedDuration, &'static str> {
    let parsed = go_duration(text).or_else(|| text.parse().ok());
    parsed.ok_or("the form is another; the units are h, m, s, ms, us and ns")
}

/// Numbers with units, in any order and each as often as one likes: `1.5h1m`, `-300ms`, `0`.
fn go_duration(text: &str) -> Option<SignedDuration> {
    const UNITS: [(&str, i128); 8] = [
        ("ns", 1),
        ("us", 1_000),
        ("µs", 1_000),
        ("μs", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ];
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(SignedDuration::ZERO);
    }
    let mut nanos: i128 = 0;
    loop {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.')?);
        let (name, unit) = UNITS.into_iter().find(|(name, _)| after.starts_with(name))?;
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        // Digits beyond what can count are passed over, as in Go.
        let part = &part[..part.len().min(18)];
        let digits = |it: &str| if it.is_empty() { Some(0) } else { it.parse::<i128>().ok() };
        let fraction = digits(part)?.checked_mul(unit)? / 10_i128.pow(part.len() as u32);
        if whole.is_empty() && part.is_empty() {
            return None;
        }
        nanos = nanos.checked_add(digits(whole)?.checked_mul(unit)?)?.checked_add(fraction)?;
        rest = &after[name.len()..];
        if rest.is_empty() {
            return SignedDuration::try_from_nanos_i128(sign * nanos);
        }
    }
}

/// In a form that Go reads too: `1h30m`, `-1s500ms`.
fn print_duration(it: &SignedDuration) -> Result<String, Value> {
    let printer = SpanPrinter::new().designator(Designator::Compact);
    Ok(printer.spacing(Spacing::None).direction(Direction::Sign).duration_to_string(it))
}

fn parse_duration(text: &str) -> Result<Duration, &'static str> {
    Duration::try_from(parse_signed(text)?).map_err(|_| "this one is")
}

/// One of more than 292 billion years has no text.
fn print_unsigned(it: &Duration) -> Result<String, Value> {
    SignedDuration::try_from(*it)
        .map_or_else(|_| Err(Number::from(it.as_secs()).into()), |it| print_duration(&it))
}
