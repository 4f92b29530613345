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
#[cfg(feature = "unstable-state-stores")]
mod state_stores;
mod trouble;

use ferroform_engine::Kind;

pub(super) use self::kinds::accept;
use super::run::Run;
use super::step::{Progress, Step};
use super::target::Target;

/// When the sequences of a scenario run. What goes wrong without trouble also goes wrong with it, and is easier to understand without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Without trouble.
    Calm,
    /// With trouble.
    Troubled,
    /// With unusual values.
    Unusual,
}

use Stage::{Calm, Troubled, Unusual};

/// A kind of sequence.
pub(super) struct Scenario {
    pub(super) stage: Stage,
    pub(super) kind: Kind,
    /// The number of systematic sequences at most.
    pub(super) limit: usize,
    pub(super) run: fn(&mut Run<'_>, &Target, usize) -> Step<Progress>,
}

const fn scenario(
    stage: Stage,
    kind: Kind,
    limit: usize,
    run: fn(&mut Run<'_>, &Target, usize) -> Step<Progress>,
) -> Scenario {
    Scenario { stage, kind, limit, run }
}

/// The kinds of objects, except for resources, of which a configuration is searched for.
pub(super) const CONFIGURED_KINDS: &[Kind] = &[
    Kind::DataSource,
    Kind::EphemeralResource,
    Kind::Action,
    Kind::ListResource,
    #[cfg(feature = "unstable-state-stores")]
    Kind::StateStore,
];

/// All scenarios.
pub(super) const SCENARIOS: &[Scenario] = &[
    scenario(Calm, Kind::Resource, 60, lifecycles::changes),
    scenario(Calm, Kind::Resource, 6, lifecycles::histories),
    scenario(Calm, Kind::Resource, 4, lifecycles::unknowns),
    scenario(Unusual, Kind::Resource, 60, lifecycles::forms),
    scenario(Calm, Kind::Resource, 60, lifecycles::replacements),
    scenario(Unusual, Kind::Resource, 200, lifecycles::limits),
    scenario(Troubled, Kind::Resource, 40, trouble::drift),
    scenario(Troubled, Kind::Resource, 1, trouble::loss),
    scenario(Troubled, Kind::Resource, 2, trouble::repeated_delete),
    scenario(Troubled, Kind::Resource, 1, trouble::repeated_create),
    scenario(Troubled, Kind::Resource, 2, trouble::secrets),
    scenario(Troubled, Kind::Resource, 4, trouble::slow_reads),
    scenario(Troubled, Kind::Resource, 40, failures::lost_in_between),
    scenario(Troubled, Kind::Resource, 80, failures::failed_create),
    scenario(Troubled, Kind::Resource, 80, failures::failed_update),
    scenario(Troubled, Kind::Resource, 80, failures::failed_delete),
    scenario(Troubled, Kind::Resource, 80, failures::failed_read),
    scenario(Troubled, Kind::Resource, 240, failures::failed_requests),
    scenario(Troubled, Kind::Resource, 8, imports::import),
    scenario(Troubled, Kind::Resource, 40, imports::upgrade),
    scenario(Troubled, Kind::Resource, 20, imports::moves),
    scenario(Unusual, Kind::Resource, 400, broken::configurations),
    scenario(Unusual, Kind::Provider, 400, broken::configurations),
    scenario(Troubled, Kind::Provider, 60, kinds::provider),
    scenario(Unusual, Kind::DataSource, 400, broken::configurations),
    scenario(Unusual, Kind::EphemeralResource, 400, broken::configurations),
    scenario(Unusual, Kind::Action, 400, broken::configurations),
    scenario(Unusual, Kind::ListResource, 400, broken::configurations),
    scenario(Calm, Kind::DataSource, 60, kinds::data_source),
    scenario(Troubled, Kind::EphemeralResource, 80, kinds::ephemeral_resource),
    scenario(Troubled, Kind::EphemeralResource, 2, kinds::closed_ephemeral_resource),
    scenario(Troubled, Kind::EphemeralResource, 48, kinds::failed_requests),
    scenario(Troubled, Kind::Action, 80, kinds::action),
    scenario(Calm, Kind::ListResource, 4, kinds::list_resource),
    scenario(Calm, Kind::Function, 60, kinds::function),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Unusual, Kind::StateStore, 400, broken::configurations),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Calm, Kind::StateStore, 10, state_stores::contents),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Calm, Kind::StateStore, 10, state_stores::workspaces),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Calm, Kind::StateStore, 1, state_stores::locks),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Troubled, Kind::StateStore, 1, state_stores::other_clients),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Troubled, Kind::StateStore, 20, state_stores::simultaneous_locks),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Troubled, Kind::StateStore, 40, state_stores::failed_lock),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Troubled, Kind::StateStore, 40, state_stores::failed_write),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Troubled, Kind::StateStore, 40, state_stores::failed_read),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Troubled, Kind::StateStore, 40, state_stores::failed_list),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Troubled, Kind::StateStore, 40, state_stores::failed_unlock),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Troubled, Kind::StateStore, 40, state_stores::failed_delete),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Troubled, Kind::StateStore, 120, state_stores::failed_requests),
];
