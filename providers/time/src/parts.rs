//! The parts of a time, which are attributes of several resources.

use ferroform::Model;

use crate::offset_date_time::OffsetDateTime;

/// The parts of a time.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Parts {
    /// The year of the time.
    #[attr(computed)]
    year: i64,
    /// The month of the time, from 1 to 12.
    #[attr(computed)]
    month: i64,
    /// The day of the month of the time.
    #[attr(computed)]
    day: i64,
    /// The hour of the time.
    #[attr(computed)]
    hour: i64,
    /// The minute of the time.
    #[attr(computed)]
    minute: i64,
    /// The second of the time.
    #[attr(computed)]
    second: i64,
    /// The time in seconds since 1970-01-01T00:00:00Z, such as `1581489373`.
    #[attr(computed)]
    unix: i64,
}

impl From<OffsetDateTime> for Parts {
    fn from(time: OffsetDateTime) -> Parts {
        Parts {
            year: time.local.year().into(),
            month: time.local.month().into(),
            day: time.local.day().into(),
            hour: time.local.hour().into(),
            minute: time.local.minute().into(),
            second: time.local.second().into(),
            unix: time.unix(),
        }
    }
}
