//! The RPCs that Terraform sends for a resource, in its order, and the checks of their responses.
//!
//! An apply consists of a validation, a plan, a final plan and an ApplyResourceChange; see [`Instance::plan_change`]
//! and [`Instance::apply_change`].

use ferroform::schema::Block;
use ferroform::value::{Path, Type, Value, json};
use ferroform::{Deferral, Diagnostic, Diagnostics};
use ferroform_engine::Kind;
use ferroform_engine::provider::AnyResource;
use ferroform_engine::{ApplyRequest, Owner, PlanRequest, ReadRequest, contract};

use crate::harness::lock;
use crate::instance::PlannedChange;
use crate::instance_state::InstanceState;
use crate::invariant::Violation;
use crate::outcome::StepFailure;
use crate::{Action, Diff, Instance, Invariant};

impl Instance {
    fn block(&self) -> &Block {
        &self.resource.schema().block
    }

    fn ty(&self) -> &Type {
        self.block().ty()
    }

    pub(crate) fn owner(&self) -> Owner<'_> {
        Kind::Resource.named(&self.type_name)
    }

    #[track_caller]
    pub(crate) fn check_diagnostics(
        &self,
        step: &str,
        found: Diagnostics,
    ) -> Result<Diagnostics, Diagnostics> {
        self.harness.check_diagnostics(step, self.owner(), found)
    }

    /// Validates the configuration and plans the change.
    #[track_caller]
    pub(crate) fn plan_change(&self, config: &Value) -> Result<PlannedChange, StepFailure> {
        self.plan_change_with(config, config, false)
    }

    /// Validates the configuration and plans the change, or a replacement that the provider does not require. The planned
    /// configuration contains the prior values of `ignore_changes`.
    #[track_caller]
    pub(crate) fn plan_change_with(
        &self,
        validated: &Value,
        config: &Value,
        forces_replacement: bool,
    ) -> Result<PlannedChange, StepFailure> {
        let step = format!("the validation of {}", self.type_name);
        self.harness.sensitive_values().record(self.block(), validated);
        let received_config = self.harness.round_trip(&step, validated, self.ty());
        let omitted_blocks = self.harness.check_omitted_blocks(&self.type_name, &received_config);
        let response = self.harness.server().validate_config(self.owner(), received_config, true);
        let mut warnings = self.harness.run_for_diagnostics(&step, self.owner(), response)?;
        warnings.extend(self.check_diagnostics(&step, omitted_blocks)?);

        let tainted = self.stored.as_ref().is_some_and(|it| it.tainted);
        let prior = self.stored.as_ref().filter(|it| !it.tainted);
        let no_object = InstanceState::new(Value::Null, Vec::new());
        let mut change = self.plan_once(config, prior.unwrap_or(&no_object))?;
        if forces_replacement && prior.is_some() {
            change.action = Action::Replace;
        }
        if change.action == Action::Replace {
            // Terraform plans a replacement again as the creation of the new object, without `ignore_changes`.
            let old = InstanceState {
                identity: change.identity,
                ..InstanceState::new(Value::Null, change.private)
            };
            let creation = self.plan_once(validated, &old)?;
            change.planned = creation.planned;
            change.private = creation.private;
            change.identity = creation.identity;
        }
        if tainted {
            change.action = Action::Replace;
        }
        warnings.extend(std::mem::take(&mut change.warnings));
        Ok(PlannedChange { warnings, ..change })
    }

    /// Sends PlanResourceChange once and checks the response as Terraform does.
    #[track_caller]
    fn plan_once(&self, config: &Value, before: &InstanceState) -> Result<PlannedChange, StepFailure> {
        let prior = &before.value;
        let step = format!("the plan of {}", self.type_name);
        let (block, ty) = (self.block(), self.ty());
        let round_trip = |it: &Value| self.harness.round_trip(&step, it, ty);
        let request = PlanRequest {
            type_name: self.type_name.clone(),
            prior: Some(round_trip(prior)),
            is_destroy: false,
            config: Some(round_trip(config)),
            prior_private: before.private.clone(),
            prior_identity: self.round_trip_identity(&step, before.identity.as_ref()),
            metadata: self.harness.metadata(),
        };
        let response = self.harness.run(&step, self.harness.server().plan_resource_change(request), |it| {
            self.record(it.planned.as_ref())
        });
        let warnings = self.check_diagnostics(&step, response.diagnostics)?;
        let Some(planned) = response.planned.filter(|it| !it.is_null()) else {
            let problem = "the planned state is null although an object is configured";
            self.harness.report(Violation::new(
                Invariant::PlanMatchesConfiguration,
                &step,
                Path::ROOT,
                problem,
            ));
            return Err(Diagnostic::error(problem).into());
        };
        self.harness.check(
            Invariant::PlanMatchesConfiguration,
            &step,
            &contract::check_type(block, &planned),
        );
        self.harness.check(
            Invariant::PlanMatchesConfiguration,
            &step,
            &contract::check_plan(block, config, prior, &planned),
        );
        let planned = round_trip(&planned);
        let requires_replace = self.replacements(&step, prior, &planned, response.requires_replace);
        let action = match prior {
            Value::Null => Action::Create,
            _ if !requires_replace.is_empty() => Action::Replace,
            _ if planned == *prior => Action::NoOp,
            _ => Action::Update,
        };
        let kept_identity =
            before.identity.as_ref().filter(|_| !matches!(action, Action::Create | Action::Replace));
        self.check_identity(&step, kept_identity, response.identity.as_ref());
        let identity = self.round_trip_identity(&step, response.identity.as_ref());
        let (private, deferred) = (response.private, response.deferred);
        Ok(PlannedChange { action, planned, private, identity, requires_replace, deferred, warnings })
    }

    /// Returns the paths that require replacement. Terraform ignores the paths whose value does not change.
    #[track_caller]
    fn replacements(&self, step: &str, prior: &Value, planned: &Value, paths: Vec<Path>) -> Vec<Path> {
        if prior.is_null() {
            return Vec::new();
        }
        let found = contract::check_replacements(self.block(), prior, planned, &paths);
        self.harness.check(Invariant::PlanMatchesConfiguration, step, &found);
        let is_changed = |path: &Path| match (prior.at(path), planned.at(path)) {
            (None, None) => false,
            (old, new) => {
                let write_only = matches!(path.steps(), [ferroform::value::Step::Attribute(name)]
                    if self.block().get(name).is_some_and(|it| it.is_write_only()));
                let null = &Value::Null;
                write_only
                    || old.unwrap_or(null) != new.unwrap_or(null)
                    || new.is_some_and(|it| !it.is_wholly_known())
            }
        };
        paths.into_iter().filter(is_changed).collect()
    }

    /// Applies a planned change with the final configuration, and returns the warnings.
    #[track_caller]
    pub(crate) fn apply_change(
        &mut self,
        change: PlannedChange,
        config: &Value,
    ) -> Result<Diagnostics, StepFailure> {
        let mut warnings = Diagnostics::new();
        if let Some(reason) = change.deferred {
            return Err(StepFailure::Deferred(reason));
        }
        if !config.is_wholly_known() {
            let summary = "A configuration with unknown values cannot be applied: use `apply_once_known`";
            return Err(Diagnostic::error(summary).into());
        }
        match change.action {
            Action::NoOp | Action::Delete => return Ok(warnings),
            // Terraform does not plan to destroy a replaced object separately.
            Action::Replace => {
                let private = self.stored.as_ref().map(|it| it.private.clone()).unwrap_or_default();
                warnings.extend(self.delete(private)?);
            }
            Action::Create | Action::Update => {}
        }
        // The final plan, which Terraform makes once the dependencies are applied.
        let last = self.plan_change(config)?;
        let step = format!("the final plan of {}", self.type_name);
        if self.matches_first_plan(&step, &change, &last) {
            warnings.extend(self.apply_once(last, config)?);
        }
        Ok(warnings)
    }

    /// Checks that the final plan is consistent with the first plan. The final plan of a replacement is a creation,
    /// because the old object has been deleted. Returns false if nothing remains to be applied.
    #[track_caller]
    pub(crate) fn matches_first_plan(&self, step: &str, first: &PlannedChange, last: &PlannedChange) -> bool {
        let expected = if first.action == Action::Replace { Action::Create } else { first.action };
        let is_now_empty = expected == Action::Update && last.action == Action::NoOp;
        if last.action != expected && !is_now_empty {
            let problem = format!("the planned action changed from {expected} to {}", last.action);
            self.harness.report(Violation::new(Invariant::FinalPlanMatchesPlan, step, Path::ROOT, problem));
        }
        let found = contract::check_final_plan(self.block(), &first.planned, &last.planned);
        self.harness.check(Invariant::FinalPlanMatchesPlan, step, &found);
        !is_now_empty
    }

    /// Sends an ApplyResourceChange that creates or updates the object.
    #[track_caller]
    pub(crate) fn apply_once(
        &mut self,
        change: PlannedChange,
        config: &Value,
    ) -> Result<Diagnostics, StepFailure> {
        let creates = change.action == Action::Create;
        let method = if creates { "create" } else { "update" };
        let step = format!("`{method}` of {}", self.type_name);
        let ty = self.ty();
        let round_trip = |it: &Value| self.harness.round_trip(&step, it, ty);
        let prior = self.stored_value();
        let request = ApplyRequest {
            type_name: self.type_name.clone(),
            prior: Some(round_trip(&prior)),
            planned: Some(round_trip(&change.planned)),
            config: Some(round_trip(config)),
            planned_private: change.private,
            planned_identity: change.identity.clone(),
            metadata: self.harness.metadata(),
        };
        let response = self.harness.run(&step, self.harness.server().apply_resource_change(request), |it| {
            self.record(it.state.as_ref())
        });
        let failed = response.diagnostics.has_error();
        let state = response.state.unwrap_or(Value::Null);
        if !state.is_null() {
            let (private, identity) = (response.private, response.identity.clone());
            let tainted = creates && failed;
            let state = InstanceState { value: state.clone(), private, identity, tainted };
            // Recorded before any check can fail the test.
            if creates {
                self.created = Some(lock(&self.harness.shared.created).add(&self.type_name, state.clone()));
            }
            self.check_identity(&step, change.identity.as_ref(), response.identity.as_ref());
            self.store(&step, state);
        }
        let warnings = self.check_diagnostics(&step, response.diagnostics)?;
        self.check_identity_is_set(&step, response.identity.as_ref());
        if state.is_null() {
            let problem = "the new state is null although an object was planned and no error was reported";
            self.harness.report(Violation::new(Invariant::ResultMatchesPlan, &step, Path::ROOT, problem));
        }
        let found = contract::check_new_state(self.block(), &change.planned, &state);
        self.harness.check(Invariant::ResultMatchesPlan, &step, &found);
        Ok(warnings)
    }

    /// Sends an ApplyResourceChange that deletes the object.
    #[track_caller]
    pub(crate) fn delete(&mut self, private: Vec<u8>) -> Result<Diagnostics, Diagnostics> {
        let step = format!("`delete` of {}", self.type_name);
        let Some(stored) = self.stored.clone() else {
            return Ok(Diagnostics::new());
        };
        let request = ApplyRequest {
            type_name: self.type_name.clone(),
            prior: Some(self.harness.round_trip(&step, &stored.value, self.ty())),
            planned: Some(Value::Null),
            config: Some(Value::Null),
            planned_private: private,
            planned_identity: stored.identity,
            metadata: self.harness.metadata(),
        };
        let response = self.harness.run(&step, self.harness.server().apply_resource_change(request), |it| {
            self.record(it.state.as_ref())
        });
        match response.state.filter(|it| !it.is_null()) {
            Some(state) if response.diagnostics.has_error() => {
                let (private, identity) = (response.private, response.identity);
                self.store(&step, InstanceState { value: state, private, identity, tainted: stored.tainted });
            }
            Some(_) => {
                let problem = "the new state is not null although the object was deleted without an error";
                self.harness.report(Violation::new(
                    Invariant::DestroyRemovesObject,
                    &step,
                    Path::ROOT,
                    problem,
                ));
            }
            None => self.forget(),
        }
        self.check_diagnostics(&step, response.diagnostics)
    }

    /// Sends a PlanResourceChange that destroys the object.
    #[track_caller]
    pub(crate) fn plan_delete(&self, stored: &InstanceState) -> Result<PlannedChange, StepFailure> {
        let step = format!("the plan to destroy {}", self.type_name);
        let request = PlanRequest {
            type_name: self.type_name.clone(),
            prior: Some(self.harness.round_trip(&step, &stored.value, self.ty())),
            is_destroy: true,
            config: Some(Value::Null),
            prior_private: stored.private.clone(),
            prior_identity: self.round_trip_identity(&step, stored.identity.as_ref()),
            metadata: self.harness.metadata(),
        };
        let response = self.harness.run(&step, self.harness.server().plan_resource_change(request), |_| ());
        let warnings = self.check_diagnostics(&step, response.diagnostics)?;
        let planned = response.planned.unwrap_or(Value::Null);
        if !planned.is_null() {
            let problem = "the planned state is not null although the object is to be destroyed";
            self.harness.report(Violation::new(
                Invariant::PlanMatchesConfiguration,
                &step,
                Path::ROOT,
                problem,
            ));
        }
        Ok(PlannedChange {
            action: Action::Delete,
            planned,
            private: response.private,
            identity: None,
            requires_replace: Vec::new(),
            deferred: response.deferred,
            warnings,
        })
    }

    /// Plans to destroy the object, applies the plan, and checks that a read finds nothing afterwards.
    #[track_caller]
    pub(crate) fn plan_and_destroy(&mut self) -> Result<(), StepFailure> {
        self.read()?;
        let Some(last) = self.stored.clone() else {
            return Ok(());
        };
        let planned = self.plan_delete(&last)?;
        if let Some(reason) = planned.deferred {
            return Err(StepFailure::Deferred(reason));
        }
        let warnings = planned.warnings;
        self.delete(planned.private)
            .map_err(|errors| warnings.into_iter().chain(errors).collect::<Diagnostics>())?;
        let step = format!("the read of {} after `delete`", self.type_name);
        let found = self.read_once(&step, &last)?.0;
        if !found.value.is_null() && !self.is_state_only() {
            let problem = "the read of the deleted object returned an object";
            self.harness.report(Violation::new(Invariant::DestroyRemovesObject, &step, Path::ROOT, problem));
        }
        Ok(())
    }

    /// True if the state is the only record of the object, so that it can be read after `delete`.
    fn is_state_only(&self) -> bool {
        let definitions = self.harness.server().provider().definitions();
        definitions.find::<dyn AnyResource>(&self.type_name).is_some_and(|it| it.capabilities().state_only)
    }

    /// Reads the object, stores the new state, and returns the drift.
    #[track_caller]
    pub(crate) fn read(&mut self) -> Result<Diff, StepFailure> {
        let step = format!("the read of {}", self.type_name);
        let before = self.state();
        let Some(stored) = self.stored.clone() else { unreachable!("`state` panics if there is no state") };
        let (read, deferred, warnings) = self.read_once(&step, &stored)?;
        let action = match &read.value {
            Value::Null => Action::Delete,
            it if *it == stored.value => Action::NoOp,
            _ => Action::Update,
        };
        let after = (!read.value.is_null()).then(|| self.snapshot(&read.value));
        let identity = read.identity.as_ref().map(|it| self.identity_snapshot(it));
        match after {
            Some(_) => self.store(&step, read),
            None => self.forget(),
        }
        Ok(Diff {
            action,
            before: Some(before),
            after,
            identity,
            requires_replace: Vec::new(),
            deferred,
            warnings,
        })
    }

    /// Sends ReadResource.
    #[track_caller]
    pub(crate) fn read_once(
        &self,
        step: &str,
        stored: &InstanceState,
    ) -> Result<(InstanceState, Option<Deferral>, Diagnostics), StepFailure> {
        let request = ReadRequest {
            type_name: self.type_name.clone(),
            state: Some(self.harness.round_trip(step, &stored.value, self.ty())),
            private: stored.private.clone(),
            identity: self.round_trip_identity(step, stored.identity.as_ref()),
            metadata: self.harness.metadata(),
        };
        let response = self
            .harness
            .run(step, self.harness.server().read_resource(request), |it| self.record(it.state.as_ref()));
        let warnings = self.check_diagnostics(step, response.diagnostics)?;
        let value = response.state.unwrap_or(Value::Null);
        if !value.is_null() {
            // A deferred read returns no identity.
            if response.deferred.is_none() {
                self.check_identity_is_set(step, response.identity.as_ref());
            }
            self.check_identity(step, stored.identity.as_ref(), response.identity.as_ref());
        }
        let (private, identity) = (response.private, response.identity);
        Ok((InstanceState { value, private, identity, tainted: stored.tainted }, response.deferred, warnings))
    }

    /// Stores a state after a round trip through JSON, because Terraform reads it from the state file at the next step.
    #[track_caller]
    pub(crate) fn store(&mut self, step: &str, stored: InstanceState) {
        if let Some(id) = self.created {
            lock(&self.harness.shared.created).update(id, &stored);
        }
        self.harness.check(
            Invariant::StateIsValid,
            step,
            &contract::check_state(self.block(), &stored.value),
        );
        let value = self.harness.round_trip(step, &stored.value, self.ty());
        let identity = self.round_trip_identity(step, stored.identity.as_ref());
        let version = self.resource.schema().version;
        let text = json::encode(&value, self.ty()).map_err(Diagnostics::from);
        let read = text.and_then(|it| self.upgraded(step, version, &it));
        let problem = match read {
            Ok(it) if it == value => None,
            Ok(_) => Some("the state changes when it is stored as JSON and read".to_owned()),
            Err(errors) => Some(format!("the state cannot be stored as JSON and read: {errors}")),
        };
        if let Some(problem) = problem {
            self.harness.report(Violation::new(Invariant::ValuesRoundTrip, step, Path::ROOT, problem));
        }
        self.stored = Some(InstanceState { value, identity, ..stored });
    }

    /// Removes the state of an object that no longer exists.
    fn forget(&mut self) {
        self.stored = None;
        if let Some(id) = self.created.take() {
            lock(&self.harness.shared.created).remove(id);
        }
    }

    pub(crate) fn record(&self, value: Option<&Value>) {
        if let Some(it) = value {
            self.harness.sensitive_values().record(self.block(), it);
        }
    }
}
