//! The laws that every provider keeps, and what is said where one is broken.

use std::fmt;

use ferroform::Diagnostics;
use ferroform::value::Path;
use ferroform_engine::contract;

/// What holds of every provider, at every step. A test checks all of them without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invariant {
    /// A plan takes over what the configuration says, and adds only what the provider may compute.
    PlanMatchesConfiguration,
    /// What was planned with parts unknown is planned again once they are known, and may only fill them in.
    FinalPlanMatchesPlan,
    /// The state after apply is what was planned, with the unknown parts filled in.
    ResultMatchesPlan,
    /// A state is wholly known, of the schema's type, and without write-only values.
    StateIsValid,
    /// After apply, the same configuration plans no change.
    PlanIsEmptyAfterApply,
    /// After apply, reading gives what is in the state.
    RefreshIsIdempotent,
    /// After a destruction there is nothing left to read. A resource that lives in the state alone, such as
    /// a random number, cannot keep this one.
    DestroyRemovesObject,
    /// A state of an earlier version, or of another resource, has become one that a plan of its configuration
    /// goes well with. Rules for the configuration that are stricter than they were cannot keep this one.
    UpgradedStateCanBePlanned,
    /// Every value is the same after it has been written and read, in MessagePack and as stored in JSON.
    ValuesRoundTrip,
    /// What an object is known by follows from its state, and is the same for the life of the object unless the
    /// resource says that it may change.
    IdentityIsStable,
    /// A configuration that is made of a state is a valid one. A resource with a write-only attribute that is
    /// required cannot keep this one.
    GeneratedConfigIsValid,
    /// Sensitive values of four letters or more stand in no log line and in no error or warning.
    SecretsAreRedacted,
}

impl Invariant {
    fn text(self) -> &'static str {
        match self {
            Invariant::PlanMatchesConfiguration => "the plan keeps the configuration",
            Invariant::FinalPlanMatchesPlan => "the final plan keeps the plan",
            Invariant::ResultMatchesPlan => "the state keeps the plan",
            Invariant::StateIsValid => "a state is whole",
            Invariant::PlanIsEmptyAfterApply => "planning again changes nothing",
            Invariant::RefreshIsIdempotent => "reading again changes nothing",
            Invariant::DestroyRemovesObject => "destroying leaves nothing",
            Invariant::UpgradedStateCanBePlanned => "old states can be planned",
            Invariant::ValuesRoundTrip => "every value survives its encodings",
            Invariant::IdentityIsStable => "the identity follows from the state and stays",
            Invariant::GeneratedConfigIsValid => "a generated configuration is valid",
            Invariant::SecretsAreRedacted => "secrets stay secret",
        }
    }
}

/// In words, as a broken one is reported.
impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A law that was broken, at which step and how.
pub(crate) struct Violation {
    pub(crate) invariant: Invariant,
    /// What was being done: `the creation of local_file`.
    pub(crate) step: String,
    /// Each path, and what is wrong there.
    pub(crate) faults: Vec<(Path, String)>,
}

impl Violation {
    pub(crate) fn new(invariant: Invariant, step: &str, path: Path, what: impl Into<String>) -> Violation {
        Violation { law, step: step.into(), faults: vec![(path, what.into())] }
    }

    /// The faults that a check has found.
    pub(crate) fn found(invariant: Invariant, step: &str, found: &Diagnostics) -> Violation {
        let faults = found.iter().map(|it| {
            let path = it.path.clone().unwrap_or(Path::ROOT);
            (path, contract::fault(it).to_owned())
        });
        Violation { law, step: step.into(), faults: faults.collect() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "broken invariant: {}\n  step: {}", self.invariant, self.step)?;
        for (path, what) in &self.faults {
            let what = what.replace('\n', "\n  ");
            let path = if path.is_root() { String::new() } else { format!("{path}: ") };
            write!(f, "\n  {path}{what}")?;
        }
        Ok(())
    }
}
