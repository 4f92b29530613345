//! Durations in the syntax of Go.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::TryFromIntError;
use std::str::FromStr;
use std::time::Duration;

use ferroform_value::{DurationError, Error, Value, parse_duration};

use super::Attr as _;
use super::scalars::string_types;

/// A duration in the syntax of Go's `time.ParseDuration`, and in no other: `1h30m`, `-1.5s`, `0`. For drop-in replacements
/// of Go providers, because `std::time::Duration` and `jiff::SignedDuration` also accept other formats, such as `PT1H`.
///
/// The attribute keeps the string, and durations of the same length are equal.
///
/// ```
/// use std::time::Duration;
///
/// use ferroform::attr::GoDuration;
///
/// let duration: GoDuration = "90m".parse()?;
/// assert_eq!(duration, "1h30m".parse()?);
/// assert_eq!(duration.to_string(), "1h30m0s");
/// assert_eq!(Duration::try_from(duration)?, Duration::from_secs(5400));
/// # Ok::<(), ferroform::Diagnostics>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GoDuration {
    nanoseconds: i64,
    /// The string of the attribute; `None` if it is the one that `Display` prints.
    string: Option<Box<str>>,
}

impl GoDuration {
    /// The duration of this many nanoseconds, which can be negative.
    pub const fn from_nanos(nanoseconds: i64) -> GoDuration {
        GoDuration { nanoseconds, string: None }
    }

    /// The nanoseconds.
    pub const fn as_nanos(&self) -> i64 {
        self.nanoseconds
    }
}

impl PartialEq for GoDuration {
    fn eq(&self, other: &GoDuration) -> bool {
        self.nanoseconds == other.nanoseconds
    }
}

impl Eq for GoDuration {}

impl PartialOrd for GoDuration {
    fn partial_cmp(&self, other: &GoDuration) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for GoDuration {
    fn cmp(&self, other: &GoDuration) -> Ordering {
        self.nanoseconds.cmp(&other.nanoseconds)
    }
}

impl Hash for GoDuration {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.nanoseconds.hash(state);
    }
}

/// An error if the duration is negative.
impl TryFrom<GoDuration> for Duration {
    type Error = TryFromIntError;

    fn try_from(it: GoDuration) -> Result<Duration, TryFromIntError> {
        u64::try_from(it.nanoseconds).map(Duration::from_nanos)
    }
}

/// An error if the duration is longer than 292 years.
impl TryFrom<Duration> for GoDuration {
    type Error = TryFromIntError;

    fn try_from(it: Duration) -> Result<GoDuration, TryFromIntError> {
        i64::try_from(it.as_nanos()).map(GoDuration::from_nanos)
    }
}

impl FromStr for GoDuration {
    type Err = Error;

    fn from_str(string: &str) -> Result<GoDuration, Error> {
        GoDuration::from_value(&string.into())
    }
}

/// Prints the duration as Go does: `1h30m0s`, `1.5s`, `20ms`.
impl fmt::Display for GoDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.nanoseconds.unsigned_abs();
        let (unit, name) = match total {
            1..1_000 => (1, "ns"),
            1_000..1_000_000 => (1_000, "µs"),
            1_000_000..1_000_000_000 => (1_000_000, "ms"),
            _ => (1_000_000_000, "s"),
        };
        let minutes = total / 60_000_000_000;
        if self.nanoseconds < 0 {
            f.write_str("-")?;
        }
        if minutes >= 60 {
            write!(f, "{}h", minutes / 60)?;
        }
        if minutes > 0 {
            write!(f, "{}m", minutes % 60)?;
        }
        let whole = total / unit - minutes * 60;
        let digits = usize::try_from(unit.ilog10()).unwrap_or_default();
        let fraction = format!(".{:0digits$}", total % unit);
        let fraction = if total.is_multiple_of(unit) { "" } else { fraction.trim_end_matches('0') };
        write!(f, "{whole}{fraction}{name}")
    }
}

fn parse(string: &str) -> Result<GoDuration, &'static str> {
    match parse_duration(string) {
        Ok(nanoseconds) => Ok(GoDuration { nanoseconds, string: Some(string.into()) }),
        Err(DurationError::Range) => Err("the duration is longer than 292 years"),
        Err(_) => Err("the format is invalid; the units are h, m, s, ms, us and ns"),
    }
}

fn print(it: &GoDuration) -> Result<String, Value> {
    Ok(it.string.as_deref().map_or_else(|| it.to_string(), str::to_owned))
}

string_types! {
    GoDuration, "a duration in the format of Go such as 1h30m", "0s", parse, print, canonical = GoDuration::to_string,
        summary = "Invalid Time Duration String Value";
}
