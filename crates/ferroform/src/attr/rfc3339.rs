//! Times with their offset.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use ferroform_value::Error;
use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::Attr as _;
use super::scalars::{print, string_types};
use super::time::{INVALID_TIMESTAMP, TIMESTAMP, check_timestamp};

/// A time in the format of RFC 3339, which keeps its string and its offset from UTC.
///
/// Two times are equal if they are the same instant with the same offset, as in `timetypes.RFC3339` of Go: `Z`, `+00:00` and
/// `-00:00` are the same offset. `jiff::Timestamp` is only an instant: from the value `2030-01-01T12:00:00+01:00`, a
/// method gets `2030-01-01T11:00:00Z`. Unlike Go, it compares fractions of a second, and rejects more than nine digits of them.
///
/// ```
/// use ferroform::attr::Rfc3339;
///
/// let time: Rfc3339 = "2030-01-01T12:00:00+01:00".parse()?;
/// assert_eq!(time.as_str(), "2030-01-01T12:00:00+01:00");
/// assert_eq!(time, "2030-01-01T12:00:00.0+01:00".parse()?);
/// assert_ne!(time, "2030-01-01T11:00:00Z".parse()?);
/// # Ok::<(), ferroform::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rfc3339 {
    string: String,
    local: DateTime,
    offset: Offset,
}

impl Rfc3339 {
    /// The time at a local date and time with this offset from UTC.
    ///
    /// ```
    /// use ferroform::attr::Rfc3339;
    /// use jiff::civil::date;
    /// use jiff::tz::Offset;
    ///
    /// let never = Rfc3339::new(date(9999, 12, 31).at(23, 59, 59, 0), Offset::UTC)?;
    /// assert_eq!(never.as_str(), "9999-12-31T23:59:59Z");
    /// assert_eq!(never.datetime().date(), date(9999, 12, 31));
    /// # Ok::<(), ferroform::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// RFC 3339 has neither years before 0 nor offsets with seconds.
    pub fn new(datetime: DateTime, offset: Offset) -> Result<Rfc3339, Error> {
        let sign = if offset.is_negative() { '-' } else { '+' };
        let distance = offset.seconds().abs();
        let (hours, minutes, seconds) = (distance / 3600, distance / 60 % 60, distance % 60);
        match (distance, seconds) {
            (0, _) => format!("{datetime}Z").parse(),
            (_, 0) => format!("{datetime}{sign}{hours:02}:{minutes:02}").parse(),
            // The parser reports the seconds.
            _ => format!("{datetime}{sign}{hours:02}:{minutes:02}:{seconds:02}").parse(),
        }
    }

    /// The string.
    pub fn as_str(&self) -> &str {
        &self.string
    }

    /// The instant; `None` after 9999-12-30T22:00:00Z, which `jiff` cannot represent.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.offset.to_timestamp(self.local).ok()
    }

    /// The date and time at the [offset](Rfc3339::offset).
    pub fn datetime(&self) -> DateTime {
        self.local
    }

    /// The offset from UTC.
    pub fn offset(&self) -> Offset {
        self.offset
    }

    /// The instant and the offset, which are compared.
    fn key(&self) -> (SignedDuration, Offset) {
        let offset = SignedDuration::from_secs(self.offset.seconds().into());
        (self.local.duration_since(DateTime::default()) - offset, self.offset)
    }
}

impl FromStr for Rfc3339 {
    type Err = Error;

    fn from_str(string: &str) -> Result<Rfc3339, Error> {
        Rfc3339::from_value(&string.into())
    }
}

/// The instant in UTC.
impl From<Timestamp> for Rfc3339 {
    fn from(timestamp: Timestamp) -> Rfc3339 {
        let local = Offset::UTC.to_datetime(timestamp);
        Rfc3339 { string: timestamp.to_string(), local, offset: Offset::UTC }
    }
}

/// Prints the string.
impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.string)
    }
}

impl PartialEq for Rfc3339 {
    fn eq(&self, other: &Rfc3339) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Rfc3339 {}

impl PartialOrd for Rfc3339 {
    fn partial_cmp(&self, other: &Rfc3339) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rfc3339 {
    fn cmp(&self, other: &Rfc3339) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Rfc3339 {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

fn parse(string: &str) -> Result<Rfc3339, &'static str> {
    check_timestamp(string)?;
    let pieces = Pieces::parse(string).map_err(|_| INVALID_TIMESTAMP)?;
    let local = pieces.date().to_datetime(pieces.time().ok_or(INVALID_TIMESTAMP)?);
    let offset = pieces.to_numeric_offset().ok_or(INVALID_TIMESTAMP)?;
    Ok(Rfc3339 { string: string.to_owned(), local, offset })
}

string_types! {
    Rfc3339, TIMESTAMP, "1970-01-01T00:00:00Z", parse, print, canonical = |it: &Rfc3339| format!("{}{}", it.local, it.offset),
        summary = "Invalid RFC3339 String Value";
}
