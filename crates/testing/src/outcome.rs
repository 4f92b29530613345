//! The outcome of a step: success, errors, or a deferral.

use ferroform::{Deferral, Diagnostic, Diagnostics};

use crate::Harness;

/// The outcome of a step. Every step `x` of the harness has a method `try_x` that returns it, and `x` is the short form of
/// `try_x(…).ok()`.
///
/// ```no_run
/// # fn example(harness: ferroform_testing::Harness) {
/// use ferroform::Deferral;
/// use ferroform_testing::{config, unknown};
///
/// let mut disk = harness.resource("cloud_disk");
/// let errors = disk.try_apply(config! { name = "" }).error();
/// assert!(errors.has_error());
///
/// let source = harness.allow_deferral().data_source("cloud_disk");
/// let reason = source.try_read(config! { name = unknown() }).deferral();
/// assert_eq!(reason, Deferral::ConfigUnknown);
/// # }
/// ```
#[must_use = "a test that ignores an outcome does not notice a failed step"]
#[derive(Debug)]
pub struct Outcome<T> {
    harness: Harness,
    /// The step that has this outcome: `the apply of cloud_disk`.
    step: String,
    result: Result<T, Stop>,
}

/// Why a step did not succeed.
#[derive(Debug)]
pub(crate) enum Stop {
    Failed(Diagnostics),
    Deferred(Deferral),
}

impl From<Diagnostics> for Stop {
    fn from(errors: Diagnostics) -> Stop {
        Stop::Failed(errors)
    }
}

impl From<Diagnostic> for Stop {
    fn from(error: Diagnostic) -> Stop {
        Stop::Failed(error.into())
    }
}

impl<T> Outcome<T> {
    pub(crate) fn new(harness: &Harness, step: String, result: Result<T, impl Into<Stop>>) -> Outcome<T> {
        Outcome { harness: harness.clone(), step, result: result.map_err(Into::into) }
    }

    /// Returns the result of the step, which must succeed.
    ///
    /// # Panics
    ///
    /// Panics if the step reported an error or was deferred.
    #[track_caller]
    pub fn ok(self) -> T {
        let step = self.step;
        match self.result {
            Ok(result) => result,
            Err(Stop::Deferred(reason)) => panic!("{step} was deferred: {reason:?}"),
            Err(Stop::Failed(errors)) => {
                let errors = self.harness.sensitive_values().redact(&errors.to_string());
                panic!("{step} failed:\n{errors}")
            }
        }
    }

    /// Returns the errors and warnings of the step, which must report an error.
    ///
    /// # Panics
    ///
    /// Panics if the step succeeded or was deferred.
    #[track_caller]
    pub fn error(self) -> Diagnostics {
        let step = self.step;
        match self.result {
            Ok(_) => panic!("expected an error, but {step} succeeded"),
            Err(Stop::Deferred(reason)) => panic!("expected an error, but {step} was deferred: {reason:?}"),
            Err(Stop::Failed(errors)) => errors,
        }
    }

    /// Returns the reason for the deferral of the step, which must be deferred.
    ///
    /// # Panics
    ///
    /// Panics if the step succeeded or reported an error.
    #[track_caller]
    pub fn deferral(self) -> Deferral {
        let step = self.step;
        match self.result {
            Ok(_) => panic!("expected a deferral, but {step} succeeded"),
            Err(Stop::Deferred(reason)) => reason,
            Err(Stop::Failed(errors)) => {
                let errors = self.harness.sensitive_values().redact(&errors.to_string());
                panic!("expected a deferral, but {step} failed:\n{errors}")
            }
        }
    }
}
