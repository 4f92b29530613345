//! The date and time fields that the functions return.

use ferroform::Model;

use crate::offset_date_time::OffsetDateTime;

/// The date and time fields of a timestamp, in the timestamp's UTC offset.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct CalendarFields {
    /// The year.
    year: i64,
    /// The day of the year, from 1 to 366.
    year_day: i64,
    /// The day of the month, from 1 to 31.
    day: i64,
    /// The month, from 1 to 12.
    month: i64,
    /// The English name of the month, such as "January".
    month_name: String,
    /// The day of the week, from 0 (Sunday) to 6 (Saturday).
    weekday: i64,
    /// The English name of the day of the week, such as "Sunday".
    weekday_name: String,
    /// The hour, from 0 to 23.
    hour: i64,
    /// The minute, from 0 to 59.
    minute: i64,
    /// The second, from 0 to 59.
    second: i64,
    /// The year to which the ISO 8601 week belongs.
    iso_year: i64,
    /// The ISO 8601 week number, from 1 to 53.
    iso_week: i64,
}

impl From<OffsetDateTime> for CalendarFields {
    fn from(time: OffsetDateTime) -> CalendarFields {
        let local = time.local;
        let iso = local.iso_week_date();
        CalendarFields {
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
