//! The calendar, as far as log lines and certificates need it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Utc {
    pub(super) year: u64,
    pub(super) month: u64,
    pub(super) day: u64,
    pub(super) hour: u64,
    pub(super) minute: u64,
    pub(super) second: u64,
    pub(super) micros: u32,
}

impl Utc {
    pub(super) fn now() -> Self {
        Self::of(SystemTime::now())
    }

    pub(super) fn of(time: SystemTime) -> Self {
        // A clock before 1970 is not worth an error path.
        Self::since_epoch(time.duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    fn since_epoch(elapsed: Duration) -> Self {
        let seconds = elapsed.as_secs();
        // Days are counted in eras of 400 years that begin on the first of March, so that the leap day
        // is the last of its year.
        let days = seconds / 86_400 + 719_468;
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        Self {
            year: year_of_era + era * 400 + u64::from(month <= 2),
            month,
            day: day_of_year - (153 * from_march + 2) / 5 + 1,
            hour: seconds / 3600 % 24,
            minute: seconds / 60 % 60,
            second: seconds % 60,
            micros: elapsed.subsec_micros(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        for (seconds, year, month, day) in [
            (0, 1970, 1, 1),
            (951_782_400, 2000, 2, 29),
            (951_868_800, 2000, 3, 1),
            (1_798_675_199, 2026, 12, 30),
            (4_107_542_400, 2100, 3, 1),
        ] {
            let utc = Utc::since_epoch(Duration::from_secs(seconds));
            assert_eq!((utc.year, utc.month, utc.day), (year, month, day), "{seconds}");
        }
        let utc = Utc::since_epoch(Duration::new(1_798_675_199, 123_456_789));
        assert_eq!((utc.hour, utc.minute, utc.second, utc.micros), (23, 59, 59, 123_456));
    }
}
