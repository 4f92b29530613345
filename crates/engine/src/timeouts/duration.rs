//! Timeouts as durations, such as `1h30m` or `1.5s`.

use std::time::Duration;

use ferroform_value::{DurationError, parse_duration};

const EXPECTED: &str = "a duration such as \"30m\" or \"1h30m\"";
const LONGER: &str = "a duration longer than zero, such as \"30m\",";
const SHORTER: &str = "a duration of at most 292 years, such as \"30m\",";

/// Parses a timeout, such as `30m` or `1h30m`.
///
/// # Errors
///
/// Returns a description of the expected value if the string is not a duration in the format of Go, or is not greater
/// than zero.
pub const fn parse_timeout(string: &str) -> Result<Duration, &'static str> {
    match parse_duration(string) {
        Ok(nanoseconds @ 1..) => Ok(Duration::from_nanos(nanoseconds.unsigned_abs())),
        Ok(_) => Err(LONGER),
        Err(DurationError::Range) => Err(SHORTER),
        Err(_) => Err(EXPECTED),
    }
}

/// The canonical form of a duration: `1h30m`, `1m30s` for 90 seconds, and `0s` for zero.
#[must_use]
pub fn format_duration(duration: Duration) -> String {
    let (seconds, nanos) = (duration.as_secs(), duration.subsec_nanos());
    if seconds == 0 && nanos != 0 {
        let (unit, name) = match nanos {
            1_000_000.. => (1_000_000, "ms"),
            1_000.. => (1_000, "µs"),
            _ => (1, "ns"),
        };
        return format!("{}{name}", with_fraction(u64::from(nanos / unit), nanos % unit, unit));
    }
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut string = String::new();
    if hours > 0 {
        string += &format!("{hours}h");
    }
    if minutes > 0 {
        string += &format!("{minutes}m");
    }
    if seconds > 0 || nanos > 0 || string.is_empty() {
        string += &format!("{}s", with_fraction(seconds, nanos, 1_000_000_000));
    }
    string
}

/// A number with a decimal fraction: `part` of `unit` parts.
fn with_fraction(whole: u64, part: u32, unit: u32) -> String {
    if part == 0 {
        return whole.to_string();
    }
    let digits = unit.ilog10() as usize;
    let part = format!("{part:0digits$}");
    format!("{whole}.{}", part.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeout_is_a_duration_longer_than_zero() {
        assert_eq!(parse_timeout("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse_timeout("0.5s"), Ok(Duration::from_millis(500)));
        for text in ["0", "0s", "-5m", "0.1ns"] {
            assert_eq!(parse_timeout(text), Err(LONGER), "{text}");
        }
        assert_eq!(parse_timeout("soon"), Err(EXPECTED));
        assert_eq!(parse_timeout("2562047h47m16.854775808s"), Err(SHORTER));
    }

    #[test]
    fn durations_are_formatted_in_canonical_form() {
        for (duration, expected) in [
            (Duration::ZERO, "0s"),
            (Duration::from_secs(1800), "30m"),
            (Duration::from_secs(5400), "1h30m"),
            (Duration::from_secs(90), "1m30s"),
            (Duration::from_secs(3601), "1h1s"),
            (Duration::from_millis(1500), "1.5s"),
            (Duration::from_millis(61_050), "1m1.05s"),
            (Duration::from_millis(20), "20ms"),
            (Duration::from_micros(1500), "1.5ms"),
            (Duration::from_nanos(1500), "1.5µs"),
            (Duration::from_nanos(7), "7ns"),
        ] {
            assert_eq!(format_duration(duration), expected);
            assert!(duration.is_zero() || parse_timeout(expected) == Ok(duration), "{expected}");
        }
    }
}
