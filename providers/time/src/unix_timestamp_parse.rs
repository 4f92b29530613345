//! The `unix_timestamp_parse` function.

use ferroform::attr::Rfc3339;
use ferroform::{Context, Function, Model, Parameters, RequestCx, Result, path};

use crate::calendar::CalendarFields;
use crate::offset_date_time::OffsetDateTime;

/// Parses a Unix timestamp (seconds since 1970-01-01T00:00:00Z) and returns its date and time fields in UTC.
#[derive(Parameters)]
pub(crate) struct UnixTimestampParse {
    /// The number of seconds since 1970-01-01T00:00:00Z, such as `1690328596`.
    unix_timestamp: i64,
}

/// The result of `unix_timestamp_parse`.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct UnixTime {
    #[attr(flatten)]
    calendar: CalendarFields,
    /// The timestamp in RFC 3339 format.
    rfc3339: Rfc3339,
}

impl Function for UnixTimestampParse {
    type Output = UnixTime;

    async fn call(self, _: &RequestCx) -> Result<UnixTime> {
        let time = OffsetDateTime::from_unix(self.unix_timestamp).at(path!(unix_timestamp))?;
        Ok(UnixTime { calendar: time.into(), rfc3339: time.to_rfc3339()? })
    }
}
