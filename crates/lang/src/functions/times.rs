//! Date and time functions, for timestamps such as `2026-11-20T08:30:00+01:00`.
//!
//! Functions that depend on the current time are not supported.
//!
//! | function | result |
//! | --- | --- |
//! | `formatdate(format, timestamp)` | the timestamp in a format such as `DD MMM YYYY` |
//! | `timeadd(timestamp, duration)` | a timestamp |
//! | `timecmp(a, b)` | -1, 0 or 1 |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"formatdate("DD MMM YYYY", "2026-11-20T08:30:00Z")"#)?, r#""20 Nov 2026""#);
//! assert_eq!(show(r#"timeadd("2026-11-20T08:30:00Z", "1h30m")"#)?, r#""2026-11-20T10:00:00Z""#);
//! assert_eq!(show(r#"timecmp("2026-11-20T08:30:00Z", "2026-11-20T08:30:00+01:00")"#)?, r#"1"#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use ferroform_value::parse_duration;
use time::{Date, Duration, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

use super::arguments::Treatment::{Known, KnownOrNull};
use super::arguments::{Args, CallError, CallResult, Function, Kind, number, string};

pub(crate) const ALL: &[Function] = &[
    ("formatdate", 2..=2, Known(&[Kind::String], Kind::String), formatdate),
    ("timeadd", 2..=2, KnownOrNull(&[Kind::String], Kind::String), timeadd),
    ("timecmp", 2..=2, Known(&[Kind::String], Kind::Number), timecmp),
];

/// Parses a number with an exact number of digits within a range, and returns the rest of the string.
fn field(string: &str, digits: usize, most: i32) -> Option<(i32, &str)> {
    let (it, rest) = string.split_at_checked(digits)?;
    let it = it.bytes().all(|it| it.is_ascii_digit()).then(|| it.parse().ok()).flatten()?;
    (it <= most).then_some((it, rest))
}

/// Parses a timestamp. `timecmp` is less strict: it accepts an hour of one digit, a comma before the fraction, and an
/// offset of up to 24 hours.
fn parse(it: &str, strict: bool) -> Option<OffsetDateTime> {
    let (year, it) = field(it, 4, 9999)?;
    let (month, it) = field(it.strip_prefix('-')?, 2, 12)?;
    let (day, it) = field(it.strip_prefix('-')?, 2, 31)?;
    let it = it.strip_prefix('T')?;
    let short = !strict && it.as_bytes().get(1) == Some(&b':');
    let (hour, it) = field(it, if short { 1 } else { 2 }, 23)?;
    let (minute, it) = field(it.strip_prefix(':')?, 2, 59)?;
    let (second, mut it) = field(it.strip_prefix(':')?, 2, 59)?;
    let mut nanosecond = 0;
    let fraction = it.strip_prefix('.').or_else(|| it.strip_prefix(',').filter(|_| !strict));
    if let Some(fraction) = fraction {
        let end = fraction.find(|it: char| !it.is_ascii_digit()).filter(|it| *it > 0)?;
        let kept = &fraction[..end.min(9)];
        nanosecond = format!("{kept:0<9}").parse().ok()?;
        it = &fraction[end..];
    }
    let ahead = match it {
        "Z" => 0,
        _ => {
            let (sign, it) = it.split_at_checked(1)?;
            let (hours, it) = field(it, 2, if strict { 23 } else { 24 })?;
            let (minutes, it) = field(it.strip_prefix(':')?, 2, if strict { 59 } else { 60 })?;
            let ahead = (hours * 60 + minutes) * 60;
            match (sign, it) {
                ("+", "") => ahead,
                ("-", "") => -ahead,
                _ => return None,
            }
        }
    };
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    let date = Date::from_calendar_date(year, month, u8::try_from(day).ok()?).ok()?;
    let [hour, minute, second] = [hour, minute, second].map(|it| u8::try_from(it).ok());
    let time = Time::from_hms_nano(hour?, minute?, second?, nanosecond).ok()?;
    Some(PrimitiveDateTime::new(date, time).assume_offset(UtcOffset::from_whole_seconds(ahead).ok()?))
}

/// Formats the offset from UTC: `+01:00`.
fn zone(it: OffsetDateTime, colon: &str) -> String {
    let (hours, minutes, _) = it.offset().as_hms();
    let sign = if it.offset().is_negative() { '-' } else { '+' };
    format!("{sign}{:02}{colon}{:02}", hours.abs(), minutes.abs())
}

fn short_zone(it: OffsetDateTime) -> String {
    if it.offset().is_utc() { "Z".to_owned() } else { zone(it, ":") }
}

fn time(args: &mut Args<'_>, strict: bool) -> CallResult<OffsetDateTime> {
    let it = args.string()?;
    parse(&it, strict).ok_or_else(|| args.expected("a time as in RFC 3339"))
}

fn timecmp(args: &mut Args<'_>) -> CallResult {
    let (a, b) = (time(args, false)?, time(args, false)?);
    Ok(number(a.cmp(&b) as i8))
}

fn timeadd(args: &mut Args<'_>) -> CallResult {
    let it = time(args, true)?;
    let duration = args.string()?;
    let duration = parse_duration(&duration).map_err(|_| args.expected("a duration such as 1h30m"))?;
    // A duration is at most 292 years, so the sum is always within the range of the calendar.
    let it = it.checked_add(Duration::nanoseconds(duration)).ok_or(CallError::Undetermined)?;
    let (year, month, day) = it.to_calendar_date();
    let (hour, minute, second) = it.to_hms();
    let sign = if year < 0 { "-" } else { "" };
    let (year, month, zone) = (year.abs(), u8::from(month), short_zone(it));
    Ok(string(format!("{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")))
}

/// `formatdate`: letters are replaced with fields of the timestamp, and quotes enclose literal characters.
fn formatdate(args: &mut Args<'_>) -> CallResult {
    let pattern = args.string()?;
    let it = time(args, true)?;
    let mut out = String::new();
    let mut rest = &*pattern;
    while let Some(first) = rest.chars().next() {
        let invalid = |detail: &str| CallError::Argument(0, detail.to_owned());
        let length = match first {
            '\'' if rest.starts_with("''") => {
                out.push('\'');
                2
            }
            '\'' => {
                let (quoted, length) = quoted(rest).ok_or_else(|| invalid("a quote is not closed"))?;
                out.push_str(&quoted);
                length
            }
            'a'..='z' | 'A'..='Z' => {
                let length = rest.chars().take_while(|it| *it == first).count();
                let part = part(it, &rest[..length]);
                out.push_str(&part.ok_or_else(|| invalid("the format contains an unsupported verb"))?);
                length
            }
            _ => {
                out.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    Ok(string(out))
}

/// Returns the string between two quotes, and its length including the quotes. A doubled quote represents a quote. At
/// the end of the format, a doubled quote also closes the string.
fn quoted(string: &str) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut rest = &string[1..];
    loop {
        let Some(end) = rest.find('\'') else {
            return (rest.is_empty() && out.ends_with('\'')).then_some((out, string.len()));
        };
        out.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('\'') {
            Some(after) => {
                out.push('\'');
                rest = after;
            }
            None => return Some((out, string.len() - rest.len())),
        }
    }
}

/// Returns the field of the timestamp for a sequence of equal letters.
fn part(it: OffsetDateTime, letters: &str) -> Option<String> {
    let hour = (it.hour() + 11) % 12 + 1;
    let period = if it.hour() < 12 { "am" } else { "pm" };
    let (month, weekday) = (it.month().to_string(), it.weekday().to_string());
    Some(match letters {
        "YY" => format!("{:02}", it.year() % 100),
        "YYYY" => format!("{:04}", it.year()),
        "M" => u8::from(it.month()).to_string(),
        "MM" => format!("{:02}", u8::from(it.month())),
        "MMM" => month[..3].to_owned(),
        "MMMM" => month,
        "D" => it.day().to_string(),
        "DD" => format!("{:02}", it.day()),
        "EEE" => weekday[..3].to_owned(),
        "EEEE" => weekday,
        "h" => it.hour().to_string(),
        "hh" => format!("{:02}", it.hour()),
        "H" => hour.to_string(),
        "HH" => format!("{hour:02}"),
        "AA" => period.to_uppercase(),
        "aa" => period.to_owned(),
        "m" => it.minute().to_string(),
        "mm" => format!("{:02}", it.minute()),
        "s" => it.second().to_string(),
        "ss" => format!("{:02}", it.second()),
        "Z" => short_zone(it),
        "ZZZ" if it.offset().is_utc() => "UTC".to_owned(),
        "ZZZ" | "ZZZZ" => zone(it, ""),
        "ZZZZZ" => zone(it, ":"),
        _ => return None,
    })
}
