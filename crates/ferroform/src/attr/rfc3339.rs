//! Times with their offset.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use ferroform_engine::type_mismatch::mismatch;
use ferroform_value::{Error, Type, Value};
use jiff::Timestamp;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

use super::time::{TIMESTAMP, parse_timestamp};
use super::{Attr, MapKey};
use crate::model::view::View;

/// A time in the format of RFC 3339, which keeps the original string and the offset from UTC.
///
/// Two times are equal if they are the same instant with the same offset, as in `timetypes.RFC3339` of Go: `Z`, `+00:00` and
/// `-00:00` are the same offset. `jiff::Timestamp` is only an instant: from the value `2030-01-01T12:00:00+01:00`, a
/// method gets `2030-01-01T11:00:00Z`.
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
    text: String,
    timestamp: Timestamp,
    offset: Offset,
}

impl Rfc3339 {
    /// The original string.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The instant.
    pub fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    /// The offset from UTC.
    pub fn offset(&self) -> Offset {
        self.offset
    }

    /// The instant and the offset, which comparisons use.
    fn key(&self) -> (Timestamp, Offset) {
        (self.timestamp, self.offset)
    }
}

impl FromStr for Rfc3339 {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rfc3339, Error> {
        let invalid = |reason| Error::invalid_value(TIMESTAMP, format_args!("{text:?}")).with_reason(reason);
        let timestamp = parse_timestamp(text).map_err(invalid)?;
        let offset = Pieces::parse(text).ok().and_then(|it| it.to_numeric_offset()).unwrap_or(Offset::UTC);
        Ok(Rfc3339 { text: text.to_owned(), timestamp, offset })
    }
}

/// The instant in UTC.
impl From<Timestamp> for Rfc3339 {
    fn from(timestamp: Timestamp) -> Rfc3339 {
        Rfc3339 { text: timestamp.to_string(), timestamp, offset: Offset::UTC }
    }
}

/// Prints the original string.
impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
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

impl Attr for Rfc3339 {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        value.as_str().ok_or_else(|| mismatch(TIMESTAMP, value))?.parse()
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }

    fn canonical(value: &Value) -> Value {
        let time: Option<Rfc3339> = value.as_str().and_then(|it| it.parse().ok());
        time.map_or_else(
            || value.clone(),
            |it| it.timestamp.display_with_offset(it.offset).to_string().into(),
        )
    }

    fn placeholder() -> Value {
        Timestamp::placeholder()
    }
}

impl MapKey for Rfc3339 {}
