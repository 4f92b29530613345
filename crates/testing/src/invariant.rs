//! The invariants of a provider, and the report of a violation.

use std::fmt;

use ferroform::Diagnostics;
use ferroform::value::Path;
use ferroform_engine::contract;

/// A property that every provider must have. The harness checks all of them at every step.
///
/// [`Harness::skip_check`](crate::Harness::skip_check) excludes one that a provider cannot fulfill. For example, the
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
