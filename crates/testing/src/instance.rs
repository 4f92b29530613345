//! The lifecycle of one resource instance: plan, apply, refresh, destroy.

use std::sync::Arc;

use ferroform::raw::AnyResource;
use ferroform::value::{Path, Value};
use ferroform::{Deferral, Diagnostics};

use crate::cleanup::ObjectId;
use crate::config::evaluate;
use crate::diff::SchemaOwner;
use crate::instance_state::InstanceState;
use crate::outcome::StepFailure;
use crate::{Action, Configuration, Diff, Harness, Invariant, Outcome, Snapshot};

/// A resource instance under test; see [`Harness::resource`].
///
/// The instance keeps the state between the steps, as Terraform does. Each step checks
/// [invariants](crate::Invariant#invariants-of-the-harness).
///
/// ```no_run
/// # fn example(harness: ferroform_testing::Harness) {
/// use ferroform::path;
/// use ferroform_testing::{Action, config};
///
/// let mut file = harness.resource("local_file");
/// file.apply(config! { filename = "a.txt", content = "one" });
///
/// let planned = file.plan(config! { filename = "a.txt", content = "two" });
/// assert_eq!(planned.action, Action::Replace);
/// assert_eq!(planned.requires_replace, [path!(content)]);
///
/// let errors = file.try_apply(config! { filename = "", content = "two" }).error();
/// assert!(errors.has_error());
/// file.destroy();
/// # }
/// ```
#[derive(Clone)]
pub struct Instance {
    pub(crate) harness: Harness,
    pub(crate) type_name: String,
    pub(crate) resource: Arc<dyn AnyResource>,
    pub(crate) stored: Option<InstanceState>,
    /// Set if the harness has created the object.
    pub(crate) created: Option<ObjectId>,
}

/// The response to PlanResourceChange, with the action that follows from it.
pub(crate) struct PlannedChange {
    pub(crate) action: Action,
    pub(crate) planned: Value,
    pub(crate) private: Vec<u8>,
    pub(crate) identity: Option<Value>,
    pub(crate) requires_replace: Vec<Path>,
    pub(crate) deferred: Option<Deferral>,
    pub(crate) warnings: Diagnostics,
}

impl Harness {
    /// Returns a resource instance of this type that does not exist yet.
    ///
    /// # Panics
    ///
    /// Panics if the provider has no resource of this type.
    #[track_caller]
    pub fn resource(&self, type_name: &str) -> Instance {
        let resource = self.find(type_name);
        Instance { harness: self.clone(), type_name: type_name.into(), resource, stored: None, created: None }
    }
}

impl Instance {
    /// The value in the state; null if there is no state.
    pub(crate) fn stored_value(&self) -> Value {
        self.stored.as_ref().map_or(Value::Null, |it| it.value.clone())
    }

    /// Sets the state, including computed values, for a test that starts with an existing object.
    ///
    /// # Panics
    ///
    /// Panics if the state does not conform to the schema.
    #[track_caller]
    #[must_use]
    pub fn with_state(mut self, state: Configuration) -> Instance {
        let evaluated = self.evaluate(&state);
        let value = self.outcome("the initial state", evaluated).ok();
        self.harness.sensitive_values().record(&self.resource.schema().block, &value);
        self.stored = Some(InstanceState::new(value, Vec::new()));
        self
    }

    /// Validates the configuration and plans the change, without applying it. A deferred plan has a planned state too:
    /// [`Diff::deferred`] contains the reason.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn plan(&mut self, config: Configuration) -> Diff {
        self.try_plan(config).ok()
    }

    /// Plans the configuration, and asserts that the plan has no changes: for an object that was imported, or whose state was
    /// upgraded or moved. After an [`apply`](Instance::apply) of the same configuration, the harness checks this itself.
    ///
    /// ```no_run
    /// # fn example(harness: ferroform_testing::Harness) {
    /// use ferroform_testing::config;
    ///
    /// let mut disk = harness.resource("cloud_disk");
    /// disk.import("a");
    /// disk.expect_empty_plan(config! { name = "a", size = 10 });
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the plan has a change, with the change of each attribute. Panics if an error is reported, or if an invariant is
    /// violated.
    #[track_caller]
    pub fn expect_empty_plan(&mut self, config: Configuration) {
        let planned = self.plan(config);
        assert!(planned.action == Action::NoOp, "the plan of {} has changes:\n{planned}", self.type_name);
    }

    /// Like [`plan`](Instance::plan), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_plan(&mut self, config: Configuration) -> Outcome<Diff> {
        let change = self.evaluate(&config).map_err(StepFailure::from).and_then(|it| self.plan_change(&it));
        self.diff_outcome("the plan", change.map(|it| self.diff(&it)))
    }

    /// Plans and applies the configuration, and returns the planned change.
    ///
    /// After the apply, a refresh must find no drift and a second plan must be empty.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, if the change is deferred, or if an invariant is violated.
    #[track_caller]
    pub fn apply(&mut self, config: Configuration) -> Diff {
        self.try_apply(config).ok()
    }

    /// Like [`apply`](Instance::apply), but returns the outcome instead of panicking. The instance keeps a partial state
    /// that the provider returns. The state of a failed `create` is tainted.
    #[track_caller]
    pub fn try_apply(&mut self, config: Configuration) -> Outcome<Diff> {
        let applied = self.plan_and_apply(&config, &config);
        self.outcome("the apply", applied)
    }

    /// Plans a configuration with [`unknown()`](crate::unknown) values, applies it with the known ones, and returns the
    /// first plan.
    ///
    /// A configuration has unknown values if it refers to a resource that is not created yet.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, if the change is deferred, or if an invariant is violated.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # fn example(harness: ferroform_testing::Harness) {
    /// use ferroform_testing::{config, unknown};
    ///
    /// let mut disk = harness.resource("cloud_disk");
    /// disk.apply_once_known(config! { name = "a", network = unknown() }, config! { name = "a", network = "n-1" });
    /// # }
    /// ```
    #[track_caller]
    pub fn apply_once_known(&mut self, first: Configuration, last: Configuration) -> Diff {
        self.try_apply_once_known(first, last).ok()
    }

    /// Like [`apply_once_known`](Instance::apply_once_known), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_apply_once_known(&mut self, first: Configuration, last: Configuration) -> Outcome<Diff> {
        let applied = self.plan_and_apply(&first, &last);
        self.outcome("the apply", applied)
    }

    /// Reads the object and returns the drift. If the object no longer exists, the state is removed. If the read is
    /// deferred, [`Diff::deferred`] contains the reason.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn refresh(&mut self) -> Diff {
        self.try_refresh().ok()
    }

    /// Like [`refresh`](Instance::refresh), but returns the outcome instead of panicking.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, or if an invariant is violated.
    #[track_caller]
    pub fn try_refresh(&mut self) -> Outcome<Diff> {
        let read = self.read();
        self.diff_outcome("the read", read)
    }

    /// Plans to destroy the object, without applying the plan. If the plan is deferred, [`Diff::deferred`] contains
    /// the reason.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn plan_destroy(&mut self) -> Diff {
        self.try_plan_destroy().ok()
    }

    /// Like [`plan_destroy`](Instance::plan_destroy), but returns the outcome instead of panicking.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, or if an invariant is violated.
    #[track_caller]
    pub fn try_plan_destroy(&mut self) -> Outcome<Diff> {
        let stored = self.stored.as_ref().unwrap_or_else(|| panic!("{} has no state", self.type_name));
        let planned = self.plan_delete(stored);
        self.diff_outcome("the plan to destroy", planned.map(|it| self.diff(&it)))
    }

    /// Plans to destroy the object, applies the plan, and checks that a read finds nothing afterwards.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, if an error is reported, if the destroy is deferred, or if an invariant is violated.
    #[track_caller]
    pub fn destroy(&mut self) {
        self.try_destroy().ok();
    }

    /// Like [`destroy`](Instance::destroy), but returns the outcome instead of panicking. If it fails, the instance
    /// keeps its state.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, or if an invariant is violated.
    #[track_caller]
    pub fn try_destroy(&mut self) -> Outcome<()> {
        let destroyed = self.plan_and_destroy();
        self.outcome("the destroy", destroyed)
    }

    /// Returns true if the instance has a state.
    pub fn exists(&self) -> bool {
        self.stored.is_some()
    }

    /// Returns true if `create` failed after it had returned a partial state. The next apply replaces a tainted object.
    pub fn is_tainted(&self) -> bool {
        self.stored.as_ref().is_some_and(|it| it.tainted)
    }

    /// Returns the state.
    ///
    /// # Panics
    ///
    /// Panics if there is none.
    #[track_caller]
    pub fn state(&self) -> Snapshot {
        match &self.stored {
            Some(it) => self.snapshot(&it.value),
            None => panic!("{} has no state: the object was not created, or it was deleted", self.type_name),
        }
    }

    /// Evaluates the configuration for the schema of the resource.
    pub(crate) fn evaluate(&self, config: &Configuration) -> Result<Value, Diagnostics> {
        evaluate(&self.resource.schema().block, config)
    }

    pub(crate) fn snapshot(&self, value: &Value) -> Snapshot {
        Snapshot::new(SchemaOwner::Object(self.resource.clone()), value.clone())
    }

    /// Converts a planned change for the test.
    pub(crate) fn diff(&self, change: &PlannedChange) -> Diff {
        let snapshot = |it: &Value| (!it.is_null()).then(|| self.snapshot(it));
        let before = self.stored.as_ref().and_then(|it| snapshot(&it.value));
        Diff {
            action: change.action,
            before,
            after: snapshot(&change.planned),
            identity: change.identity.as_ref().map(|it| self.identity_snapshot(it)),
            requires_replace: change.requires_replace.clone(),
            deferred: change.deferred,
            warnings: change.warnings.clone(),
        }
    }

    /// Plans with the first configuration and applies with the last one.
    #[track_caller]
    fn plan_and_apply(&mut self, first: &Configuration, last: &Configuration) -> Result<Diff, StepFailure> {
        let (first, last) = (self.evaluate(first)?, self.evaluate(last)?);
        self.plan_and_apply_values(&first, &last)
    }

    /// Plans with the first configuration, applies with the last one, and checks that the object converges.
    #[track_caller]
    pub(crate) fn plan_and_apply_values(&mut self, first: &Value, last: &Value) -> Result<Diff, StepFailure> {
        let change = self.plan_change(first)?;
        let mut diff = self.diff(&change);
        diff.warnings.extend(self.apply_change(change, last)?);
        self.check_convergence(last)?;
        Ok(diff)
    }

    /// Checks that a refresh finds no drift and that a second plan is empty.
    #[track_caller]
    fn check_convergence(&mut self, config: &Value) -> Result<(), StepFailure> {
        // The read request contains no identity, so the provider must derive it from the state.
        let identity = self.stored.as_mut().and_then(|it| it.identity.take());
        let second_read = self.read()?;
        if self.stored.as_ref().is_some_and(|it| it.identity != identity) {
            let step = format!("the read of {} without its identity", self.type_name);
            let problem = "the read returned another identity than the stored one";
            self.harness.report(crate::invariant::Violation::new(
                Invariant::IdentityIsStable,
                &step,
                Path::ROOT,
                problem,
            ));
        }
        self.expect_no_op(Invariant::RefreshIsIdempotent, "read", &second_read);
        let second_plan = self.plan_change(config)?;
        let second_plan = self.diff(&second_plan);
        self.expect_no_op(Invariant::PlanIsEmptyAfterApply, "plan", &second_plan);
        Ok(())
    }

    #[track_caller]
    fn expect_no_op(&self, invariant: Invariant, operation: &str, diff: &Diff) {
        if diff.action != Action::NoOp {
            let problem = format!("the second {operation} returned:\n{diff}");
            let step = format!("the {operation} of {} after apply", self.type_name);
            self.harness.report(crate::invariant::Violation::new(invariant, &step, Path::ROOT, problem));
        }
    }

    /// Returns the outcome of a step of this instance.
    pub(crate) fn outcome<T>(&self, step: &str, result: Result<T, impl Into<StepFailure>>) -> Outcome<T> {
        Outcome::new(&self.harness, format!("{step} of {}", self.type_name), result)
    }

    fn diff_outcome(&self, step: &str, diff: Result<Diff, StepFailure>) -> Outcome<Diff> {
        Outcome::of_diff(&self.harness, format!("{step} of {}", self.type_name), diff)
    }
}
