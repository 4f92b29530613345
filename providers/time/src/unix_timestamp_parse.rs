//! The function `unix_timestamp_parse`.

use ferroform::attr::Rfc3339;
use ferroform::{Context, Function, Model, Parameters, RequestCx, Result, path};

use crate::calendar::Calendar;
use crate::offset_date_time::OffsetDateTime;

/// Returns the parts of a time in seconds since 1970-01-01T00:00:00Z.
///
/// The parts are those in UTC.
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
