//! The run of a sequence: its steps, their checks, and their record.

use std::sync::Arc;
use std::time::Duration;

use ferroform::Diagnostics;
use ferroform::value::{Path, Value};
use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_engine::{Kind, contract};

use super::choices::Choices;
use super::hcl;
use super::intercept::{Fault, Method};
use super::leaks::{Leak, find_leak};
use super::provider_under_test::ProviderUnderTest;
use super::step::{SequenceEnd, StepResult};
use super::target::Target;
use crate::instance_state::InstanceState;
use crate::invariant::Violation;
use crate::outcome::StepFailure;
use crate::workspace::provider_type;
use crate::{Action, Diff, Harness, Instance, Invariant};

/// The run of a sequence of steps.
pub(super) struct SequenceRun<'a> {
    pub(super) provider: &'a ProviderUnderTest,
    pub(super) harness: Harness,
    pub(super) choices: Choices,
    /// The attributes of the base configuration that are omitted, with the values that they then have.
    pub(super) omitted: Vec<(Arc<str>, Value)>,
    /// The steps so far, in the form in which they are reported.
    pub(super) steps: Vec<String>,
    /// The steps before them, which create the objects to which the configurations refer.
    pub(super) related_steps: Vec<String>,
    /// The description of the fault that is injected into the next step, for the report.
    pub(super) next_fault: Option<String>,
}

/// A resource instance with its name in the report.
pub(super) struct CheckedInstance<'a> {
    pub(super) target: &'a Target,
    pub(super) label: &'static str,
    /// The suffix of its steps in the report: ` by another program`, or empty.
    actor: &'static str,
    pub(super) instance: Instance,
    /// The configuration that was applied last.
    applied: Option<Value>,
}

/// The outcome of a step with a fault.
pub(super) enum FaultOutcome {
    /// The method has no such await point.
    NotReached,
    Succeeded,
    Failed,
}

impl<'a> SequenceRun<'a> {
    /// Records a step, with its fault.
    pub(super) fn record(&mut self, step: impl Into<String>) {
        let fault = self.next_fault.take().map(|it| format!("\nand {it}"));
        self.steps.push(step.into() + &fault.unwrap_or_default());
    }

    /// Records a step with a configuration.
    pub(super) fn record_configuration(&mut self, verb: &str, target: &Target, label: &str, config: &Value) {
        let name = match target.kind {
            Kind::Provider => provider_type(self.provider.intercepted.address()),
            _ => &target.name,
        };
        let block = hcl::block(target.kind, name, label, target.block(), config, &target.links);
        self.record(hcl::step(verb, &block));
    }

    /// Ends the sequence if an invariant was violated since the last call.
    pub(super) fn check(&self) -> StepResult {
        if let Some((invariant, problem)) = self.provider.interceptor.take_problem() {
            return Err(self.violated(invariant, problem));
        }
        let mut violations = self.harness.take_violations();
        let independent = violations.iter().position(|it| is_sequence_independent(it.invariant));
        match violations.is_empty() {
            true => Ok(()),
            false => Err(SequenceEnd::Violated(violations.swap_remove(independent.unwrap_or(0)))),
        }
    }

    /// Ignores violations of invariants that require a sequence of steps as Terraform performs it, because this sequence is not one.
    pub(super) fn tolerate<T>(&self, step: StepResult<T>) -> StepResult {
        match step {
            Err(SequenceEnd::Violated(it)) if is_sequence_independent(it.invariant) => {
                Err(SequenceEnd::Violated(it))
            }
            _ => Ok(()),
        }
    }

    /// A violation in the last step.
    pub(super) fn violated(&self, invariant: Invariant, problem: impl Into<String>) -> SequenceEnd {
        self.violated_at(invariant, Path::ROOT, problem)
    }

    pub(super) fn violated_at(
        &self,
        invariant: Invariant,
        path: Path,
        problem: impl Into<String>,
    ) -> SequenceEnd {
        let step = self.steps.last().map_or("the start of the provider", String::as_str);
        let step = step.lines().next().unwrap_or_default();
        let problem = self.harness.sensitive_values().redact(&problem.into());
        SequenceEnd::Violated(Violation::new(invariant, step, path, problem))
    }

    /// Runs steps that must succeed because of an invariant, and reports each violation in them as a violation of this invariant.
    pub(super) fn within<T>(
        &mut self,
        invariant: Invariant,
        steps: impl FnOnce(&mut Self) -> StepResult<T>,
    ) -> StepResult<T> {
        steps(self).map_err(|end| match end {
            SequenceEnd::Violated(mut it)
                if !is_sequence_independent(it.invariant) && it.invariant != invariant =>
            {
                it.problems.insert(
                    0,
                    (
                        Path::ROOT,
                        format!("in this sequence, another invariant is violated: {}", it.invariant),
                    ),
                );
                it.invariant = invariant;
                SequenceEnd::Violated(it)
            }
            other => other,
        })
    }

    /// The result of an operation that must succeed because of the invariant.
    pub(super) fn expect<T>(
        &self,
        invariant: Invariant,
        operation: &str,
        result: Result<T, Diagnostics>,
    ) -> StepResult<T> {
        result.map_err(|errors| {
            self.violated(invariant, format!("{operation} failed: {}", self.redacted(&errors)))
        })
    }

    /// The errors of a step as a string, with sensitive values redacted.
    pub(super) fn redacted(&self, errors: &Diagnostics) -> String {
        self.harness.sensitive_values().redact(&errors.to_string())
    }

    /// Checks the result of a step. Errors are returned, except for panics of the provider.
    pub(super) fn finish<T>(
        &self,
        result: Result<T, StepFailure>,
        may_panic: bool,
    ) -> StepResult<Result<T, Diagnostics>> {
        self.check()?;
        match result {
            Ok(result) => Ok(Ok(result)),
            // A deferral is only allowed if the harness allows it.
            Err(StepFailure::Deferred(_)) => Err(SequenceEnd::Rejected),
            Err(StepFailure::Errors(errors)) => {
                let panicked = errors.iter().find(|it| *it.kind() == DiagnosticKind::ProviderBug);
                if let Some(it) = panicked.filter(|_| !may_panic) {
                    return Err(
                        self.violated(Invariant::NothingPanics, format!("{}: {}", it.summary, it.detail))
                    );
                }
                Ok(Err(errors))
            }
        }
    }

    /// A resource instance that does not exist yet.
    pub(super) fn object<'b>(&self, target: &'b Target, label: &'static str) -> CheckedInstance<'b> {
        CheckedInstance {
            target,
            label,
            actor: "",
            instance: self.harness.resource(&target.name),
            applied: None,
        }
    }

    /// A second instance with the state of an object, through which another program is simulated.
    pub(super) fn second<'b>(&self, object: &CheckedInstance<'b>) -> CheckedInstance<'b> {
        let (instance, applied) = (object.instance.clone(), object.applied.clone());
        CheckedInstance { actor: " by another program", instance, applied, ..*object }
    }

    /// Plans and applies a configuration, and checks that the object converges.
    pub(super) fn apply(
        &mut self,
        object: &mut CheckedInstance<'_>,
        config: &Value,
    ) -> StepResult<Result<Diff, Diagnostics>> {
        self.record_configuration(&format!("apply{}", object.actor), object.target, object.label, config);
        let applied = object.instance.plan_and_apply_values(config, config);
        let applied = self.finish(applied, false)?;
        self.check_private(object)?;
        if let Ok(Diff { after: Some(planned), .. }) = &applied {
            self.check_leaks(object, config, "planned state", planned.value())?;
        }
        if let Some(state) = &object.instance.stored {
            self.check_leaks(object, config, "state", &state.value)?;
        }
        if applied.is_ok() {
            object.applied = Some(config.clone());
        }
        Ok(applied)
    }

    /// Plans and applies a configuration. If an error is returned, the service rejects the configuration: the sequence ends, and the
    /// failed method must have left a consistent object and state.
    pub(super) fn apply_or_reject(
        &mut self,
        object: &mut CheckedInstance<'_>,
        config: &Value,
    ) -> StepResult<Diff> {
        let before = object.applied.clone();
        let errors = match self.apply(object, config)? {
            Ok(diff) => return Ok(diff),
            Err(errors) => self.redacted(&errors),
        };
        let problem = |text: &str| format!("{text} after the method failed with this error: {errors}");
        match before {
            None if !object.instance.exists() => {
                let keeps = Invariant::FailedCreateKeepsObject;
                let target = object.target;
                if let Some(example) = &target.example
                    && target.has_remote_object
                    && *config != target.base
                {
                    if self.read_by_state(target, example)?.is_some() {
                        return Err(self
                            .violated(keeps, problem("the remote object exists, but is not in the state,")));
                    }
                    let mut object = self.object(target, "a");
                    let base = target.base.clone();
                    if let Err(next) = self.apply(&mut object, &base)? {
                        let next = self.redacted(&next);
                        let text = format!(
                            "`create` with the base configuration, which succeeded before, failed ({next})"
                        );
                        return Err(self.violated(keeps, problem(&text)));
                    }
                    let _ = self.destroy(&mut object)?;
                }
            }
            Some(before) if object.instance.exists() => {
                let keeps = Invariant::FailedUpdateKeepsState;
                self.within(keeps, |run| {
                    run.refresh(object, keeps)?;
                    run.apply_again(keeps, object, &before)
                })?;
            }
            _ => {}
        }
        Err(SequenceEnd::Rejected)
    }

    /// Plans and applies a configuration that was accepted before, so an error violates the invariant.
    pub(super) fn apply_again(
        &mut self,
        invariant: Invariant,
        object: &mut CheckedInstance<'_>,
        config: &Value,
    ) -> StepResult<Diff> {
        let applied = self.apply(object, config)?;
        self.expect(invariant, "the apply", applied)
    }

    /// Plans and applies a configuration without the checks after it, which call `read`.
    pub(super) fn apply_only(
        &mut self,
        object: &mut CheckedInstance<'_>,
        config: &Value,
    ) -> StepResult<Result<Action, Diagnostics>> {
        self.record_configuration(&format!("apply{}", object.actor), object.target, object.label, config);
        let instance = &mut object.instance;
        let applied = instance.plan_change(config).and_then(|change| {
            let action = change.action;
            instance.apply_change(change, config).map(|_| action)
        });
        self.finish(applied, false)
    }

    /// Plans a configuration.
    pub(super) fn plan(
        &mut self,
        object: &CheckedInstance<'_>,
        config: &Value,
    ) -> StepResult<Result<Diff, Diagnostics>> {
        self.record_configuration("plan", object.target, object.label, config);
        let planned = object.instance.plan_change(config).map(|it| object.instance.diff(&it));
        self.finish(planned, false)
    }

    /// The action of a plan, which is not recorded; `None` if the plan fails.
    pub(super) fn planned_action(
        &mut self,
        object: &CheckedInstance<'_>,
        config: &Value,
    ) -> StepResult<Option<Action>> {
        let planned = self.plan(object, config)?;
        self.steps.pop();
        Ok(planned.ok().map(|it| it.action))
    }

    /// Plans the same configuration twice, at different times.
    pub(super) fn plan_twice(
        &mut self,
        object: &CheckedInstance<'_>,
        config: &Value,
    ) -> StepResult<Result<(), Diagnostics>> {
        self.record_configuration("plan twice", object.target, object.label, config);
        let first = self.finish(object.instance.plan_change(config), false)?;
        self.harness.clock().advance(Duration::from_secs(3600));
        let second = self.finish(object.instance.plan_change(config), false)?;
        let (first, second) = match (first, second) {
            (Ok(first), Ok(second)) => (first, second),
            (Err(errors), _) | (_, Err(errors)) => return Ok(Err(errors)),
        };
        let problem = if first.planned != second.planned {
            let difference =
                contract::check_final_plan(object.target.block(), &first.planned, &second.planned);
            let difference = difference.iter().next().map(|it| {
                let path = it.path.as_ref().map(|it| format!("{it}: ")).unwrap_or_default();
                format!("{path}{}", contract::check_message(it))
            });
            Some(difference.unwrap_or_else(|| "some values are unknown in one of the plans only".to_owned()))
        } else if (first.action, &first.requires_replace) != (second.action, &second.requires_replace) {
            Some(format!("the action is {} instead of {}", second.action, first.action))
        } else {
            (first.private != second.private).then(|| "the private state differs".to_owned())
        };
        if let Some(problem) = problem {
            return Err(
                self.violated(Invariant::PlanIsDeterministic, format!("the second plan differs: {problem}"))
            );
        }
        self.steps.pop();
        Ok(Ok(()))
    }

    /// Applies a configuration, and injects a fault at an await point of a method.
    pub(super) fn apply_with_fault(
        &mut self,
        object: &mut CheckedInstance<'_>,
        config: &Value,
        fault: (Method, usize, Fault),
    ) -> StepResult<FaultOutcome> {
        self.with_fault(fault, |run| {
            run.record_configuration("apply", object.target, object.label, config);
            object.instance.plan_and_apply_values(config, config).map(drop)
        })
    }

    /// Runs a step, and injects a fault at an await point of a method.
    pub(super) fn with_fault(
        &mut self,
        (method, point, fault): (Method, usize, Fault),
        step: impl FnOnce(&mut Self) -> Result<(), StepFailure>,
    ) -> StepResult<FaultOutcome> {
        self.next_fault =
            Some(format!("`{}` {} at await point {point}", method.method_name(), fault.description()));
        self.provider.interceptor.arm(method, point, fault);
        let result = step(self);
        let is_reached = self.provider.interceptor.disarm();
        let finished = self.finish(result, fault == Fault::Panic)?;
        Ok(match finished {
            _ if !is_reached => FaultOutcome::NotReached,
            Ok(()) => FaultOutcome::Succeeded,
            Err(_) => FaultOutcome::Failed,
        })
    }

    /// Reads an object that must exist because of the invariant.
    pub(super) fn refresh_existing(
        &mut self,
        invariant: Invariant,
        object: &mut CheckedInstance<'_>,
    ) -> StepResult {
        self.refresh(object, invariant)?;
        match object.instance.exists() {
            true => Ok(()),
            false => {
                Err(self.violated(invariant, "`read` returned no object, although the remote object exists"))
            }
        }
    }

    /// Reads the object. Reading an object that exists must not fail.
    pub(super) fn refresh(&mut self, object: &mut CheckedInstance<'_>, invariant: Invariant) -> StepResult {
        self.record(format!("refresh {}.{}", object.target.name, object.label));
        let read = object.instance.read();
        let read = self.finish(read, false)?;
        self.expect(invariant, "the read", read)?;
        self.check_private(object)?;
        if let (Some(config), Some(state)) = (&object.applied, &object.instance.stored) {
            self.check_leaks(object, config, "state", &state.value)?;
        }
        Ok(())
    }

    /// Destroys the object.
    pub(super) fn destroy(
        &mut self,
        object: &mut CheckedInstance<'_>,
    ) -> StepResult<Result<(), Diagnostics>> {
        self.record(format!("destroy {}.{}{}", object.target.name, object.label, object.actor));
        if !object.instance.exists() {
            return Ok(Ok(()));
        }
        let destroyed = object.instance.plan_and_destroy();
        let destroyed = self.finish(destroyed, false)?;
        // `delete` has succeeded, but the read after it has failed.
        if let (Err(errors), false) = (&destroyed, object.instance.exists()) {
            let problem =
                format!("`read` failed for an object that does not exist: {}", self.redacted(errors));
            return Err(self.violated(Invariant::DeletionIsDetected, problem));
        }
        Ok(destroyed)
    }

    /// Destroys the object, which must succeed because of the invariant.
    pub(super) fn destroy_again(
        &mut self,
        invariant: Invariant,
        object: &mut CheckedInstance<'_>,
    ) -> StepResult {
        let destroyed = self.destroy(object)?;
        self.expect(invariant, "the destroy", destroyed)
    }

    /// Deletes the object without a read before it, as if the object was deleted during the apply.
    pub(super) fn delete(&mut self, object: &mut CheckedInstance<'_>) -> StepResult<Result<(), Diagnostics>> {
        self.record(format!(
            "destroy {}.{} with -refresh=false{}",
            object.target.name, object.label, object.actor
        ));
        let Some(stored) = object.instance.stored.clone() else { return Ok(Ok(())) };
        let deleted = object.instance.plan_delete(&stored);
        let deleted = deleted.and_then(|it| object.instance.delete(it.private).map_err(StepFailure::from));
        self.finish(deleted.map(drop), false)
    }

    /// Deletes the object without a read before it, which must succeed because of the invariant.
    pub(super) fn delete_again(
        &mut self,
        invariant: Invariant,
        object: &mut CheckedInstance<'_>,
    ) -> StepResult {
        let deleted = self.delete(object)?;
        self.expect(invariant, "the destroy", deleted)
    }

    /// Reads an object by a state, without storing the result. Returns its state; `None` if it does not exist or cannot be read.
    pub(super) fn read_by_state(
        &mut self,
        target: &Target,
        state: &InstanceState,
    ) -> StepResult<Option<Value>> {
        let instance = self.harness.resource(&target.name);
        let read = instance.read_once("a read of the object", state);
        Ok(self.finish(read, true)?.ok().map(|(it, ..)| it.value).filter(|it| !it.is_null()))
    }

    /// Checks that private state contains no secret, which Terraform would store.
    fn check_private(&self, object: &CheckedInstance<'_>) -> StepResult {
        let Some(stored) = &object.instance.stored else { return Ok(()) };
        let private = String::from_utf8_lossy(&stored.private);
        let path = self.harness.sensitive_values().find_in(&private).cloned();
        match path {
            Some(path) => {
                let problem = "the private state, which Terraform stores, contains this sensitive value";
                Err(self.violated_at(Invariant::SecretsAreRedacted, path, problem))
            }
            None => Ok(()),
        }
    }

    /// Checks that only sensitive attributes contain the secrets of the configuration.
    fn check_leaks(
        &self,
        object: &CheckedInstance<'_>,
        config: &Value,
        what: &str,
        value: &Value,
    ) -> StepResult {
        match find_leak(object.target.block(), config, value) {
            Some(Leak { path, source }) => {
                let problem = format!(
                    "this attribute of the {what} is not sensitive, but contains the value of the sensitive attribute {source}"
                );
                Err(self.violated_at(Invariant::SecretsAreRedacted, path, problem))
            }
            None => Ok(()),
        }
    }

    /// Runs steps with a new instance of the provider, after the objects to which the target refers are created. They are not recorded.
    pub(super) fn with_new_provider<T>(
        &mut self,
        target: &Target,
        steps: impl FnOnce(&mut Self) -> StepResult<T>,
    ) -> StepResult<T> {
        let harness = std::mem::replace(&mut self.harness, self.provider.start()?);
        let recorded = (std::mem::take(&mut self.related_steps), std::mem::take(&mut self.steps));
        let result = self.create_related(&target.links).and_then(|_| steps(self));
        self.harness.clean_up();
        self.harness = harness;
        // The report of a violation contains the steps with the new instance.
        if !matches!(result, Err(SequenceEnd::Violated(_))) {
            (self.related_steps, self.steps) = recorded;
        }
        result
    }
}

/// True for invariants that any sequence can violate, whatever it tests.
fn is_sequence_independent(invariant: Invariant) -> bool {
    matches!(invariant, Invariant::SecretsAreRedacted | Invariant::NothingPanics | Invariant::MethodEnds)
}
