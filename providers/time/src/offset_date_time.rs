//! Times with their offset from UTC, and the clock.

use ferroform::attr::Rfc3339;
use ferroform::{Clock, Context, Diagnostic, Result};
use jiff::civil::{DateTime, date};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp, ToSpan as _};

pub(crate) const MINUTE: i64 = 60;
pub(crate) const HOUR: i64 = 60 * MINUTE;
pub(crate) const DAY: i64 = 24 * HOUR;

const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);

/// A time to the second, with its offset from UTC. The resources describe times by their parts at this offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OffsetDateTime {
    pub(crate) local: DateTime,
    offset: Offset,
}

impl OffsetDateTime {
    /// The time this many seconds after the start of 1970, in UTC.
    pub(crate) fn from_unix(seconds: i64) -> Result<OffsetDateTime> {
        OffsetDateTime { local: EPOCH, offset: Offset::UTC }.add_seconds(Some(seconds), 1)
    }

    pub(crate) fn to_rfc3339(self) -> Result<Rfc3339> {
        Ok(Rfc3339::new(self.local, self.offset)?)
    }

    /// The seconds since the start of 1970 in UTC.
    pub(crate) fn unix(self) -> i64 {
        self.local.duration_since(EPOCH).as_secs() - i64::from(self.offset.seconds())
    }

    /// Adds `count` times this number of seconds.
    pub(crate) fn add_seconds(self, count: Option<i64>, seconds: i64) -> Result<OffsetDateTime> {
        let local = count.unwrap_or(0).checked_mul(seconds).and_then(|it| {
            let duration = SignedDuration::from_secs(it);
            self.local.checked_add(duration).ok()
        });
        self.with(local)
    }

    /// Adds `count` times this number of months. As in Go, a day that the month does not have is counted from its start:
    /// one month after January 31 is March 2 or 3.
    pub(crate) fn add_months(self, count: Option<i64>, months: i64) -> Result<OffsetDateTime> {
        let local = count.unwrap_or(0).checked_mul(months).and_then(|it| {
            let span = 0.months().try_months(it).ok()?;
            let first = self.local.first_of_month().checked_add(span).ok()?;
            first.checked_add((self.local.day() - 1).days()).ok()
        });
        self.with(local)
    }

    /// RFC 3339 has years of four digits.
    fn with(self, local: Option<DateTime>) -> Result<OffsetDateTime> {
        match local.filter(|it| it.year() >= 0) {
            Some(local) => Ok(OffsetDateTime { local, ..self }),
            None => Err(Diagnostic::error("Time Out of Range")
                .detail("The time is not in the years 0 to 9999, which RFC 3339 supports.")
                .into()),
        }
    }
}

/// Fractions of a second are dropped. `Rfc3339::timestamp` has no value for the last hours of the year 9999, which
/// practitioners use as a time that never comes.
impl From<&Rfc3339> for OffsetDateTime {
    fn from(time: &Rfc3339) -> OffsetDateTime {
        let local = time.datetime();
        OffsetDateTime {
            local: local - SignedDuration::from_nanos(local.subsec_nanosecond().into()),
            offset: time.offset(),
        }
    }
}

/// The current time in UTC, without the fraction of the second.
pub(crate) fn now(clock: &Clock) -> Result<Rfc3339> {
    OffsetDateTime::from_unix(system_time(clock)?.as_second())?.to_rfc3339()
}

/// Returns true once the time has passed.
pub(crate) fn is_past(time: &Rfc3339, clock: &Clock) -> Result<bool> {
    let now = system_time(clock)?;
    Ok(time.timestamp().is_some_and(|it| now > it))
}

fn system_time(clock: &Clock) -> Result<Timestamp> {
    Timestamp::try_from(clock.system_time()).context("Invalid System Time")
}
