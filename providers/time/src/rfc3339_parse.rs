//! The function `rfc3339_parse`.

use ferroform::attr::Rfc3339;
use ferroform::{Diagnostic, Function, Model, Parameters, RequestCx, Result, path};

use crate::calendar::Calendar;
use crate::offset_date_time::OffsetDateTime;

/// Returns the parts of a time in the format of RFC 3339.
///
/// The parts are those at the time's own offset from UTC. The result is an object with these attributes:
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
/// - `unix` (Number) The seconds since 1970-01-01T00:00:00Z.
/// - `iso_year` (Number) The year of the week in ISO 8601.
/// - `iso_week` (Number) The number of the week in ISO 8601.
#[derive(Parameters)]
pub(crate) struct Rfc3339Parse {
    /// The time, such as `2023-07-25T23:43:16Z`.
    timestamp: String,
}

/// The result of `rfc3339_parse`.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct ParsedTime {
    #[attr(flatten)]
    calendar: Calendar,
    unix: i64,
}

impl Function for Rfc3339Parse {
    type Output = ParsedTime;

    async fn call(self, _: &RequestCx) -> Result<ParsedTime> {
        let time: Rfc3339 = self.timestamp.parse().map_err(|_| {
            let text = format!(
                "Error parsing RFC3339 timestamp: {:?} is not a valid RFC3339 timestamp",
                self.timestamp
            );
            Diagnostic::error(text).at(path!(timestamp))
        })?;
        let time = OffsetDateTime::parse(&time)?;
        Ok(ParsedTime { calendar: time.into(), unix: time.unix() })
    }
}
