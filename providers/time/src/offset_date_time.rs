//! Timestamps with their UTC offset, and the current time.

use ferroform::attr::Rfc3339;
use ferroform::{Clock, Context, Diagnostic, Result};
use jiff::civil::{DateTime, date};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp, ToSpan as _};

pub(crate) const MINUTE: i64 = 60;
pub(crate) const HOUR: i64 = 60 * MINUTE;
pub(crate) const DAY: i64 = 24 * HOUR;

const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);

/// A timestamp with second precision and its UTC offset, in which the resources return the date and time fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OffsetDateTime {
    pub(crate) local: DateTime,
    offset: Offset,
}

impl OffsetDateTime {
    /// Converts the seconds since 1970-01-01T00:00:00Z to a timestamp in UTC.
    pub(crate) fn from_unix(seconds: i64) -> Result<OffsetDateTime> {
        OffsetDateTime { local: EPOCH, offset: Offset::UTC }.add_seconds(Some(seconds), 1)
    }

    pub(crate) fn to_rfc3339(self) -> Result<Rfc3339> {
        Ok(Rfc3339::new(self.local, self.offset)?)
    }

    /// Returns the seconds since 1970-01-01T00:00:00Z.
    pub(crate) fn unix(self) -> i64 {
        self.local.duration_since(EPOCH).as_secs() - i64::from(self.offset.seconds())
    }

    /// Adds `count` units of this number of seconds.
    pub(crate) fn add_seconds(self, count: Option<i64>, seconds: i64) -> Result<OffsetDateTime> {
        let local = count.unwrap_or(0).checked_mul(seconds).and_then(|seconds| {
            let duration = SignedDuration::from_secs(seconds);
            self.local.checked_add(duration).ok()
        });
        self.with_local(local)
    }

    /// Adds `count` units of this number of months. As in Go, if the target month has fewer days, the extra days carry over
    /// to the next month: one month after January 31 is March 2 or 3.
    pub(crate) fn add_months(self, count: Option<i64>, months: i64) -> Result<OffsetDateTime> {
        let local = count.unwrap_or(0).checked_mul(months).and_then(|months| {
            let span = 0.months().try_months(months).ok()?;
            let first = self.local.first_of_month().checked_add(span).ok()?;
            first.checked_add((self.local.day() - 1).days()).ok()
        });
        self.with_local(local)
    }

    /// Replaces the local time. RFC 3339 supports only years of four digits.
    fn with_local(self, local: Option<DateTime>) -> Result<OffsetDateTime> {
        match local.filter(|it| it.year() >= 0) {
            Some(local) => Ok(OffsetDateTime { local, ..self }),
            None => Err(Diagnostic::error("Time Out of Range")
                .detail("The resulting timestamp must be in the years 0000 to 9999, the range of RFC 3339.")
                .into()),
        }
    }
}

/// Drops fractions of a second. Does not use `Rfc3339::timestamp`, which has no value for the last hours of the year 9999.
/// Practitioners use these hours for a timestamp that is never reached.
impl From<&Rfc3339> for OffsetDateTime {
    fn from(time: &Rfc3339) -> OffsetDateTime {
        let local = time.datetime();
        OffsetDateTime {
            local: local - SignedDuration::from_nanos(local.subsec_nanosecond().into()),
            offset: time.offset(),
        }
    }
}

/// Parses a timestamp from an import ID, and drops fractions of a second.
pub(crate) fn parse_without_fraction(text: &str) -> Result<Rfc3339> {
    OffsetDateTime::from(&text.parse()?).to_rfc3339()
}

/// Returns the current time in UTC, without fractions of a second.
pub(crate) fn now(clock: &Clock) -> Result<Rfc3339> {
    OffsetDateTime::from_unix(system_time(clock)?.as_second())?.to_rfc3339()
}

/// Returns `true` if the timestamp is in the past.
pub(crate) fn is_past(time: &Rfc3339, clock: &Clock) -> Result<bool> {
    let now = system_time(clock)?;
    Ok(time.timestamp().is_some_and(|it| now > it))
}

fn system_time(clock: &Clock) -> Result<Timestamp> {
    Timestamp::try_from(clock.system_time()).context("Invalid System Time")
}
