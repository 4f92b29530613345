//! The outcome of a step: success, errors, or a deferral.

use ferroform::{Deferral, Diagnostic, Diagnostics};

use crate::Harness;

/// The outcome of a step. Most steps have a variant that returns it: `apply` is `try_apply(…).ok()`. `try_invoke` and `try_list`
/// return it together with the progress messages or the results, and `try_call` of a function returns a `Result`.
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
    result: Result<T, StepFailure>,
}

/// The reason that a step did not succeed.
#[derive(Debug)]
pub(crate) enum StepFailure {
    Errors(Diagnostics),
    Deferred(Deferral),
}

impl From<Diagnostics> for StepFailure {
    fn from(errors: Diagnostics) -> StepFailure {
        StepFailure::Errors(errors)
    }
}

impl From<Diagnostic> for StepFailure {
    fn from(error: Diagnostic) -> StepFailure {
        StepFailure::Errors(error.into())
    }
}

impl<T> Outcome<T> {
    pub(crate) fn new(
        harness: &Harness,
        step: String,
        result: Result<T, impl Into<StepFailure>>,
    ) -> Outcome<T> {
        Outcome { harness: harness.clone(), step, result: result.map_err(Into::into) }
    }

    /// Asserts that the step succeeded, and returns its result.
    ///
    /// # Panics
    ///
    /// Panics if the step reported an error or was deferred.
    #[track_caller]
    pub fn ok(self) -> T {
        let step = self.step;
        match self.result {
            Ok(result) => result,
            Err(StepFailure::Deferred(reason)) => panic!("{step} was deferred: {reason:?}"),
            Err(StepFailure::Errors(errors)) => {
                let errors = self.harness.sensitive_values().redact(&errors.to_string());
                panic!("{step} failed:\n{errors}")
            }
        }
    }

    /// Asserts that the step reported an error, and returns its errors and warnings.
    ///
    /// # Panics
    ///
    /// Panics if the step succeeded or was deferred.
    #[track_caller]
    pub fn error(self) -> Diagnostics {
        let step = self.step;
        match self.result {
            Ok(_) => panic!("expected an error, but {step} succeeded"),
            Err(StepFailure::Deferred(reason)) => {
                panic!("expected an error, but {step} was deferred: {reason:?}")
            }
            Err(StepFailure::Errors(errors)) => errors,
        }
    }

    /// Asserts that the step was deferred, and returns the reason.
    ///
    /// # Panics
    ///
    /// Panics if the step succeeded or reported an error.
    #[track_caller]
    pub fn deferral(self) -> Deferral {
        let step = self.step;
        match self.result {
            Ok(_) => panic!("expected a deferral, but {step} succeeded"),
            Err(StepFailure::Deferred(reason)) => reason,
            Err(StepFailure::Errors(errors)) => {
                let errors = self.harness.sensitive_values().redact(&errors.to_string());
                panic!("expected a deferral, but {step} failed:\n{errors}")
            }
        }
    }
}
