//! Durations as Go writes them: numbers with units, such as `1h30m` or `1.5s`.

use std::time::Duration;

const WANTED: &str = "a duration such as \"30m\" or \"1h30m\"";
const LONGER: &str = "a duration longer than zero, such as \"30m\",";
const SHORTER: &str = "a duration of at most 292 years, such as \"30m\",";

/// What Go's durations can hold.
const MOST: u128 = i64::MAX as u128;

/// Reads a timeout.
///
/// # Errors
///
/// What is wanted instead, where the text is no duration of Go's or not longer than zero.
pub const fn parse(text: &str) -> Result<Duration, &'static str> {
    match signed_nanos(text) {
        Ok(nanos @ 1..) => Ok(Duration::from_nanos(nanos.unsigned_abs())),
        Ok(_) => Err(LONGER),
        Err(wanted) => Err(wanted),
    }
}

/// The nanoseconds of a duration of Go's: the one reader of them, here and in the attributes of durations.
///
/// # Errors
///
/// What is wanted instead.
pub const fn signed_nanos(text: &str) -> Result<i64, &'static str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut negative = false;
    if let [sign @ (b'-' | b'+'), ..] = bytes {
        negative = *sign == b'-';
        at = 1;
    }
    if at == bytes.len() {
        return Err(WANTED);
    }
    if at + 1 == bytes.len() && bytes[at] == b'0' {
        return Ok(0);
    }
    let mut nanos: u128 = 0;
    while at < bytes.len() {
        let (whole, after_whole) = match digits(bytes, at) {
            Some(it) => it,
            None => return Err(SHORTER),
        };
        let mut end = after_whole;
        let (mut part, mut scale) = (0, 1);
        if end < bytes.len() && bytes[end] == b'.' {
            // As in Go, digits beyond what can count are passed over.
            (part, scale, end) = fraction(bytes, end + 1);
            if end == after_whole + 1 && after_whole == at {
                return Err(WANTED);
            }
        } else if after_whole == at {
            return Err(WANTED);
        }
        let (unit, after) = match unit(bytes, end) {
            Some(it) => it,
            None => return Err(WANTED),
        };
        nanos += whole * unit + part * unit / scale;
        if nanos > MOST {
            return Err(SHORTER);
        }
        at = after;
    }
    // It is at most what an i64 holds.
    let nanos = nanos as i64;
    Ok(if negative { -nanos } else { nanos })
}

/// The number at that place, and where it ends; none where it is far too large.
const fn digits(bytes: &[u8], mut at: usize) -> Option<(u128, usize)> {
    let mut number: u128 = 0;
    while at < bytes.len() && bytes[at].is_ascii_digit() {
        number = number * 10 + (bytes[at] - b'0') as u128;
        if number > MOST {
            return None;
        }
        at += 1;
    }
    Some((number, at))
}

/// The digits behind a point: the number that they are, by what it is to be divided, and where they end.
const fn fraction(bytes: &[u8], mut at: usize) -> (u128, u128, usize) {
    let (mut number, mut scale): (u128, u128) = (0, 1);
    while at < bytes.len() && bytes[at].is_ascii_digit() {
        if scale < MOST {
            number = number * 10 + (bytes[at] - b'0') as u128;
            scale *= 10;
        }
        at += 1;
    }
    (number, scale, at)
}

/// The nanoseconds of the unit at that place, and where it ends.
const fn unit(bytes: &[u8], at: usize) -> Option<(u128, usize)> {
    let (_, rest) = bytes.split_at(at);
    Some(match rest {
        [b'n', b's', ..] => (1, at + 2),
        [b'u', b's', ..] => (1_000, at + 2),
        // The micro sign, and the Greek letter.
        [0xc2, 0xb5, b's', ..] | [0xce, 0xbc, b's', ..] => (1_000, at + 3),
        [b'm', b's', ..] => (1_000_000, at + 2),
        [b's', ..] => (1_000_000_000, at + 1),
        [b'm', ..] => (60_000_000_000, at + 1),
        [b'h', ..] => (3_600_000_000_000, at + 1),
        _ => return None,
    })
}

/// The shortest form that people write: `1h30m`, `90s` becomes `1m30s`, and zero is `0s`.
#[must_use]
pub fn text(duration: Duration) -> String {
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
    let mut text = String::new();
    if hours > 0 {
        text += &format!("{hours}h");
    }
    if minutes > 0 {
        text += &format!("{minutes}m");
    }
    if seconds > 0 || nanos > 0 || text.is_empty() {
        text += &format!("{}s", with_fraction(seconds, nanos, 1_000_000_000));
    }
    text
}

/// A number with so many parts of a unit behind the point.
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
    fn go_s_grammar() {
        for (given, nanos) in [
            ("30m", 1_800_000_000_000),
            ("1h30m", 5_400_000_000_000),
            ("90s", 90_000_000_000),
            ("+5s", 5_000_000_000),
            ("1.5h", 5_400_000_000_000),
            (".5s", 500_000_000),
            ("1.s", 1_000_000_000),
            ("3ms4us5ns", 3_004_005),
            ("1µs", 1_000),
            ("1μs", 1_000),
            ("1m1h", 3_660_000_000_000),
            ("0h1s", 1_000_000_000),
            ("0.3333333333333333333333333h", 1_199_999_999_999),
            ("2562047h47m16.854775807s", 9_223_372_036_854_775_807),
        ] {
            assert_eq!(parse(given), Ok(Duration::from_nanos(nanos)), "{given}");
        }
    }

    #[test]
    fn what_is_no_timeout() {
        for (given, wanted) in [
            ("", WANTED),
            ("soon", WANTED),
            ("30", WANTED),
            ("+", WANTED),
            (".s", WANTED),
            ("1h ", WANTED),
            (" 1h", WANTED),
            ("1d", WANTED),
            ("1H", WANTED),
            ("1\u{b5}", WANTED),
            ("1e3s", WANTED),
            ("--1s", WANTED),
            ("1h-1m", WANTED),
            ("0", LONGER),
            ("0s", LONGER),
            ("-5m", LONGER),
            ("0.1ns", LONGER),
            ("2562047h47m16.854775808s", SHORTER),
            ("99999999999999999999999999999999999999999999s", SHORTER),
        ] {
            assert_eq!(parse(given), Err(wanted), "{given}");
        }
    }

    #[test]
    fn durations_as_texts() {
        for (duration, wanted) in [
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
            assert_eq!(text(duration), wanted);
            assert!(duration.is_zero() || parse(wanted) == Ok(duration), "{wanted}");
        }
    }
}
