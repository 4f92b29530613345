//! The date and time fields of a timestamp, which several resources share.

use ferroform::Model;

use crate::offset_date_time::OffsetDateTime;

/// The date and time fields of a timestamp.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct TimestampFields {
    /// The year of the timestamp.
    #[attr(computed)]
    year: i64,
    /// The month of the timestamp, from 1 to 12.
    #[attr(computed)]
    month: i64,
    /// The day of the month of the timestamp.
    #[attr(computed)]
    day: i64,
    /// The hour of the timestamp.
    #[attr(computed)]
    hour: i64,
    /// The minute of the timestamp.
    #[attr(computed)]
    minute: i64,
    /// The second of the timestamp.
    #[attr(computed)]
    second: i64,
    /// The Unix timestamp: the number of seconds since 1970-01-01T00:00:00Z, such as `1581489373`.
    #[attr(computed)]
    unix: i64,
}

impl From<OffsetDateTime> for TimestampFields {
    fn from(time: OffsetDateTime) -> TimestampFields {
        TimestampFields {
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
