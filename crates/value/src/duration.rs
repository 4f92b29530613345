//! Durations in the syntax of Go: numbers with units, such as `1h30m` or `1.5s`.

/// The error of [`parse_duration`].
///
/// ```
/// use ferroform_value::{DurationError, parse_duration};
///
/// assert_eq!(parse_duration("soon"), Err(DurationError::Syntax));
/// assert_eq!(parse_duration("3000000h"), Err(DurationError::Range));
/// assert_eq!(DurationError::Range.to_string(), "the duration is longer than 292 years");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DurationError {
    /// The string is not a sequence of numbers with units.
    Syntax,
    /// The duration is longer than 292 years, in either direction.
    Range,
}

impl std::fmt::Display for DurationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DurationError::Syntax => "expected numbers with units, such as `1h30m`",
            DurationError::Range => "the duration is longer than 292 years",
        })
    }
}

impl std::error::Error for DurationError {}

/// The largest duration, in nanoseconds.
const LARGEST: u128 = i64::MAX as u128;

/// Parses a duration such as `1h30m`, `-1.5s` or `0`, and returns its nanoseconds.
///
/// Terraform's `timeadd` and the timeouts of Go providers parse durations with Go's `time.ParseDuration`. This function
/// accepts the same strings and returns the same number, including the rounding of fractions.
///
/// ```
/// use ferroform_value::{DurationError, parse_duration};
///
/// assert_eq!(parse_duration("1m1.5s"), Ok(61_500_000_000));
/// assert_eq!(parse_duration("1d"), Err(DurationError::Syntax));
/// ```
///
/// # Errors
///
/// Returns [`DurationError`] if the string is not a duration or if its nanoseconds do not fit an `i64`.
pub const fn parse_duration(text: &str) -> Result<i64, DurationError> {
    let (negative, mut rest) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    match rest {
        [] => return Err(DurationError::Syntax),
        // Zero is the only number that requires no unit.
        [b'0'] => return Ok(0),
        _ => {}
    }
    let largest = LARGEST + negative as u128;
    let mut total: u128 = 0;
    while !rest.is_empty() {
        let whole = digits(rest);
        let fraction = match whole.rest {
            [b'.', rest @ ..] => digits(rest),
            rest => Digits { number: 0, parsed: 0, count: 0, rest },
        };
        if whole.count + fraction.count == 0 {
            return Err(DurationError::Syntax);
        }
        let (unit, after) = match unit(fraction.rest) {
            Some(found) => found,
            None => return Err(DurationError::Syntax),
        };
        if whole.parsed < whole.count {
            return Err(DurationError::Range);
        }
        // Go computes the fraction with floats and truncates it to nanoseconds.
        let part = fraction.number as f64 * (unit as f64 / power_of_ten(fraction.parsed));
        total += whole.number as u128 * unit as u128 + part as u128;
        if total > largest {
            return Err(DurationError::Range);
        }
        rest = after;
    }
    // The result fits an `i64`: `i64::MIN` has no positive counterpart, so a negative total is negated with wrapping.
    Ok(if negative { (total as i64).wrapping_neg() } else { total as i64 })
}

/// The digits at the beginning of a string.
struct Digits<'a> {
    number: u64,
    /// The number of digits that `number` contains. Further digits exceed its range.
    parsed: u32,
    count: u32,
    rest: &'a [u8],
}

const fn digits(mut rest: &[u8]) -> Digits<'_> {
    let (mut number, mut parsed, mut count) = (0_u64, 0, 0);
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        let next = number as u128 * 10 + (*digit - b'0') as u128;
        if parsed == count && next <= LARGEST + 1 {
            number = next as u64;
            parsed += 1;
        }
        count += 1;
        rest = after;
    }
    Digits { number, parsed, count, rest }
}

const fn power_of_ten(exponent: u32) -> f64 {
    let (mut power, mut left) = (1.0, exponent);
    while left > 0 {
        power *= 10.0;
        left -= 1;
    }
    power
}

/// Returns the nanoseconds of the unit at the beginning, and the rest of the string.
const fn unit(text: &[u8]) -> Option<(u64, &[u8])> {
    Some(match text {
        [b'n', b's', rest @ ..] => (1, rest),
        // Microseconds are written with a `u`, the micro sign or the Greek letter mu.
        [b'u', b's', rest @ ..] | [0xc2, 0xb5, b's', rest @ ..] | [0xce, 0xbc, b's', rest @ ..] => {
            (1_000, rest)
        }
        [b'm', b's', rest @ ..] => (1_000_000, rest),
        [b's', rest @ ..] => (1_000_000_000, rest),
        [b'm', rest @ ..] => (60_000_000_000, rest),
        [b'h', rest @ ..] => (3_600_000_000_000, rest),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_in_go() {
        for (text, nanoseconds) in [
            ("0", 0),
            ("-0", 0),
            ("+5s", 5_000_000_000),
            ("1h30m", 5_400_000_000_000),
            ("1.5h", 5_400_000_000_000),
            (".5s", 500_000_000),
            ("1.s", 1_000_000_000),
            ("3ms4us5ns", 3_004_005),
            ("1µs1μs", 2_000),
            ("1m1h", 3_660_000_000_000),
            ("0h1s", 1_000_000_000),
            ("0.1ns", 0),
            ("0.3333333333333333333h", 1_200_000_000_000),
            ("0.33333333333333333333333333h", 1_200_000_000_000),
            ("0.830103483285477580700h", 2_988_372_539_827),
            ("2562047h47m16.854775807s", i64::MAX),
            ("-2562047h47m16.854775807s", -i64::MAX),
            ("-9223372036854775808ns", i64::MIN),
        ] {
            assert_eq!(parse_duration(text), Ok(nanoseconds), "{text}");
        }
    }

    #[test]
    fn other_strings_are_rejected() {
        use DurationError::{Range, Syntax};
        for text in
            ["", "+", "soon", "30", ".s", "1h ", " 1h", "1d", "1H", "1\u{b5}", "1e3s", "--1s", "1h-1m", "1hm"]
        {
            assert_eq!(parse_duration(text), Err(Syntax), "{text}");
        }
        for text in [
            "9223372036854775808ns",
            "-9223372036854775809ns",
            "2562047h47m16.854775808s",
            "99999999999999999999999999999999999999999999s",
        ] {
            assert_eq!(parse_duration(text), Err(Range), "{text}");
        }
    }
}
