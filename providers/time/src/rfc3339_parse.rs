//! The `rfc3339_parse` function.

use ferroform::attr::Rfc3339;
use ferroform::{Diagnostic, Function, Model, Parameters, RequestCx, Result, path};

use crate::calendar::CalendarFields;
use crate::offset_date_time::OffsetDateTime;

/// Parses an RFC 3339 timestamp and returns its date and time fields, in the timestamp's own UTC offset.
#[derive(Parameters)]
pub(crate) struct Rfc3339Parse {
    /// The RFC 3339 timestamp, such as `2023-07-25T23:43:16Z`.
    timestamp: String,
}

/// The result of `rfc3339_parse`.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct ParsedTime {
    #[attr(flatten)]
    calendar: CalendarFields,
    /// The number of seconds since 1970-01-01T00:00:00Z.
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
        let time = OffsetDateTime::from(&time);
        Ok(ParsedTime { calendar: time.into(), unix: time.unix() })
    }
}
