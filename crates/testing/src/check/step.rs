//! The result of a step of a sequence.

use crate::invariant::Violation;

/// The reason why a sequence ends early.
pub(super) enum SequenceEnd {
    /// An invariant is violated.
    Violated(Violation),
    /// The provider or its service has rejected a configuration, or an operation was deferred.
    Rejected,
}

pub(super) type StepResult<T = ()> = Result<T, SequenceEnd>;

/// Whether a scenario has a sequence with a greater number.
#[derive(PartialEq)]
pub(super) enum Progress {
    More,
    /// The scenario has no sequence with this number.
    Finished,
}
