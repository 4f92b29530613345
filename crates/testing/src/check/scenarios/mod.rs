//! The scenarios: kinds of sequences, each for one kind of object.
//!
//! A sequence is a scenario with a number, which selects the attribute, the await point or the request that the sequence is about, and
//! with choices, which select the configuration. The systematic sequences have the numbers 0, 1, 2, … until the scenario is finished,
//! and the simplest choices.

mod broken;
mod failures;
mod imports;
mod kinds;
mod lifecycles;
mod trouble;

use ferroform_engine::Kind;

pub(super) use self::kinds::accept;
use super::run::{Progress, Run, Step};
use super::target::Target;

/// A kind of sequence.
pub(super) struct Scenario {
    pub(super) kind: Kind,
    /// The number of systematic sequences at most.
    pub(super) limit: usize,
    pub(super) run: fn(&mut Run<'_>, &Target, usize) -> Step<Progress>,
}

const fn scenario(kind: Kind, limit: usize, run: fn(&mut Run<'_>, &Target, usize) -> Step<Progress>) -> Scenario {
    Scenario { kind, limit, run }
}

/// All scenarios.
pub(super) const SCENARIOS: &[Scenario] = &[
    scenario(Kind::Resource, 60, lifecycles::changes),
    scenario(Kind::Resource, 6, lifecycles::histories),
    scenario(Kind::Resource, 4, lifecycles::unknowns),
    scenario(Kind::Resource, 60, lifecycles::replacements),
    scenario(Kind::Resource, 200, lifecycles::limits),
    scenario(Kind::Resource, 40, trouble::drift),
    scenario(Kind::Resource, 1, trouble::loss),
    scenario(Kind::Resource, 2, trouble::repeated_delete),
    scenario(Kind::Resource, 1, trouble::repeated_create),
    scenario(Kind::Resource, 4, trouble::slow_reads),
    scenario(Kind::Resource, 80, failures::failed_create),
    scenario(Kind::Resource, 80, failures::failed_update),
    scenario(Kind::Resource, 80, failures::failed_delete),
    scenario(Kind::Resource, 80, failures::failed_read),
    scenario(Kind::Resource, 240, failures::failed_requests),
    scenario(Kind::Resource, 8, imports::import),
    scenario(Kind::Resource, 40, imports::upgrade),
    scenario(Kind::Resource, 20, imports::moves),
    scenario(Kind::Resource, 400, broken::configurations),
    scenario(Kind::DataSource, 400, broken::configurations),
    scenario(Kind::EphemeralResource, 400, broken::configurations),
    scenario(Kind::Action, 400, broken::configurations),
    scenario(Kind::ListResource, 400, broken::configurations),
    scenario(Kind::DataSource, 10, kinds::data_source),
    scenario(Kind::EphemeralResource, 80, kinds::ephemeral_resource),
    scenario(Kind::Action, 80, kinds::action),
    scenario(Kind::ListResource, 4, kinds::list_resource),
    scenario(Kind::Function, 60, kinds::function),
];
