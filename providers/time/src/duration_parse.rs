//! The `duration_parse` function.

use ferroform::attr::GoDuration;
use ferroform::{Diagnostic, Function, Model, Parameters, RequestCx, Result, path};

const SECOND: i64 = 1_000_000_000;

/// Parses a [Go duration string](https://pkg.go.dev/time#ParseDuration) and returns the duration in hours, minutes, seconds
/// and smaller units.
#[derive(Parameters)]
pub(crate) struct DurationParse {
    /// The duration string, such as `1h30m`.
    duration: String,
}

/// The result of `duration_parse`.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Units {
    /// The duration in hours, including fractions.
    hours: f64,
    /// The duration in minutes, including fractions.
    minutes: f64,
    /// The duration in seconds, including fractions.
    seconds: f64,
    /// The duration in whole milliseconds.
    milliseconds: i64,
    /// The duration in whole microseconds.
    microseconds: i64,
    /// The duration in nanoseconds.
    nanoseconds: i64,
}

impl Function for DurationParse {
    type Output = Units;

    async fn call(self, _: &RequestCx) -> Result<Units> {
        let duration: GoDuration = self.duration.parse().map_err(|_| {
            let text =
                format!("Error parsing duration string: {:?} is not a valid duration string", self.duration);
            Diagnostic::error(text).at(path!(duration))
        })?;
        let nanoseconds = duration.as_nanos();
        // As in Go, convert whole units and the remainder separately, which loses less precision.
        let in_units = |unit: i64| (nanoseconds / unit) as f64 + (nanoseconds % unit) as f64 / unit as f64;
        Ok(Units {
            hours: in_units(3600 * SECOND),
            minutes: in_units(60 * SECOND),
            seconds: in_units(SECOND),
            milliseconds: nanoseconds / 1_000_000,
            microseconds: nanoseconds / 1_000,
            nanoseconds,
        })
    }
}
