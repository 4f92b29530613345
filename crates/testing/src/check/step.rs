//! The result of a step of a sequence.

use crate::invariant::Violation;

/// The reason why a sequence ends early.
pub(super) enum Interruption {
    /// An invariant is violated.
    Violated(Violation),
    /// The provider has rejected a configuration.
    Rejected,
}

pub(super) type Step<T = ()> = Result<T, Interruption>;

/// Whether a sequence with a greater number can do more.
#[derive(PartialEq)]
pub(super) enum Progress {
    More,
    /// There is nothing with this number.
    Finished,
}
