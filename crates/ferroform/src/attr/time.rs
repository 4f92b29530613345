//! Timestamps and durations.

use std::time::Duration;

use ferroform_value::{Number, Value, parse_duration as parse_nanoseconds};
use jiff::fmt::friendly::{Designator, Direction, Spacing, SpanPrinter};
use jiff::{SignedDuration, Timestamp};

use super::scalars::{print, string_types};

/// The description of a time.
pub(super) const TIMESTAMP: &str = "a time such as 2030-12-31T23:59:59Z (RFC 3339)";

string_types! {
    Timestamp, TIMESTAMP, "1970-01-01T00:00:00Z", parse_timestamp, print, summary = "Invalid RFC3339 String Value";
    SignedDuration, "a duration such as 1h30m", "0s", parse_signed, print_duration;
    Duration, "a non-negative duration such as 1h30m", "0s", parse_duration, print_unsigned;
}

/// Accepts RFC 3339 only. The library also accepts other formats, such as names of time zones.
fn parse_timestamp(string: &str) -> Result<Timestamp, &'static str> {
    check_timestamp(string)?;
    string.parse().map_err(|_| INVALID_TIMESTAMP)
}

/// The reason if a string has the format of a time that does not exist.
pub(super) const INVALID_TIMESTAMP: &str =
    "the time does not exist, or it has more than nine fractional digits";

/// Checks the format.
pub(super) fn check_timestamp(string: &str) -> Result<(), &'static str> {
    let date = |(i, c): (usize, u8)| match i {
        4 | 7 => c == b'-',
        10 => c.eq_ignore_ascii_case(&b'T'),
        13 | 16 => c == b':',
        _ => c.is_ascii_digit(),
    };
    let zone = |string: &str| {
        matches!(
            string.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').as_bytes(),
            [b'Z' | b'z']
                | [b'+' | b'-', b'0'..=b'1', b'0'..=b'9', b':', b'0'..=b'5', b'0'..=b'9']
                | [b'+' | b'-', b'2', b'0'..=b'3', b':', b'0'..=b'5', b'0'..=b'9']
        )
    };
    match string.split_at_checked(19) {
        // The library would parse it as the previous second.
        Some((head, _)) if head.ends_with(":60") => Err("leap seconds are not supported"),
        Some((head, tail)) if head.bytes().enumerate().all(date) && zone(tail) => Ok(()),
        _ => Err("the format is invalid"),
    }
}

/// Parses the format of Go, and the other formats of the library, such as `1h 30m` and `PT1H30M` (ISO 8601).
fn parse_signed(string: &str) -> Result<SignedDuration, &'static str> {
    match parse_nanoseconds(string) {
        Ok(nanoseconds) => Ok(SignedDuration::from_nanos(nanoseconds)),
        Err(_) => string.parse().map_err(|_| "the format is invalid; the units are h, m, s, ms, us and ns"),
    }
}

/// Prints a duration in a format that Go can parse: `1h30m`, `-1s500ms`.
fn print_duration(it: &SignedDuration) -> Result<String, Value> {
    let printer = SpanPrinter::new().designator(Designator::Compact);
    Ok(printer.spacing(Spacing::None).direction(Direction::Sign).duration_to_string(it))
}

fn parse_duration(string: &str) -> Result<Duration, &'static str> {
    Duration::try_from(parse_signed(string)?).map_err(|_| "this duration is negative")
}

/// A duration of more than 292 billion years has no string form.
fn print_unsigned(it: &Duration) -> Result<String, Value> {
    SignedDuration::try_from(*it)
        .map_or_else(|_| Err(Number::from(it.as_secs()).into()), |it| print_duration(&it))
}
