//! Unit tests of the functions.

use expect_test::expect;
use ferroform::{Maybe, Unknown};
use ferroform_testing::{Harness, config, unknown};

use crate::Time;
use crate::duration_parse::Units;
use crate::rfc3339_parse::ParsedTime;
use crate::tests::check;
use crate::unix_timestamp_parse::UnixTime;

#[test]
fn functions_parse_timestamps() {
    let harness = Harness::unconfigured::<Time>();
    let rfc3339 = harness.function("rfc3339_parse");
    let parse = |time: &str| rfc3339.call::<ParsedTime>(config! { timestamp = time });
    check(
        format!("{:#?}", parse("2023-07-25T23:43:16Z")),
        expect![[r#"
        ParsedTime {
            calendar: CalendarFields {
                year: 2023,
                year_day: 206,
                day: 25,
                month: 7,
                month_name: "July",
                weekday: 2,
                weekday_name: "Tuesday",
                hour: 23,
                minute: 43,
                second: 16,
                iso_year: 2023,
                iso_week: 30,
            },
            unix: 1690328596,
        }"#]],
    );
    assert_eq!(parse("2023-07-25T23:43:16-00:00"), parse("2023-07-25T23:43:16.5Z"));
    check(
        format!("{:?}", parse("1996-12-19T16:39:57-08:00")),
        expect![[
            r#"ParsedTime { calendar: CalendarFields { year: 1996, year_day: 354, day: 19, month: 12, month_name: "December", weekday: 4, weekday_name: "Thursday", hour: 16, minute: 39, second: 57, iso_year: 1996, iso_week: 51 }, unix: 851042397 }"#
        ]],
    );
    check(
        format!("{:?}", parse("2021-01-03T00:00:00Z")),
        expect![[
            r#"ParsedTime { calendar: CalendarFields { year: 2021, year_day: 3, day: 3, month: 1, month_name: "January", weekday: 0, weekday_name: "Sunday", hour: 0, minute: 0, second: 0, iso_year: 2020, iso_week: 53 }, unix: 1609632000 }"#
        ]],
    );
    assert_eq!(parse("2023-07-25t23:43:16z"), parse("2023-07-25T23:43:16Z"));
    for time in [
        "abcdef",
        "2023-07-25",
        "2023-02-30T00:00:00Z",
        "2023-07-25T23:43:60Z",
        "2023-07-25T23:43:16",
        // The original accepts these.
        "2023-07-25T3:43:16Z",
        "2023-07-25T23:43:16,5Z",
        "2023-07-25T23:43:16.0123456789Z",
        "2023-07-25T23:43:16+24:00",
    ] {
        let error = rfc3339.try_call::<Maybe<bool>>(config! { timestamp = time }).error();
        let expected = format!("Error parsing RFC3339 timestamp: {time:?} is not a valid RFC3339 timestamp");
        assert_eq!((error.argument, error.text), (Some(0), expected));
    }

    let unix = harness.function("unix_timestamp_parse");
    let parse = |seconds: i64| format!("{:?}", unix.call::<UnixTime>(config! { unix_timestamp = seconds }));
    check(
        parse(1_606_105_443),
        expect![[
            r#"UnixTime { calendar: CalendarFields { year: 2020, year_day: 328, day: 23, month: 11, month_name: "November", weekday: 1, weekday_name: "Monday", hour: 4, minute: 24, second: 3, iso_year: 2020, iso_week: 48 }, rfc3339: Rfc3339 { string: "2020-11-23T04:24:03Z", local: 2020-11-23T04:24:03, offset: 00:00:00 } }"#
        ]],
    );
    check(
        parse(-1),
        expect![[
            r#"UnixTime { calendar: CalendarFields { year: 1969, year_day: 365, day: 31, month: 12, month_name: "December", weekday: 3, weekday_name: "Wednesday", hour: 23, minute: 59, second: 59, iso_year: 1970, iso_week: 1 }, rfc3339: Rfc3339 { string: "1969-12-31T23:59:59Z", local: 1969-12-31T23:59:59, offset: 00:00:00 } }"#
        ]],
    );
    check(
        parse(253_402_300_799),
        expect![[
            r#"UnixTime { calendar: CalendarFields { year: 9999, year_day: 365, day: 31, month: 12, month_name: "December", weekday: 5, weekday_name: "Friday", hour: 23, minute: 59, second: 59, iso_year: 9999, iso_week: 52 }, rfc3339: Rfc3339 { string: "9999-12-31T23:59:59Z", local: 9999-12-31T23:59:59, offset: 00:00:00 } }"#
        ]],
    );
    check(
        unix.try_call::<Maybe<bool>>(config! { unix_timestamp = 253_402_300_800_i64 }).error(),
        expect![
            "argument 1: Time Out of Range: The resulting timestamp must be in the years 0000 to 9999, the range of RFC 3339"
        ],
    );
    check(
        unix.try_call::<Maybe<bool>>(config! { unix_timestamp = i64::MIN }).error(),
        expect![
            "argument 1: Time Out of Range: The resulting timestamp must be in the years 0000 to 9999, the range of RFC 3339"
        ],
    );
}

#[test]
fn functions_parse_durations() {
    let harness = Harness::unconfigured::<Time>();
    let function = harness.function("duration_parse");
    let parse = |duration: &str| function.call::<Units>(config! { duration = duration });
    check(
        format!("{:?}", parse("1h")),
        expect![
            "Units { hours: 1.0, minutes: 60.0, seconds: 3600.0, milliseconds: 3600000, microseconds: 3600000000, nanoseconds: 3600000000000 }"
        ],
    );
    for equal in
        ["60m", "3600s", "3600000ms", "3600000000us", "3600000000µs", "3600000000000ns", "59m60s", "+1h"]
    {
        assert_eq!(parse(equal), parse("1h"), "{equal}");
    }
    check(
        format!("{:?}", parse("-1m30.123456789s")),
        expect![
            "Units { hours: -0.0250342935525, minutes: -1.5020576131499999, seconds: -90.123456789, milliseconds: -90123, microseconds: -90123456, nanoseconds: -90123456789 }"
        ],
    );
    check(
        format!("{:?}", parse("0")),
        expect![
            "Units { hours: 0.0, minutes: 0.0, seconds: 0.0, milliseconds: 0, microseconds: 0, nanoseconds: 0 }"
        ],
    );
    for duration in ["abcdef", "", "1", "1d", "1h 30m", "PT1H", "9223372036854775808ns"] {
        let error = function.try_call::<Maybe<bool>>(config! { duration = duration }).error();
        let expected = format!("Error parsing duration string: {duration:?} is not a valid duration string");
        assert_eq!((error.argument, error.text), (Some(0), expected));
    }
    assert_eq!(function.call::<Maybe<bool>>(config! { duration = unknown() }), Unknown);
}
