//! The invariants of a provider, and the report of a violation.

use std::fmt;

use ferroform::Diagnostics;
use ferroform::value::Path;
use ferroform_engine::contract;

/// A property that every provider must have.
///
/// [`Harness::skip_check`](crate::Harness::skip_check) and [`ProviderCheck::skip`](crate::ProviderCheck::skip) exclude an invariant
/// that a provider cannot satisfy. For example, a service can still return a deleted object:
///
/// ```no_run
/// # ferroform_testing::provider! { Cloud {} }
/// use ferroform_testing::{Harness, Invariant, config};
///
/// let harness = Harness::start::<Cloud>(config! {}).skip_check(Invariant::DestroyRemovesObject);
/// ```
///
/// # Invariants of the harness
///
/// [`check_provider`](crate::check_provider) checks all invariants with sequences of steps. The [`Harness`](crate::Harness) checks
/// these ones after the steps of your tests:
///
/// - [`PlanMatchesConfiguration`](Invariant::PlanMatchesConfiguration)
/// - [`FinalPlanMatchesPlan`](Invariant::FinalPlanMatchesPlan)
/// - [`ResultMatchesPlan`](Invariant::ResultMatchesPlan)
/// - [`StateIsValid`](Invariant::StateIsValid)
/// - [`PlanIsEmptyAfterApply`](Invariant::PlanIsEmptyAfterApply)
/// - [`RefreshIsIdempotent`](Invariant::RefreshIsIdempotent)
/// - [`DestroyRemovesObject`](Invariant::DestroyRemovesObject)
/// - [`UpgradedStateCanBePlanned`](Invariant::UpgradedStateCanBePlanned)
/// - [`ValuesRoundTrip`](Invariant::ValuesRoundTrip)
/// - [`IdentityIsStable`](Invariant::IdentityIsStable)
/// - [`GeneratedConfigIsValid`](Invariant::GeneratedConfigIsValid)
/// - [`SecretsAreRedacted`](Invariant::SecretsAreRedacted)
/// - [`DiagnosticPathsExist`](Invariant::DiagnosticPathsExist)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Invariant {
    // Checked by the harness and by `check_provider`.
    /// The planned state has every configured value and adds only values that the provider may compute.
    PlanMatchesConfiguration,
    /// The final plan, made once all values are known, only fills in the unknown values of the first plan.
    FinalPlanMatchesPlan,
    /// The new state after apply is the planned state with the unknown values filled in.
    ResultMatchesPlan,
    /// A state is wholly known, conforms to the schema and contains no write-only values.
    StateIsValid,
    /// A second plan of the same configuration after apply contains no change.
    PlanIsEmptyAfterApply,
    /// Reading the object again after apply or import returns the object that is in the state.
    RefreshIsIdempotent,
    /// Reading a destroyed object finds nothing. A resource that exists only in the state, such as a random number,
    /// cannot satisfy this.
    DestroyRemovesObject,
    /// A state that was upgraded or moved can be planned with the configuration that it comes from. A resource whose
    /// validation became stricter cannot satisfy this.
    UpgradedStateCanBePlanned,
    /// Every value is the same after encoding and decoding it as MessagePack and as JSON.
    ValuesRoundTrip,
    /// A read returns the stored identity of an object, even if the request does not contain it, and the identity does not change
    /// for as long as the object exists, unless the resource declares it mutable.
    IdentityIsStable,
    /// A configuration that is generated from a state passes validation. A resource with a required write-only
    /// attribute cannot satisfy this.
    GeneratedConfigIsValid,
    /// No log line and no diagnostic contains a string of a sensitive attribute. Numbers are not checked.
    SecretsAreRedacted,
    /// The schema contains the attribute path of each diagnostic. Terraform shows no line of the configuration for another path. The
    /// diagnostics of a state upgrade or move are not checked, because their paths can be those of an old schema.
    DiagnosticPathsExist,

    // Checked by `check_provider` only.
    /// Planning the same change twice returns the same plan.
    PlanIsDeterministic,
    /// Validation and plan accept an unknown value if they accept the value to which it resolves.
    UnknownValuesAreAccepted,
    /// A read returns the values that another program has changed, and the next plan restores the configured ones. If the
    /// change affects the identity of the object, such as its name, this is not a violation: a read cannot find a renamed object.
    DriftIsDetected,
    /// A read of an object that another program has deleted returns nothing, without an error, and the next plan creates it.
    DeletionIsDetected,
    /// `delete` succeeds if the object does not exist.
    DeleteIsIdempotent,
    /// After a failed `create`, either no remote object exists, or the state contains it. Another apply succeeds. If the provider has not
    /// received the ID of the object, because the response was lost, this is not a violation.
    FailedCreateKeepsObject,
    /// After a failed `update`, the state describes the object, and another apply succeeds. If the object was renamed, but the response
    /// was lost, this is not a violation: the provider cannot know the name.
    FailedUpdateKeepsState,
    /// After a failed `delete`, the object is in the state or no longer exists, and another destroy succeeds.
    FailedDeleteKeepsState,
    /// A failed `read` keeps the state.
    FailedReadKeepsState,
    /// If the response to `create` was lost, calling `create` again reports an error, or creates no second object with the same identity.
    /// A `create` that retries a request after a lost response creates no second object.
    RepeatedCreateIsSafe,
    /// An import and the read after it return the state of the object, which can then be planned without a change, updated and
    /// destroyed.
    ImportRestoresState,
    /// Every method can use the private state that the previous methods stored, in any order of the methods.
    PrivateStateIsSufficient,
    /// A state upgrade keeps the value of each attribute whose name and type stay the same.
    UpgradeKeepsValues,
    /// A moved object can be read and planned.
    MoveKeepsObject,
    /// A replacement removes the old object, and creates the new one with the changed values, in both orders.
    ReplacementIsComplete,
    /// Boundary values stay the same: large and precise numbers, unusual strings, empty collections.
    BoundaryValuesRoundTrip,
    /// A value that the service normalizes causes no inconsistent result: it is planned, stored and read consistently.
    NormalizedValuesAreConsistent,
    /// Stale reads do not cause errors or drift: the object can be used although reads return the object before the last write
    /// (eventual consistency).
    StaleReadsConverge,
    /// A list resource returns each object once.
    ListReturnsEachObject,
    /// Two reads of a data source, without a change in between, return the same.
    DataSourceIsDeterministic,
    /// A data source that returns the first objects of a resource type returns the others, too, for example those after the first page.
    DataSourceFindsEachObject,
    /// A function returns the same result for the same arguments at any time, and a compatible one for unknown arguments.
    FunctionIsPure,
    /// An ephemeral resource that was opened is closed, even if a method fails. If the provider has not received its ID, because the
    /// response was lost, this is not a violation.
    EphemeralResourceIsClosed,
    /// An action that fails reports an error.
    ActionReportsErrors,
    /// A state store returns the state that was written last, byte for byte, lists it once, and returns no state after its deletion.
    /// The states of other workspaces stay the same.
    StateIsStored,
    /// Only one client at a time holds the lock of a state, and only its ID releases it.
    LockIsExclusive,
    /// Any client can release the lock of a state with its ID, even after a failed `lock` or `unlock`. The error about a lock that another
    /// client holds contains this ID, which `terraform force-unlock` needs.
    LockCanBeReleased,
    /// After a failed `write` or `delete` of a state store, the state is the one before or the one after the operation, and the next write
    /// succeeds.
    FailedWriteKeepsState,
    /// A method returns within 24 hours of simulated time, or within 20 seconds of it after a cancellation, and does not block its thread.
    MethodEnds,
    /// No method, validator or type panics.
    NothingPanics,
    /// Validation rejects a configuration with one invalid attribute, and the error has the path of this attribute.
    InvalidConfigurationIsRejected,
    /// The schema, the validators and the service accept at least one generated configuration of each type.
    ValidConfigurationCanBeApplied,
}

impl Invariant {
    fn description(self) -> &'static str {
        match self {
            Invariant::PlanMatchesConfiguration => "the plan matches the configuration",
            Invariant::FinalPlanMatchesPlan => "the final plan matches the plan",
            Invariant::ResultMatchesPlan => "the result of apply matches the plan",
            Invariant::StateIsValid => "the state is valid",
            Invariant::PlanIsEmptyAfterApply => "the plan is empty after apply",
            Invariant::RefreshIsIdempotent => "a refresh is idempotent",
            Invariant::DestroyRemovesObject => "destroy removes the object",
            Invariant::UpgradedStateCanBePlanned => "an upgraded state can be planned",
            Invariant::ValuesRoundTrip => "every value is unchanged by encoding and decoding",
            Invariant::IdentityIsStable => "the identity is stable",
            Invariant::GeneratedConfigIsValid => "a generated configuration is valid",
            Invariant::SecretsAreRedacted => "secrets are redacted",
            Invariant::DiagnosticPathsExist => "the schema contains the attribute path of a diagnostic",
            Invariant::PlanIsDeterministic => "a plan is deterministic",
            Invariant::UnknownValuesAreAccepted => "unknown values are accepted",
            Invariant::DriftIsDetected => "drift is detected",
            Invariant::DeletionIsDetected => {
                "the deletion of the remote object by another program is detected"
            }
            Invariant::DeleteIsIdempotent => "`delete` is idempotent",
            Invariant::FailedCreateKeepsObject => "a failed `create` keeps the object in the state",
            Invariant::FailedUpdateKeepsState => "a failed `update` keeps the state",
            Invariant::FailedDeleteKeepsState => "a failed `delete` keeps the state",
            Invariant::FailedReadKeepsState => "a failed `read` keeps the state",
            Invariant::RepeatedCreateIsSafe => "`create` can be repeated",
            Invariant::ImportRestoresState => "an import restores the state",
            Invariant::PrivateStateIsSufficient => {
                "every method can use the private state that the previous methods stored"
            }
            Invariant::UpgradeKeepsValues => "a state upgrade keeps values",
            Invariant::MoveKeepsObject => "a move keeps the object",
            Invariant::ReplacementIsComplete => "a replacement is complete",
            Invariant::BoundaryValuesRoundTrip => "boundary values stay the same",
            Invariant::NormalizedValuesAreConsistent => {
                "a value that the service normalizes causes no inconsistent result"
            }
            Invariant::StaleReadsConverge => "stale reads do not cause errors or drift",
            Invariant::ListReturnsEachObject => "a list resource returns each object once",
            Invariant::DataSourceIsDeterministic => "a data source is deterministic",
            Invariant::DataSourceFindsEachObject => "a data source finds each object",
            Invariant::FunctionIsPure => "a function is pure",
            Invariant::EphemeralResourceIsClosed => "an ephemeral resource is closed",
            Invariant::ActionReportsErrors => "an action reports errors",
            Invariant::StateIsStored => "a state store returns the stored states",
            Invariant::LockIsExclusive => "only one client holds the lock of a state",
            Invariant::LockCanBeReleased => "the lock of a state can be released",
            Invariant::FailedWriteKeepsState => "a failed `write` keeps the state",
            Invariant::MethodEnds => "a method returns in time",
            Invariant::NothingPanics => "nothing panics",
            Invariant::InvalidConfigurationIsRejected => "an invalid configuration is rejected",
            Invariant::ValidConfigurationCanBeApplied => "a valid configuration can be applied",
        }
    }
}

/// The invariant as a clause, as the report of a violation contains it.
impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description())
    }
}

/// An invariant that does not hold.
pub(crate) struct Violation {
    pub(crate) invariant: Invariant,
    /// The step that violates it: `` `create` of local_file ``.
    pub(crate) step: String,
    /// The problems, each with its attribute path.
    pub(crate) problems: Vec<(Path, String)>,
}

impl Violation {
    pub(crate) fn new(invariant: Invariant, step: &str, path: Path, problem: impl Into<String>) -> Violation {
        Violation { invariant, step: step.into(), problems: vec![(path, problem.into())] }
    }

    /// A violation with one problem for each diagnostic of a failed check.
    pub(crate) fn from_diagnostics(invariant: Invariant, step: &str, found: &Diagnostics) -> Violation {
        let problems = found.iter().map(|diagnostic| {
            let path = diagnostic.path.clone().unwrap_or(Path::ROOT);
            (path, contract::check_message(diagnostic).to_owned())
        });
        Violation { invariant, step: step.into(), problems: problems.collect() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invariant violated: {}\n  step: {}", self.invariant, self.step)?;
        for (path, problem) in &self.problems {
            let problem = problem.replace('\n', "\n  ");
            let path = if path.is_root() { String::new() } else { format!("{path}: ") };
            write!(f, "\n  {path}{problem}")?;
        }
        Ok(())
    }
}
