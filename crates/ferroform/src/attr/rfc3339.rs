//! Times with their offset.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use ferroform_engine::type_mismatch::mismatch;
use ferroform_value::{Error, Type, Value};
use jiff::Timestamp;

use super::time::{TIMESTAMP, parse_timestamp};
use super::{Attr, MapKey};
use crate::model::view::View;

/// A time in the format of RFC 3339, which keeps its text, and so the offset from UTC. Two times are equal if they are the
/// same instant.
///
/// `jiff::Timestamp` is an instant: from the value `2030-01-01T12:00:00+01:00`, a method gets only `2030-01-01T11:00:00Z`.
///
/// ```
/// use ferroform::attr::Rfc3339;
///
/// let time: Rfc3339 = "2030-01-01T12:00:00+01:00".parse()?;
/// assert_eq!(time.as_str(), "2030-01-01T12:00:00+01:00");
/// assert_eq!(time, "2030-01-01T11:00:00Z".parse()?);
/// # Ok::<(), ferroform::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rfc3339 {
    text: String,
    timestamp: Timestamp,
}

impl Rfc3339 {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The instant.
    pub fn timestamp(&self) -> Timestamp {
        self.timestamp
    }
}

impl FromStr for Rfc3339 {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rfc3339, Error> {
        let invalid = |reason| Error::invalid_value(TIMESTAMP, format_args!("{text:?}")).with_reason(reason);
        Ok(Rfc3339 { text: text.to_owned(), timestamp: parse_timestamp(text).map_err(invalid)? })
    }
}

/// The instant in UTC.
impl From<Timestamp> for Rfc3339 {
    fn from(timestamp: Timestamp) -> Rfc3339 {
        Rfc3339 { text: timestamp.to_string(), timestamp }
    }
}

/// Prints the text.
impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Rfc3339 {
    fn eq(&self, other: &Rfc3339) -> bool {
        self.timestamp == other.timestamp
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
        self.timestamp.cmp(&other.timestamp)
    }
}

impl Hash for Rfc3339 {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.timestamp.hash(state);
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
        Timestamp::canonical(value)
    }

    fn placeholder() -> Value {
        Timestamp::placeholder()
    }
}

impl MapKey for Rfc3339 {}
