//! The outcome of a step: success, errors, or a deferral.

use std::fmt;

use ferroform::function::FunctionError;
use ferroform::{Deferral, Diagnostic, Diagnostics};

use crate::sensitive_values::SensitiveValues;
use crate::{Diff, Harness};

/// The outcome of a step. Nearly every step has a variant that returns it: `apply` is `try_apply(…).ok()`. The errors
/// are [`Diagnostics`], or the [`FunctionError`] of a function.
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
/// let harness = harness.allow_deferral();
/// let reason = harness.data_source("cloud_disk").try_read(config! { name = unknown() }).deferral();
/// assert_eq!(reason, Deferral::ConfigUnknown);
///
/// let resize = harness.action("cloud_resize").try_invoke(config! { name = "a", size = 0 });
/// assert_eq!(resize.partial().progress, ["Stopping the machine"]);
/// assert!(resize.error().has_error());
/// # }
/// ```
#[must_use = "a test that ignores an outcome does not notice a failed step"]
#[derive(Debug)]
pub struct Outcome<T, E = Diagnostics> {
    /// The step that has this outcome: `the apply of cloud_disk`.
    step: String,
    result: Result<T, StepFailure<E>>,
    /// The result of a step that did not succeed.
    partial: Option<T>,
    sensitive_values: SensitiveValues,
}

/// The reason that a step did not succeed.
#[derive(Debug)]
pub(crate) enum StepFailure<E = Diagnostics> {
    Errors(E),
    Deferred(Deferral),
}

impl From<Diagnostics> for StepFailure {
    fn from(errors: Diagnostics) -> StepFailure {
        StepFailure::Errors(errors)
    }
}

impl From<Deferral> for StepFailure {
    fn from(reason: Deferral) -> StepFailure {
        StepFailure::Deferred(reason)
    }
}

impl From<Diagnostic> for StepFailure {
    fn from(error: Diagnostic) -> StepFailure {
        StepFailure::Errors(error.into())
    }
}

impl From<FunctionError> for StepFailure<FunctionError> {
    fn from(error: FunctionError) -> StepFailure<FunctionError> {
        StepFailure::Errors(error)
    }
}

impl<T, E> Outcome<T, E> {
    pub(crate) fn new(
        harness: &Harness,
        step: impl Into<String>,
        result: Result<T, impl Into<StepFailure<E>>>,
    ) -> Outcome<T, E> {
        let sensitive_values = harness.sensitive_values().clone();
        Outcome { step: step.into(), result: result.map_err(Into::into), partial: None, sensitive_values }
    }
}

impl Outcome<Diff> {
    /// The outcome of a plan or read, which returns an object even if it is deferred.
    pub(crate) fn of_diff(harness: &Harness, step: String, diff: Result<Diff, StepFailure>) -> Outcome<Diff> {
        match diff.as_ref().ok().and_then(|it| it.deferred) {
            Some(reason) => {
                let deferred = Outcome::new(harness, step, Err(StepFailure::Deferred(reason)));
                Outcome { partial: diff.ok(), ..deferred }
            }
            None => Outcome::new(harness, step, diff),
        }
    }
}

impl<T> Outcome<T> {
    /// The outcome of a step that can have a partial result when it fails.
    pub(crate) fn with_partial(
        harness: &Harness,
        step: String,
        value: T,
        result: Result<(), impl Into<StepFailure>>,
    ) -> Outcome<T> {
        match result.map_err(Into::into) {
            Err(errors @ StepFailure::Errors(_)) => {
                Outcome { partial: Some(value), ..Outcome::new(harness, step, Err(errors)) }
            }
            result => Outcome::new(harness, step, result.map(|()| value)),
        }
    }
}

impl<T, E> Outcome<T, E> {
    /// The result, or the reason why the step did not succeed.
    pub(crate) fn into_result(self) -> Result<T, StepFailure<E>> {
        self.result
    }

    /// Returns true if the step succeeded, so that [`ok`](Outcome::ok) returns its result: for a test that expects success or
    /// failure, depending on the case. It does not check which error the step reported.
    ///
    /// ```no_run
    /// # fn example(harness: ferroform_testing::Harness) {
    /// use ferroform_testing::config;
    ///
    /// for (size, expected) in [(1, true), (64, true), (65, false)] {
    ///     let planned = harness.resource("cloud_disk").try_plan(config! { name = "a", size = size });
    ///     assert_eq!(planned.is_ok(), expected, "{size}");
    /// }
    /// # }
    /// ```
    pub fn is_ok(&self) -> bool {
        match &self.result {
            Err(StepFailure::Deferred(_)) => self.partial.is_some(),
            result => result.is_ok(),
        }
    }
}

impl<T, E: fmt::Display> Outcome<T, E> {
    /// Asserts that the step succeeded, and returns its result. A deferred plan or refresh counts as success, because
    /// it returns an object. [`Diff::deferred`] contains the reason.
    ///
    /// # Panics
    ///
    /// Panics if the step reported an error, or was deferred and has no result.
    #[track_caller]
    pub fn ok(self) -> T {
        let step = self.step;
        match (self.result, self.partial) {
            (Ok(result), _) | (Err(StepFailure::Deferred(_)), Some(result)) => result,
            (Err(StepFailure::Deferred(reason)), None) => panic!("{step} was deferred: {reason:?}"),
            (Err(StepFailure::Errors(errors)), _) => {
                panic!("{step} failed:\n{}", self.sensitive_values.redact(&errors.to_string()))
            }
        }
    }

    /// Asserts that the step reported an error, and returns its errors and warnings.
    ///
    /// # Panics
    ///
    /// Panics if the step succeeded or was deferred.
    #[track_caller]
    pub fn error(self) -> E {
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
                let errors = self.sensitive_values.redact(&errors.to_string());
                panic!("expected a deferral, but {step} failed:\n{errors}")
            }
        }
    }

    /// Returns the result of the step, or its partial result if it reported an error or was deferred: the progress
    /// messages of an
    /// [`Invocation`](crate::Invocation), the objects of a [`Listing`](crate::Listing), or the [`Diff`] of a deferred plan.
    ///
    /// # Panics
    ///
    /// Panics if there is no result.
    #[track_caller]
    pub fn partial(&self) -> &T {
        match self.result.as_ref().ok().or(self.partial.as_ref()) {
            Some(result) => result,
            None => panic!("{} has no partial result", self.step),
        }
    }
}
