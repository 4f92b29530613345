//! The parts of a time that the functions return.

use ferroform::Model;

use crate::offset_date_time::OffsetDateTime;

/// The parts of a time, at its offset from UTC.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Calendar {
    year: i64,
    year_day: i64,
    day: i64,
    month: i64,
    month_name: String,
    weekday: i64,
    weekday_name: String,
    hour: i64,
    minute: i64,
    second: i64,
    iso_year: i64,
    iso_week: i64,
}

impl From<OffsetDateTime> for Calendar {
    fn from(time: OffsetDateTime) -> Calendar {
        let local = time.local;
        let iso = local.iso_week_date();
        Calendar {
            year: local.year().into(),
            year_day: local.day_of_year().into(),
            day: local.day().into(),
            month: local.month().into(),
            month_name: local.strftime("%B").to_string(),
            // Sunday is 0.
            weekday: local.weekday().to_sunday_zero_offset().into(),
            weekday_name: local.strftime("%A").to_string(),
            hour: local.hour().into(),
            minute: local.minute().into(),
            second: local.second().into(),
            iso_year: iso.year().into(),
            iso_week: iso.week().into(),
        }
    }
}
