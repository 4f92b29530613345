//! The function `duration_parse`.

use ferroform::attr::GoDuration;
use ferroform::{Diagnostic, Function, Model, Parameters, RequestCx, Result, path};

const SECOND: i64 = 1_000_000_000;

/// Returns a [duration in the format of Go](https://pkg.go.dev/time#ParseDuration) in several units.
#[derive(Parameters)]
pub(crate) struct DurationParse {
    /// The duration, such as `1h30m`.
    duration: String,
}

/// The result of `duration_parse`.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Units {
    hours: f64,
    minutes: f64,
    seconds: f64,
    milliseconds: i64,
    microseconds: i64,
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
        // As in Go, whole units and the rest are converted separately, which loses fewer digits.
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
