//! The function `unix_timestamp_parse`.

use ferroform::attr::Rfc3339;
use ferroform::{Context, Function, Model, Parameters, RequestCx, Result, path};

use crate::calendar::Calendar;
use crate::offset_date_time::OffsetDateTime;

/// Returns the parts of a time in seconds since 1970-01-01T00:00:00Z.
///
/// The parts are those in UTC. The result is an object with these attributes:
///
/// - `year` (Number) The year.
/// - `year_day` (Number) The day of the year, from 1 to 366.
/// - `month` (Number) The month, from 1 to 12.
/// - `month_name` (String) The English name of the month, such as "January".
/// - `day` (Number) The day of the month.
/// - `weekday` (Number) The day of the week, from 0 for Sunday to 6.
/// - `weekday_name` (String) The English name of the day of the week, such as "Sunday".
/// - `hour` (Number) The hour, from 0 to 23.
/// - `minute` (Number) The minute, from 0 to 59.
/// - `second` (Number) The second, from 0 to 59.
/// - `rfc3339` (String) The time in the format of RFC 3339.
/// - `iso_year` (Number) The year of the week in ISO 8601.
/// - `iso_week` (Number) The number of the week in ISO 8601.
#[derive(Parameters)]
pub(crate) struct UnixTimestampParse {
    /// The seconds since 1970-01-01T00:00:00Z, such as `1690328596`.
    unix_timestamp: i64,
}

/// The result of `unix_timestamp_parse`.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct UnixTime {
    #[attr(flatten)]
    calendar: Calendar,
    rfc3339: Rfc3339,
}

impl Function for UnixTimestampParse {
    type Output = UnixTime;

    async fn call(self, _: &RequestCx) -> Result<UnixTime> {
        let time = OffsetDateTime::from_unix(self.unix_timestamp).at(path!(unix_timestamp))?;
        Ok(UnixTime { calendar: time.into(), rfc3339: time.to_rfc3339()? })
    }
}
