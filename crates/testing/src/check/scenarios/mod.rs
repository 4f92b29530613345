//! The scenarios: kinds of sequences, each for one kind of object.
//!
//! A sequence is a scenario with a number, which selects the attribute, the await point or the request under test, and with choices, which
//! select the configuration. The systematic sequences have the numbers 0, 1, 2, … until the scenario is finished, and the simplest choices.

mod data_sources;
mod external_changes;
mod failures;
mod imports;
mod invalid_configurations;
mod lifecycles;
mod other_kinds;
#[cfg(feature = "unstable-state-stores")]
mod state_stores;

use ferroform_engine::Kind;

pub(super) use self::other_kinds::try_configuration;
use super::intercept::Method;
use super::run::SequenceRun;
use super::step::{Progress, StepResult};
use super::target::Target;

/// The order of the scenarios: a bug that needs no fault should be reported without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Sequences without faults.
    Lifecycle,
    /// Sequences with injected faults.
    Faults,
    /// Boundary values and invalid values.
    BoundaryValues,
    /// Reads that return objects before the last write. They come last: a provider that does not poll violates the invariant with every
    /// resource type, and this report would hide all others.
    StaleReads,
}

use Stage::{BoundaryValues, Faults, Lifecycle, StaleReads};

/// A kind of sequence.
pub(super) struct Scenario {
    pub(super) stage: Stage,
    pub(super) kind: Kind,
    /// The maximum number of systematic sequences.
    pub(super) limit: usize,
    pub(super) run: fn(&mut SequenceRun<'_>, &Target, usize) -> StepResult<Progress>,
}

const fn scenario(
    stage: Stage,
    kind: Kind,
    limit: usize,
    run: fn(&mut SequenceRun<'_>, &Target, usize) -> StepResult<Progress>,
) -> Scenario {
    Scenario { stage, kind, limit, run }
}

/// The kinds of objects, except for resources, for which the check searches a configuration that is accepted.
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
    scenario(Lifecycle, Kind::Resource, 60, lifecycles::changes),
    scenario(Lifecycle, Kind::Resource, 60, lifecycles::creations),
    scenario(Lifecycle, Kind::Resource, 4, lifecycles::step_orders),
    scenario(Lifecycle, Kind::Resource, 4, lifecycles::unknowns),
    scenario(BoundaryValues, Kind::Resource, 60, lifecycles::forms),
    scenario(Lifecycle, Kind::Resource, 60, lifecycles::replacements),
    scenario(BoundaryValues, Kind::Resource, 240, lifecycles::boundary_values),
    scenario(Faults, Kind::Resource, 60, |run, it, n| failures::failed_requests(run, it, n, Method::Create)),
    scenario(Faults, Kind::Resource, 60, |run, it, n| failures::failed_requests(run, it, n, Method::Delete)),
    scenario(Faults, Kind::Resource, 60, |run, it, n| failures::failed_requests(run, it, n, Method::Read)),
    scenario(Faults, Kind::Resource, 60, |run, it, n| failures::failed_requests(run, it, n, Method::Update)),
    scenario(Faults, Kind::Resource, 40, external_changes::drift),
    scenario(Faults, Kind::Resource, 1, external_changes::deletion),
    scenario(Faults, Kind::Resource, 2, external_changes::repeated_delete),
    scenario(Faults, Kind::Resource, 1, external_changes::create_after_lost_response),
    scenario(Faults, Kind::Resource, 2, external_changes::secrets),
    scenario(Faults, Kind::Resource, 20, |run, it, n| {
        failures::deleted_while_waiting(run, it, n, Method::Create)
    }),
    scenario(Faults, Kind::Resource, 20, |run, it, n| {
        failures::deleted_while_waiting(run, it, n, Method::Update)
    }),
    scenario(Faults, Kind::Resource, 80, failures::failed_create),
    scenario(Faults, Kind::Resource, 80, failures::failed_update),
    scenario(Faults, Kind::Resource, 80, failures::failed_delete),
    scenario(Faults, Kind::Resource, 80, failures::failed_read),
    scenario(Faults, Kind::Resource, 8, imports::import),
    scenario(Faults, Kind::Resource, 40, imports::upgrade),
    scenario(Faults, Kind::Resource, 20, imports::moves),
    scenario(BoundaryValues, Kind::Resource, 400, invalid_configurations::validate_values),
    scenario(BoundaryValues, Kind::Provider, 400, invalid_configurations::validate_values),
    scenario(Faults, Kind::Provider, 60, other_kinds::provider),
    scenario(BoundaryValues, Kind::DataSource, 400, invalid_configurations::validate_values),
    scenario(BoundaryValues, Kind::EphemeralResource, 400, invalid_configurations::validate_values),
    scenario(BoundaryValues, Kind::Action, 400, invalid_configurations::validate_values),
    scenario(BoundaryValues, Kind::ListResource, 400, invalid_configurations::validate_values),
    scenario(Lifecycle, Kind::DataSource, 60, other_kinds::data_source),
    scenario(Lifecycle, Kind::DataSource, 60, data_sources::finds_each_object),
    scenario(Faults, Kind::EphemeralResource, 80, other_kinds::ephemeral_resource),
    scenario(Faults, Kind::EphemeralResource, 2, other_kinds::closed_ephemeral_resource),
    scenario(Faults, Kind::EphemeralResource, 48, other_kinds::failed_requests),
    scenario(Faults, Kind::Action, 40, other_kinds::action),
    scenario(Faults, Kind::Action, 40, other_kinds::failed_action_requests),
    scenario(Lifecycle, Kind::ListResource, 4, other_kinds::list_resource),
    scenario(Lifecycle, Kind::Function, 60, other_kinds::function),
    scenario(StaleReads, Kind::Resource, 4, external_changes::stale_reads),
    #[cfg(feature = "unstable-state-stores")]
    scenario(BoundaryValues, Kind::StateStore, 400, invalid_configurations::validate_values),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Lifecycle, Kind::StateStore, 10, state_stores::contents),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Lifecycle, Kind::StateStore, 10, state_stores::workspaces),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Lifecycle, Kind::StateStore, 1, state_stores::locks),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Faults, Kind::StateStore, 1, state_stores::other_clients),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Faults, Kind::StateStore, 20, state_stores::simultaneous_locks),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Faults, Kind::StateStore, 40, |run, it, n| state_stores::failed(run, it, n, Method::Lock)),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Faults, Kind::StateStore, 40, |run, it, n| state_stores::failed(run, it, n, Method::Write)),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Faults, Kind::StateStore, 40, |run, it, n| state_stores::failed(run, it, n, Method::Read)),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Faults, Kind::StateStore, 40, |run, it, n| state_stores::failed(run, it, n, Method::States)),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Faults, Kind::StateStore, 40, |run, it, n| state_stores::failed(run, it, n, Method::Unlock)),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Faults, Kind::StateStore, 40, |run, it, n| state_stores::failed(run, it, n, Method::Delete)),
    #[cfg(feature = "unstable-state-stores")]
    scenario(Faults, Kind::StateStore, 120, state_stores::failed_requests),
];
