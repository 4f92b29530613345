//! The invariants of a provider, and the report of a violation.

use std::fmt;

use ferroform::Diagnostics;
use ferroform::value::Path;
use ferroform_engine::contract;

/// A property that every provider must have. The harness checks those up to `SecretsAreRedacted` at every step, and
/// [`check_provider`](crate::check_provider) checks the others with sequences of steps.
///
/// [`Harness::skip_check`](crate::Harness::skip_check) and [`ProviderCheck::skip`](crate::ProviderCheck::skip) exclude one that a
/// provider cannot fulfill. For example, the
/// object of a resource that exists only in the state (such as a random number) cannot be removed:
///
/// ```no_run
/// # ferroform_testing::provider! { Random {} }
/// use ferroform_testing::{Harness, Invariant, config};
///
/// let harness = Harness::start::<Random>(config! {}).skip_check(Invariant::DestroyRemovesObject);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Invariant {
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
    /// cannot fulfill this.
    DestroyRemovesObject,
    /// A state that was upgraded or moved can be planned with the configuration that it comes from. A resource whose
    /// validation became stricter cannot fulfill this.
    UpgradedStateCanBePlanned,
    /// Every value is the same after encoding and decoding it as MessagePack and as JSON.
    ValuesRoundTrip,
    /// A read returns the stored identity of an object, even if the request does not contain it, and the identity does not change
    /// during the life of the object, unless the resource declares it mutable.
    IdentityIsStable,
    /// A configuration that is generated from a state passes validation. A resource with a required write-only
    /// attribute cannot fulfill this.
    GeneratedConfigIsValid,
    /// No log line and no diagnostic contains a string of a sensitive attribute. Numbers are not checked.
    SecretsAreRedacted,
    /// The same plan twice has the same result.
    PlanIsDeterministic,
    /// Validation and plan accept an unknown value if they accept the value that it turns out to be.
    UnknownIsNotNull,
    /// A read returns the values that another program has changed, and the next plan restores the configured ones. A change of what
    /// identifies the object, such as its name, does not count: a read cannot find an object that was renamed.
    DriftIsDetected,
    /// A read of an object that another program has deleted returns nothing, without an error, and the next plan creates it.
    LossIsDetected,
    /// The deletion of an object that does not exist succeeds.
    DeleteIsIdempotent,
    /// After a creation that has failed, either no remote object exists, or the state contains it. Another apply succeeds.
    /// An object whose ID the provider has not received, because the response was lost, does not count.
    FailedCreateKeepsObject,
    /// After an update that has failed, the state describes the object, and another apply succeeds. An object that was renamed, but
    /// whose response was lost, does not count: the provider cannot know its name.
    FailedUpdateKeepsState,
    /// After a deletion that has failed, the object is in the state or gone, and another destroy succeeds.
    FailedDeleteKeepsState,
    /// A read that has failed keeps the state.
    FailedReadKeepsState,
    /// A creation whose response was lost can be repeated: it reports an error, or creates no second object with the same
    /// identity.
    RepeatedCreateIsSafe,
    /// An import and the read after it return the state of the object, which can then be planned without a change, updated and
    /// destroyed.
    ImportRestoresState,
    /// Each method works with the private state that any sequence of the other methods leaves.
    PrivateStateIsKept,
    /// A state upgrade keeps the value of each attribute whose name and type stay the same.
    UpgradeKeepsValues,
    /// A moved object can be read and planned.
    MoveKeepsObject,
    /// A replacement removes the old object, and creates the new one with the changed values, in both orders.
    ReplacementIsComplete,
    /// Values at the limits of their types stay the same: large and precise numbers, unusual strings, empty collections.
    LimitsRoundTrip,
    /// A value that the service normalizes is planned, stored and read consistently.
    NormalizationIsSemantic,
    /// An object is usable although reads of the service lag behind writes.
    SlowReadsConverge,
    /// A list resource returns each object once, and ends.
    ListFindsAll,
    /// Two reads of a data source, without a change in between, return the same.
    DataSourceIsDeterministic,
    /// A function returns the same result for the same arguments at any time, and a compatible one for unknown arguments.
    FunctionIsPure,
    /// An ephemeral resource that was opened is closed, even if a method fails. One whose ID the provider has not received, because the
    /// response was lost, does not count.
    EphemeralResourceIsClosed,
    /// An action that fails reports an error.
    ActionReportsErrors,
    /// A method ends, soon after a cancellation at the latest, and does not block its thread.
    MethodEnds,
    /// No method, validator or type panics.
    NothingPanics,
    /// Validation rejects a configuration that is invalid in one place, with the path of that place.
    BrokenConfigurationIsRejected,
    /// The schema, the validators and the service accept a common configuration of each type.
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
            Invariant::ValuesRoundTrip => "every value survives a round trip through its encodings",
            Invariant::IdentityIsStable => "the identity is stable",
            Invariant::GeneratedConfigIsValid => "a generated configuration is valid",
            Invariant::SecretsAreRedacted => "secrets are redacted",
            Invariant::PlanIsDeterministic => "a plan is deterministic",
            Invariant::UnknownIsNotNull => "an unknown value is not null",
            Invariant::DriftIsDetected => "drift is detected",
            Invariant::LossIsDetected => "the loss of an object is detected",
            Invariant::DeleteIsIdempotent => "a deletion is idempotent",
            Invariant::FailedCreateKeepsObject => "a failed creation keeps the object in the state",
            Invariant::FailedUpdateKeepsState => "a failed update keeps the state",
            Invariant::FailedDeleteKeepsState => "a failed deletion keeps the state",
            Invariant::FailedReadKeepsState => "a failed read keeps the state",
            Invariant::RepeatedCreateIsSafe => "a creation can be repeated",
            Invariant::ImportRestoresState => "an import restores the state",
            Invariant::PrivateStateIsKept => "private state is kept",
            Invariant::UpgradeKeepsValues => "a state upgrade keeps values",
            Invariant::MoveKeepsObject => "a move keeps the object",
            Invariant::ReplacementIsComplete => "a replacement is complete",
            Invariant::LimitsRoundTrip => "values at the limits of their types stay the same",
            Invariant::NormalizationIsSemantic => "a normalized value is consistent",
            Invariant::SlowReadsConverge => "an object converges although reads are slow",
            Invariant::ListFindsAll => "a list resource finds all objects",
            Invariant::DataSourceIsDeterministic => "a data source is deterministic",
            Invariant::FunctionIsPure => "a function is pure",
            Invariant::EphemeralResourceIsClosed => "an ephemeral resource is closed",
            Invariant::ActionReportsErrors => "an action reports errors",
            Invariant::MethodEnds => "a method ends",
            Invariant::NothingPanics => "nothing panics",
            Invariant::BrokenConfigurationIsRejected => "an invalid configuration is rejected",
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
    /// The step after which it does not hold: `the creation of local_file`.
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
