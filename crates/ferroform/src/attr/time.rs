//! Points in time and durations.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::scalars::{print, texts};

texts! {
    Timestamp, "a time such as 2030-12-31T23:59:59Z (RFC 3339)", parse_timestamp, print;
    SignedDuration, "a duration such as 1h30m", str::parse::<SignedDuration>, print_duration;
    Duration, "a duration such as 1h30m, and not a negative one", parse_duration, print_unsigned;
}

/// The library reads more than RFC 3339 has, such as names of time zones.
fn parse_timestamp(text: &str) -> Result<Timestamp, String> {
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
        Some((head, tail)) if head.bytes().enumerate().all(date) && zone(tail) => {
            text.parse::<Timestamp>().map_err(|e| e.to_string())
        }
        _ => Err("the form is another".to_owned()),
    }
}

fn print_duration(it: &SignedDuration) -> Option<String> {
    Some(format!("{it:#}"))
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let it: SignedDuration = text.parse().map_err(|e: jiff::Error| e.to_string())?;
    Duration::try_from(it).map_err(|_| "this one is".to_owned())
}

/// One of more than 292 billion years has no form, and so becomes null.
fn print_unsigned(it: &Duration) -> Option<String> {
    SignedDuration::try_from(*it).ok().as_ref().and_then(print_duration)
}
