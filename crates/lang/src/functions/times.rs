//! Functions of times, which are texts such as `2026-11-20T08:30:00+01:00`.

use super::arguments::{Args, Function, Made, Refusal, number, text};

pub(crate) const ALL: &[Function] =
    &[("formatdate", 2..=2, formatdate), ("timeadd", 2..=2, timeadd), ("timecmp", 2..=2, timecmp)];

const SECOND: i128 = 1_000_000_000;
const DAY: i64 = 86_400;

/// A point in time, with the UTC offset in which it was written.
#[derive(Clone, Copy)]
struct Time {
    /// Nanoseconds since the first day of 1970.
    at: i128,
    /// How far the clock is ahead, in seconds.
    ahead: i64,
}

/// What a clock shows.
struct Clock {
    year: i64,
    month: usize,
    day: i64,
    /// From Sunday.
    weekday: usize,
    hour: i64,
    minute: i64,
    second: i64,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Days from the first day of 1970 to the first of a month. Years are counted from March, so that the day that
/// is not in each of them comes last.
fn days_to(year: i64, month: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5
        - 719_468
}

/// A number of exactly so many digits at the beginning, in the range, and what follows.
fn field(text: &str, digits: usize, most: i64) -> Option<(i64, &str)> {
    let (it, rest) = text.split_at_checked(digits)?;
    let it = it.bytes().all(|it| it.is_ascii_digit()).then(|| it.parse().ok()).flatten()?;
    (it <= most).then_some((it, rest))
}

impl Time {
    /// Reads a time. One of the functions is not strict: it takes an hour of one digit, a comma before the
    /// fraction, and a clock that is a whole day and hour ahead.
    fn parse(it: &str, strict: bool) -> Option<Time> {
        let (year, it) = field(it, 4, 9999)?;
        let (month, it) = field(it.strip_prefix('-')?, 2, 12)?;
        let (day, it) = field(it.strip_prefix('-')?, 2, 31)?;
        let it = it.strip_prefix('T')?;
        let short = !strict && it.as_bytes().get(1) == Some(&b':');
        let (hour, it) = field(it, if short { 1 } else { 2 }, 23)?;
        let (minute, it) = field(it.strip_prefix(':')?, 2, 59)?;
        let (second, mut it) = field(it.strip_prefix(':')?, 2, 59)?;
        let in_month = days_to(year + month / 12, month % 12 + 1) - days_to(year, month);
        if month == 0 || day == 0 || day > in_month {
            return None;
        }
        let mut nanos = 0;
        let fraction = it.strip_prefix('.').or_else(|| it.strip_prefix(',').filter(|_| !strict));
        if let Some(fraction) = fraction {
            let end = fraction.find(|it: char| !it.is_ascii_digit()).filter(|it| *it > 0)?;
            let kept = &fraction[..end.min(9)];
            nanos = format!("{kept:0<9}").parse().ok()?;
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
        let days = days_to(year, month) + day - 1;
        let seconds = days * DAY + hour * 3600 + minute * 60 + second - ahead;
        Some(Time { at: i128::from(seconds) * SECOND + nanos, ahead })
    }

    fn clock(self) -> Clock {
        let seconds = i64::try_from(self.at.div_euclid(SECOND)).unwrap_or(0) + self.ahead;
        let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        // The mean length of a year comes close; the year then fits, or is one too far.
        let guess = 1970 + (days * 400).div_euclid(146_097);
        let year = (guess - 1..=guess + 1).rev().find(|year| days_to(*year, 1) <= days).unwrap_or(guess);
        let month = (1..=12).rev().find(|month| days_to(year, *month) <= days).unwrap_or(1);
        Clock {
            year,
            month: month as usize,
            day: days - days_to(year, month) + 1,
            weekday: (days + 4).rem_euclid(7) as usize,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
        }
    }

    /// How far the clock is ahead: `+01:00`.
    fn zone(self, colon: &str) -> String {
        let sign = if self.ahead < 0 { '-' } else { '+' };
        let minutes = self.ahead.abs() / 60;
        format!("{sign}{:02}{colon}{:02}", minutes / 60, minutes % 60)
    }

    fn short_zone(self) -> String {
        if self.ahead == 0 { "Z".to_owned() } else { self.zone(":") }
    }
}

fn time(args: &mut Args<'_>, strict: bool) -> Made<Time> {
    let it = args.text()?;
    Time::parse(&it, strict).ok_or_else(|| args.unfit("a time as in RFC 3339"))
}

fn timecmp(args: &mut Args<'_>) -> Made {
    let (a, b) = (time(args, false)?, time(args, false)?);
    Ok(number(a.at.cmp(&b.at) as i8))
}

fn timeadd(args: &mut Args<'_>) -> Made {
    let it = time(args, true)?;
    let more = args.text()?;
    let more = duration(&more).ok_or_else(|| args.unfit("a duration such as 1h30m"))?;
    let it = Time { at: it.at + i128::from(more), ..it };
    let Clock { year, month, day, hour, minute, second, .. } = it.clock();
    let sign = if year < 0 { "-" } else { "" };
    let year = year.abs();
    let zone = it.short_zone();
    Ok(text(format!("{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")))
}

/// Nanoseconds of a text such as `1h30m`, `-1.5s`.
fn duration(text: &str) -> Option<i64> {
    const UNITS: [(&str, u64); 8] = [
        ("ns", 1),
        ("us", 1_000),
        ("µs", 1_000),
        ("μs", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ];
    let negative = text.starts_with('-');
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total = 0_u64;
    while !rest.is_empty() {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (whole, after) = rest.split_at(digits(rest));
        let (fraction, after) = match after.strip_prefix('.') {
            Some(it) => it.split_at(digits(it)),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = after.find(|it: char| it == '.' || it.is_ascii_digit()).unwrap_or(after.len());
        let (_, unit) = UNITS.iter().find(|it| it.0 == &after[..end])?;
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        total = total.checked_add(whole.checked_mul(*unit)?)?;
        // More digits than these make no nanosecond more.
        let fraction = &fraction[..fraction.len().min(15)];
        if !fraction.is_empty() {
            let part: u64 = fraction.parse().ok()?;
            let scale = 10_u64.pow(fraction.len() as u32) as f64;
            total = total.checked_add((part as f64 * (*unit as f64 / scale)) as u64)?;
        }
        rest = &after[end..];
    }
    let total = i128::from(total);
    i64::try_from(if negative { -total } else { total }).ok()
}

/// A time by a pattern in which letters stand for its parts and quotes make texts of letters.
fn formatdate(args: &mut Args<'_>) -> Made {
    let pattern = args.text()?;
    let it = time(args, true)?;
    let clock = it.clock();
    let mut out = String::new();
    let mut rest = &*pattern;
    while let Some(first) = rest.chars().next() {
        let wrong = |why: &str| Refusal::Argument(0, why.to_owned());
        let length = match first {
            '\'' if rest.starts_with("''") => {
                out.push('\'');
                2
            }
            '\'' => {
                let (quoted, length) = quoted(rest).ok_or_else(|| wrong("a quote is not closed"))?;
                out.push_str(&quoted);
                length
            }
            'a'..='z' | 'A'..='Z' => {
                let length = rest.chars().take_while(|it| *it == first).count();
                let part = part(it, &clock, &rest[..length]);
                out.push_str(
                    &part.ok_or_else(|| wrong("a letter in it stands for nothing, or not so often"))?,
                );
                length
            }
            _ => {
                out.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    Ok(text(out))
}

/// The text between two quotes, in which a quote is written twice, and how long all of that is. At the end of
/// everything one that is written twice also closes.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut rest = &text[1..];
    loop {
        let Some(end) = rest.find('\'') else {
            return (rest.is_empty() && out.ends_with('\'')).then_some((out, text.len()));
        };
        out.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('\'') {
            Some(after) => {
                out.push('\'');
                rest = after;
            }
            None => return Some((out, text.len() - rest.len())),
        }
    }
}

/// What some letters, all the same, stand for.
fn part(it: Time, clock: &Clock, letters: &str) -> Option<String> {
    let hour = (clock.hour + 11) % 12 + 1;
    let half = if clock.hour < 12 { "am" } else { "pm" };
    let month = MONTHS[clock.month - 1];
    let weekday = WEEKDAYS[clock.weekday];
    Some(match letters {
        "YY" => format!("{:02}", clock.year % 100),
        "YYYY" => format!("{:04}", clock.year),
        "M" => clock.month.to_string(),
        "MM" => format!("{:02}", clock.month),
        "MMM" => month[..3].to_owned(),
        "MMMM" => month.to_owned(),
        "D" => clock.day.to_string(),
        "DD" => format!("{:02}", clock.day),
        "EEE" => weekday[..3].to_owned(),
        "EEEE" => weekday.to_owned(),
        "h" => clock.hour.to_string(),
        "hh" => format!("{:02}", clock.hour),
        "H" => hour.to_string(),
        "HH" => format!("{hour:02}"),
        "AA" => half.to_uppercase(),
        "aa" => half.to_owned(),
        "m" => clock.minute.to_string(),
        "mm" => format!("{:02}", clock.minute),
        "s" => clock.second.to_string(),
        "ss" => format!("{:02}", clock.second),
        "Z" => it.short_zone(),
        "ZZZ" if it.ahead == 0 => "UTC".to_owned(),
        "ZZZ" | "ZZZZ" => it.zone(""),
        "ZZZZZ" => it.zone(":"),
        _ => return None,
    })
}
