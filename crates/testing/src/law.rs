//! The laws that every provider keeps, and what is said where one is broken.

use std::fmt;

use ferroform::Diagnostics;
use ferroform::value::Path;
use ferroform_engine::contract;

/// What holds of every provider, at every step. A test checks all of them without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Law {
    /// A plan takes over what the configuration says, and adds only what the provider may compute.
    PlanKeepsConfiguration,
    /// What was planned with parts unknown is planned again once they are known, and may only fill them in.
    FinalPlanKeepsPlan,
    /// The state after apply is what was planned, with the unknown parts filled in.
    StateKeepsPlan,
    /// A state is wholly known, of the schema's type, and without write-only values.
    StateIsWhole,
    /// After apply, the same configuration plans no change.
    PlanningAgainChangesNothing,
    /// After apply, reading gives what is in the state.
    ReadingAgainChangesNothing,
    /// After a destruction there is nothing left to read. A resource that lives in the state alone, such as
    /// a random number, cannot keep this one.
    DestroyLeavesNothing,
    /// A state of an earlier version, or of another resource, has become one that a plan of its configuration
    /// goes well with. Rules for the configuration that are stricter than they were cannot keep this one.
    OldStatesCanBePlanned,
    /// Every value is the same after it has been written and read, in MessagePack and as stored in JSON.
    EncodingsKeepValues,
    /// What an object is known by follows from its state, and is the same for the life of the object unless the
    /// resource says that it may change.
    IdentityStays,
    /// A configuration that is made of a state is a valid one. A resource with a write-only attribute that is
    /// required cannot keep this one.
    GeneratedConfigIsValid,
    /// Sensitive values of four letters or more stand in no log line and in no error or warning.
    SecretsStaySecret,
}

impl Law {
    fn text(self) -> &'static str {
        match self {
            Law::PlanKeepsConfiguration => "the plan keeps the configuration",
            Law::FinalPlanKeepsPlan => "the final plan keeps the plan",
            Law::StateKeepsPlan => "the state keeps the plan",
            Law::StateIsWhole => "a state is whole",
            Law::PlanningAgainChangesNothing => "planning again changes nothing",
            Law::ReadingAgainChangesNothing => "reading again changes nothing",
            Law::DestroyLeavesNothing => "destroying leaves nothing",
            Law::OldStatesCanBePlanned => "old states can be planned",
            Law::EncodingsKeepValues => "every value survives its encodings",
            Law::IdentityStays => "the identity follows from the state and stays",
            Law::GeneratedConfigIsValid => "a generated configuration is valid",
            Law::SecretsStaySecret => "secrets stay secret",
        }
    }
}

/// In words, as a broken one is reported.
impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A law that was broken, at which step and how.
pub(crate) struct Breach {
    pub(crate) law: Law,
    /// What was being done: `the creation of local_file`.
    pub(crate) step: String,
    /// Each place, and what is wrong there.
    pub(crate) faults: Vec<(Path, String)>,
}

impl Breach {
    pub(crate) fn new(law: Law, step: &str, place: Path, what: impl Into<String>) -> Breach {
        Breach { law, step: step.into(), faults: vec![(place, what.into())] }
    }

    /// The faults that a check has found.
    pub(crate) fn found(law: Law, step: &str, found: &Diagnostics) -> Breach {
        let faults = found.iter().map(|it| {
            let place = it.path.clone().unwrap_or(Path::ROOT);
            (place, contract::check_message(it).to_owned())
        });
        Breach { law, step: step.into(), faults: faults.collect() }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "broken law: {}\n  step: {}", self.law, self.step)?;
        for (place, what) in &self.faults {
            let what = what.replace('\n', "\n  ");
            let place = if place.is_root() { String::new() } else { format!("{place}: ") };
            write!(f, "\n  {place}{what}")?;
        }
        Ok(())
    }
}
