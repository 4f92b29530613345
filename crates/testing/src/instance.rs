//! The life of one resource instance: plan, apply, refresh, destroy.

use std::sync::Arc;

use ferroform::raw::AnyResource;
use ferroform::value::{Path, Value};
use ferroform::{Deferral, Diagnostics, Result};

use crate::cleanup::ObjectId;
use crate::config::evaluate;
use crate::diff::SchemaOwner;
use crate::instance_state::InstanceState;
use crate::{Action, Configuration, Diff, Harness, Invariant, Snapshot};

/// A resource instance under test; see [`Harness::resource`].
///
/// The instance keeps the state between the steps, as Terraform does. Each step checks every
/// [`Invariant`](crate::Invariant).
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
/// let errors = file.expect_error(config! { filename = "", content = "two" });
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
        let resource = self.server().find::<dyn AnyResource>(type_name);
        let resource = resource.unwrap_or_else(|error| panic!("{error}")).clone();
        Instance::new(self.clone(), type_name, resource)
    }
}

impl Instance {
    pub(crate) fn new(harness: Harness, type_name: &str, resource: Arc<dyn AnyResource>) -> Instance {
        Instance { harness, type_name: type_name.into(), resource, stored: None, created: None }
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
        let value = self.expect("the initial state", evaluated);
        self.harness.sensitive_values().record(&self.resource.schema().block, &value);
        self.stored = Some(InstanceState::new(value, Vec::new()));
        self
    }

    /// Validates the configuration and plans the change, without applying it.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn plan(&mut self, config: Configuration) -> Diff {
        let planned = match self.evaluate(&config) {
            Ok(it) => self.plan_change(&it),
            Err(errors) => Err(errors),
        };
        let change = self.expect("the plan", planned);
        self.diff(&change)
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
        let applied = self.try_apply(&config, &config);
        self.expect("the apply", applied)
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
        let applied = self.try_apply(&first, &last);
        self.expect("the apply", applied)
    }

    /// Plans and applies the configuration, which must fail, and returns the errors and warnings.
    ///
    /// The instance keeps a partial state that the provider returns. The state of a failed creation is tainted.
    ///
    /// # Panics
    ///
    /// Panics if no error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn expect_error(&mut self, config: Configuration) -> Diagnostics {
        match self.try_apply(&config, &config) {
            Err(errors) => errors,
            Ok(applied) => panic!("expected an error, but the apply succeeded:\n{applied}"),
        }
    }

    /// Reads the object and returns the drift. If the object no longer exists, the state is removed.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn refresh(&mut self) -> Diff {
        let read = self.try_refresh();
        self.expect("the read", read)
    }

    /// Plans the destruction of the object, without applying it.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn plan_destroy(&mut self) -> Diff {
        let stored = self.stored.as_ref().unwrap_or_else(|| panic!("{} has no state", self.type_name));
        let planned = self.plan_destruction(stored);
        let change = self.expect("the plan to destroy", planned);
        self.diff(&change)
    }

    /// Plans and applies the destruction of the object, and checks that a read finds nothing afterwards.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn destroy(&mut self) {
        let destroyed = self.try_destroy();
        self.expect("the destruction", destroyed);
    }

    /// Plans and applies the destruction of the object, which must fail, and returns the errors and warnings.
    ///
    /// The instance keeps its state.
    ///
    /// # Panics
    ///
    /// Panics if no error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn expect_destroy_error(&mut self) -> Diagnostics {
        match self.try_destroy() {
            Err(errors) => errors,
            Ok(()) => panic!("expected an error, but {} was destroyed", self.type_name),
        }
    }

    /// Returns true if the instance has a state.
    pub fn exists(&self) -> bool {
        self.stored.is_some()
    }

    /// Returns true if the creation failed partway. The next apply replaces a tainted object.
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
    pub(crate) fn evaluate(&self, config: &Configuration) -> Result<Value> {
        evaluate(&self.resource.schema().block, config)
    }

    pub(crate) fn snapshot(&self, value: &Value) -> Snapshot {
        Snapshot { owner: SchemaOwner::Object(self.resource.clone()), value: value.clone() }
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
    fn try_apply(&mut self, first: &Configuration, last: &Configuration) -> Result<Diff> {
        let (first, last) = (self.evaluate(first)?, &self.evaluate(last)?);
        let change = self.plan_change(&first)?;
        let mut diff = self.diff(&change);
        diff.warnings.extend(self.apply_change(change, last)?);
        self.check_convergence(last)?;
        Ok(diff)
    }

    /// Checks that a refresh finds no drift and that a second plan is empty.
    #[track_caller]
    fn check_convergence(&mut self, config: &Value) -> Result<()> {
        // The read request contains no identity, so the provider must derive it from the state.
        let identity = self.stored.as_mut().and_then(|it| it.identity.take());
        let second_read = self.try_refresh()?;
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

    /// Returns the value of a step, and panics if the step failed.
    #[track_caller]
    pub(crate) fn expect<T>(&self, step: &str, result: Result<T>) -> T {
        result.unwrap_or_else(|errors| {
            let errors = self.harness.sensitive_values().redact(&errors.to_string());
            panic!("{step} of {} failed:\n{errors}", self.type_name)
        })
    }
}
