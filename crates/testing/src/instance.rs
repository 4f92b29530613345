//! One resource through its life.

use std::sync::Arc;

use ferroform::raw::AnyResource;
use ferroform::value::{Path, Value};
use ferroform::{Diagnostics, Result};

use crate::config::read;
use crate::diff::SchemaOwner;
use crate::rpc::{PlannedChange, InstanceState};
use crate::{Action, Configuration, Harness, Diff, Invariant, Snapshot};

/// One resource through its life: configured, planned, created, read, changed, destroyed. The state is kept
/// here as core keeps it.
#[derive(Clone)]
pub struct Instance {
    pub(crate) harness: Harness,
    pub(crate) type_name: String,
    pub(crate) resource: Arc<dyn AnyResource>,
    pub(crate) stored: Option<InstanceState>,
}

impl Instance {
    pub(crate) fn new(harness: Harness, type_name: &str, resource: Arc<dyn AnyResource>) -> Instance {
        Instance { harness, type_name: type_name.into(), resource, stored: None }
    }

    /// The same resource with this state, computed values included: where a test begins in the middle.
    ///
    /// # Panics
    ///
    /// Where it does not fit the schema.
    #[track_caller]
    #[must_use]
    pub fn with_state(mut self, state: Configuration) -> Instance {
        let read = self.read(&state);
        let value = self.expect("the starting state", read);
        self.harness.sensitive_values().record(&self.resource.schema().block, &value);
        self.stored = Some(InstanceState::new(value, Vec::new()));
        self
    }

    /// What would be done for this configuration. Nothing is changed.
    ///
    /// # Panics
    ///
    /// Where the configuration is refused, or a law is broken.
    #[track_caller]
    pub fn plan(&mut self, config: Configuration) -> Diff {
        let planned = match self.read(&config) {
            Ok(it) => self.plan_change(&it),
            Err(errors) => Err(errors),
        };
        let change = self.expect("the plan", planned);
        self.diff(&change)
    }

    /// Plans and does it, and checks afterwards that nothing is left to do. Answers what was done.
    ///
    /// # Panics
    ///
    /// Where it fails, or a law is broken.
    #[track_caller]
    pub fn apply(&mut self, config: Configuration) -> Diff {
        let applied = self.try_apply(&config, &config);
        self.expect("the apply", applied)
    }

    /// Plans with a configuration that holds [`unknown()`](crate::unknown) values, as where another resource
    /// is still to be created, and then does it with the configuration as it turned out. Answers what was
    /// planned first.
    ///
    /// # Panics
    ///
    /// Where it fails, or a law is broken.
    #[track_caller]
    pub fn apply_once_known(&mut self, first: Configuration, last: Configuration) -> Diff {
        let applied = self.try_apply(&first, &last);
        self.expect("the apply", applied)
    }

    /// Plans and does what must fail on the way, and answers the errors and warnings. A state that the
    /// provider has kept is kept here; one that is left by a creation is tainted.
    ///
    /// # Panics
    ///
    /// Where nothing fails, or a law is broken.
    #[track_caller]
    pub fn expect_error(&mut self, config: Configuration) -> Diagnostics {
        match self.try_apply(&config, &config) {
            Err(errors) => errors,
            Ok(done) => panic!("an error is expected, but it went well:\n{done}"),
        }
    }

    /// Reads the object again, and answers what has changed without Terraform. Where the object is gone, so
    /// is the state.
    ///
    /// # Panics
    ///
    /// Where there is no state, reading fails, or a law is broken.
    #[track_caller]
    pub fn refresh(&mut self) -> Diff {
        let read = self.try_refresh();
        self.expect("the reading", read)
    }

    /// What would be done to destroy the object, and why it is put off, where it is. Nothing is changed.
    ///
    /// # Panics
    ///
    /// Where there is no state, the destruction is refused, or a law is broken.
    #[track_caller]
    pub fn plan_destroy(&mut self) -> Diff {
        let stored = self.stored.as_ref().unwrap_or_else(|| panic!("{} has no state", self.type_name));
        let planned = self.plan_destruction(stored);
        let change = self.expect("the plan to destroy", planned);
        self.diff(&change)
    }

    /// Plans to destroy the object and does it, and checks that nothing is left of it.
    ///
    /// # Panics
    ///
    /// Where there is no state, it fails, or a law is broken.
    #[track_caller]
    pub fn destroy(&mut self) {
        let destroyed = self.try_destroy();
        self.expect("the destruction", destroyed);
    }

    /// Destroys what must refuse to be, when that is planned or done, and answers the errors and warnings. The state
    /// stays.
    ///
    /// # Panics
    ///
    /// Where it goes well, or a law is broken.
    #[track_caller]
    pub fn expect_destroy_error(&mut self) -> Diagnostics {
        match self.try_destroy() {
            Err(errors) => errors,
            Ok(()) => panic!("an error is expected, but {} was destroyed", self.type_name),
        }
    }

    /// True where there is a state.
    pub fn exists(&self) -> bool {
        self.stored.is_some()
    }

    /// True where the object was only half made: the next apply replaces it.
    pub fn is_tainted(&self) -> bool {
        self.stored.as_ref().is_some_and(|it| it.tainted)
    }

    /// The state.
    ///
    /// # Panics
    ///
    /// Where there is none.
    #[track_caller]
    pub fn state(&self) -> Snapshot {
        match &self.stored {
            Some(it) => self.snapshot(&it.value),
            None => panic!("{} has no state: it was not created, or is gone", self.type_name),
        }
    }

    /// The configuration as core reads it.
    pub(crate) fn read(&self, config: &Configuration) -> Result<Value> {
        read(&self.resource.schema().block, config)
    }

    pub(crate) fn snapshot(&self, value: &Value) -> Snapshot {
        Snapshot { owner: SchemaOwner::Resource(self.resource.clone()), value: value.clone() }
    }

    /// A change in the form for tests.
    pub(crate) fn diff(&self, change: &PlannedChange) -> Diff {
        let side = |it: &Value| (!it.is_null()).then(|| self.snapshot(it));
        let before = self.stored.as_ref().and_then(|it| side(&it.value));
        Diff {
            action: change.action,
            before,
            after: side(&change.planned),
            identity: change.identity.as_ref().map(|it| self.identity_snapshot(it)),
            requires_replace: change.requires_replace.clone(),
            deferred: change.deferred,
            warnings: change.warnings.clone(),
        }
    }

    /// Plans with the first configuration, and applies with the last.
    #[track_caller]
    fn try_apply(&mut self, first: &Configuration, last: &Configuration) -> Result<Diff> {
        let (first, last) = (self.read(first)?, &self.read(last)?);
        let change = self.plan_change(&first)?;
        let mut diff = self.diff(&change);
        diff.warnings.extend(self.apply_change(change, last)?);
        self.check_convergence(last)?;
        Ok(diff)
    }

    /// What holds once everything is applied: nothing has changed, and nothing is to be done.
    #[track_caller]
    fn check_convergence(&mut self, config: &Value) -> Result<()> {
        // Without its identity, which must come back: it follows from the state.
        let known = self.stored.as_mut().and_then(|it| it.identity.take());
        let again = self.try_refresh()?;
        if self.stored.as_ref().is_some_and(|it| it.identity != known) {
            let step = format!("reading {} without its identity", self.type_name);
            let what = "the object came with another identity than the one that it has";
            self.harness.report(crate::invariant::Violation::new(Invariant::IdentityIsStable, &step, Path::ROOT, what));
        }
        self.expect_no_op(Invariant::RefreshIsIdempotent, "reading", &again);
        let again = self.plan_change(config)?;
        let again = self.diff(&again);
        self.expect_no_op(Invariant::PlanIsEmptyAfterApply, "planning", &again);
        Ok(())
    }

    #[track_caller]
    fn expect_no_op(&self, invariant: Invariant, doing: &str, again: &Diff) {
        if again.action != Action::NoOp {
            let what = format!("{doing} once more gave:\n{again}");
            let step = format!("{doing} {} again after apply", self.type_name);
            self.harness.report(crate::invariant::Violation::new(law, &step, Path::ROOT, what));
        }
    }

    /// The value of a step that must go well.
    #[track_caller]
    pub(crate) fn expect<T>(&self, step: &str, result: Result<T>) -> T {
        result.unwrap_or_else(|errors| {
            let errors = self.harness.sensitive_values().redact(&errors.to_string());
            panic!("{step} of {} failed:\n{errors}", self.type_name)
        })
    }
}
