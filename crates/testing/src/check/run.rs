//! One sequence: its steps, their checks, and their record.

use std::sync::Arc;
use std::time::Duration;

use ferroform::Diagnostics;
use ferroform::value::{Path, Value};
use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_engine::{Kind, Owner, contract};

use super::checker::Checker;
use super::choices::Choices;
use super::hcl;
use super::intercept::{Fault, Method};
use super::step::{Interruption, Step};
use super::target::Target;
use super::values::with_member;
use crate::instance_state::InstanceState;
use crate::invariant::Violation;
use crate::outcome::StepFailure;
use crate::{Action, Diff, Harness, Instance, Invariant};

/// One sequence.
pub(super) struct Run<'a> {
    pub(super) checker: &'a Checker,
    pub(super) harness: Harness,
    pub(super) choices: Choices,
    /// The steps so far, in the form in which they are reported.
    pub(super) steps: Vec<String>,
}

/// A resource instance with its name in the report.
pub(super) struct Object<'a> {
    pub(super) target: &'a Target,
    pub(super) label: &'static str,
    pub(super) instance: Instance,
    /// The configuration that was applied last.
    applied: Option<Value>,
}

/// The end of a step with a fault.
pub(super) enum Faulted {
    /// The method has no such await point.
    NotReached,
    Succeeded,
    Failed,
}

impl<'a> Run<'a> {
    /// Records a step.
    pub(super) fn record(&mut self, step: impl Into<String>) {
        self.steps.push(step.into());
    }

    /// Records a step with a configuration.
    pub(super) fn record_configuration(&mut self, verb: &str, target: &Target, label: &str, config: &Value) {
        let name = match target.kind {
            Kind::Provider => {
                self.harness.server().provider().address().rsplit('/').next().unwrap_or_default()
            }
            _ => &target.name,
        };
        let block = hcl::block(target.kind, name, label, target.block(), config);
        self.record(format!("{verb}\n  {}", block.replace('\n', "\n  ")));
    }

    /// Adds a line to the last step.
    pub(super) fn add_to_step(&mut self, line: impl AsRef<str>) {
        if let Some(step) = self.steps.last_mut() {
            step.push('\n');
            step.push_str(line.as_ref());
        }
    }

    /// Ends the sequence if an invariant was violated since the last call.
    pub(super) fn check(&self) -> Step {
        if let Some((invariant, problem)) = self.checker.interceptor.take_problem() {
            return Err(self.violated(invariant, problem));
        }
        let mut violations = self.harness.take_violations();
        let general = violations.iter().position(|it| is_general(it.invariant));
        match violations.is_empty() {
            true => Ok(()),
            false => Err(Interruption::Violated(violations.swap_remove(general.unwrap_or(0)))),
        }
    }

    /// Ends the sequence only because of an invariant that holds in any sequence: the objects are used in a way that Terraform would not.
    pub(super) fn tolerate<T>(&self, step: Step<T>) -> Step {
        match step {
            Err(Interruption::Violated(it)) if is_general(it.invariant) => Err(Interruption::Violated(it)),
            _ => Ok(()),
        }
    }

    /// A violation in the last step.
    pub(super) fn violated(&self, invariant: Invariant, problem: impl Into<String>) -> Interruption {
        self.violated_at(invariant, Path::ROOT, problem)
    }

    pub(super) fn violated_at(
        &self,
        invariant: Invariant,
        path: Path,
        problem: impl Into<String>,
    ) -> Interruption {
        let step = self.steps.last().map_or("the start of the provider", String::as_str);
        let step = step.lines().next().unwrap_or_default().split(" { ").next().unwrap_or_default();
        let problem = self.harness.sensitive_values().redact(&problem.into());
        Interruption::Violated(Violation::new(invariant, step.trim_end_matches(" {"), path, problem))
    }

    /// Runs steps that must succeed because of an invariant: each violation in them is reported as a violation of it.
    pub(super) fn within<T>(
        &mut self,
        invariant: Invariant,
        steps: impl FnOnce(&mut Self) -> Step<T>,
    ) -> Step<T> {
        steps(self).map_err(|interruption| match interruption {
            Interruption::Violated(mut it) if !is_general(it.invariant) && it.invariant != invariant => {
                it.problems.insert(
                    0,
                    (
                        Path::ROOT,
                        format!("in this sequence, another invariant is violated: {}", it.invariant),
                    ),
                );
                it.invariant = invariant;
                Interruption::Violated(it)
            }
            other => other,
        })
    }

    /// The errors of a step as a text.
    pub(super) fn text_of(&self, errors: &Diagnostics) -> String {
        self.harness.sensitive_values().redact(&errors.to_string())
    }

    /// Checks the result of a step. Errors are returned, except for panics of the provider.
    pub(super) fn finish<T>(
        &self,
        result: Result<T, StepFailure>,
        may_panic: bool,
    ) -> Step<Result<T, Diagnostics>> {
        self.check()?;
        match result {
            Ok(result) => Ok(Ok(result)),
            // A deferral is only allowed if the harness allows it.
            Err(StepFailure::Deferred(_)) => Err(Interruption::Rejected),
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
    pub(super) fn object<'b>(&self, target: &'b Target, label: &'static str) -> Object<'b> {
        Object { target, label, instance: self.harness.resource(&target.name), applied: None }
    }

    /// Another instance with the state of an object.
    pub(super) fn second<'b>(&self, object: &Object<'b>) -> Object<'b> {
        let (instance, applied) = (object.instance.clone(), object.applied.clone());
        Object { target: object.target, label: "b", instance, applied }
    }

    /// Plans and applies a configuration, and checks that the object converges.
    pub(super) fn apply(
        &mut self,
        object: &mut Object<'_>,
        config: &Value,
    ) -> Step<Result<Diff, Diagnostics>> {
        self.record_configuration("apply", object.target, object.label, config);
        let applied = object.instance.plan_and_apply_values(config, config);
        let applied = self.finish(applied, false)?;
        self.check_private(object)?;
        if applied.is_ok() {
            object.applied = Some(config.clone());
        }
        Ok(applied)
    }

    /// Plans and applies a configuration. An error means that the service rejects it, and must leave nothing behind.
    pub(super) fn accept(&mut self, object: &mut Object<'_>, config: &Value) -> Step<Diff> {
        let before = object.applied.clone();
        let errors = match self.apply(object, config)? {
            Ok(diff) => return Ok(diff),
            Err(errors) => self.text_of(&errors),
        };
        let problem = |text: &str| format!("{text} after the method failed with this error: {errors}");
        match before {
            None if !object.instance.exists() => {
                let keeps = Invariant::FailedCreateKeepsObject;
                let target = object.target;
                if let Some(example) = &target.example
                    && target.has_object
                    && config != &target.base
                {
                    if self.find(target, example)?.is_some() {
                        return Err(self
                            .violated(keeps, problem("the remote object exists, but is not in the state,")));
                    }
                    let mut object = self.object(target, "a");
                    let base = target.base.clone();
                    if let Err(next) = self.apply(&mut object, &base)? {
                        let next = self.text_of(&next);
                        let text = format!(
                            "`create` with the base configuration, which succeeded before, failed ({next})"
                        );
                        return Err(self.violated(keeps, problem(&text)));
                    }
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
        Err(Interruption::Rejected)
    }

    /// Plans and applies a configuration that was accepted before, so an error violates the invariant.
    pub(super) fn apply_again(
        &mut self,
        invariant: Invariant,
        object: &mut Object<'_>,
        config: &Value,
    ) -> Step<Diff> {
        let applied = self.apply(object, config)?;
        applied.map_err(|errors| {
            self.violated(invariant, format!("the apply failed: {}", self.text_of(&errors)))
        })
    }

    /// Plans and applies a configuration without the checks after it, which call `read`.
    pub(super) fn apply_only(
        &mut self,
        object: &mut Object<'_>,
        config: &Value,
    ) -> Step<Result<Action, Diagnostics>> {
        self.record_configuration("apply", object.target, object.label, config);
        let instance = &mut object.instance;
        let applied = instance.plan_change(config).and_then(|change| {
            let action = change.action;
            instance.apply_change(change, config).map(|_| action)
        });
        self.finish(applied, false)
    }

    /// Plans a configuration.
    pub(super) fn plan(&mut self, object: &Object<'_>, config: &Value) -> Step<Result<Diff, Diagnostics>> {
        self.record_configuration("plan", object.target, object.label, config);
        let planned = object.instance.plan_change(config).map(|it| object.instance.diff(&it));
        self.finish(planned, false)
    }

    /// Plans the same configuration twice, at different times.
    pub(super) fn plan_twice(
        &mut self,
        object: &Object<'_>,
        config: &Value,
    ) -> Step<Result<(), Diagnostics>> {
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

    /// Applies a configuration, and lets a method fail at an await point.
    pub(super) fn apply_with_fault(
        &mut self,
        object: &mut Object<'_>,
        config: &Value,
        (method, point, fault): (Method, usize, Fault),
    ) -> Step<Faulted> {
        let method_name = method.method_name();
        self.record_configuration("apply", object.target, object.label, config);
        self.add_to_step(format!("and `{method_name}` {} at await point {point}", fault.description()));
        self.checker.interceptor.arm(method, point, fault);
        let applied = object.instance.plan_and_apply_values(config, config).map(drop);
        self.end_fault(applied, fault)
    }

    pub(super) fn end_fault(&mut self, result: Result<(), StepFailure>, fault: Fault) -> Step<Faulted> {
        let is_reached = self.checker.interceptor.disarm();
        let finished = self.finish(result, fault == Fault::Panic)?;
        Ok(match finished {
            _ if !is_reached => Faulted::NotReached,
            Ok(()) => Faulted::Succeeded,
            Err(_) => Faulted::Failed,
        })
    }

    /// Reads the object. Reading an object that exists must not fail.
    pub(super) fn refresh(&mut self, object: &mut Object<'_>, invariant: Invariant) -> Step<Diff> {
        self.record(format!("refresh {}.{}", object.target.name, object.label));
        let read = object.instance.read();
        let read = self.finish(read, false)?;
        let read = read.map_err(|errors| {
            self.violated(invariant, format!("the read failed: {}", self.text_of(&errors)))
        })?;
        self.check_private(object)?;
        Ok(read)
    }

    /// Destroys the object.
    pub(super) fn destroy(&mut self, object: &mut Object<'_>) -> Step<Result<(), Diagnostics>> {
        self.record(format!("destroy {}.{}", object.target.name, object.label));
        if !object.instance.exists() {
            return Ok(Ok(()));
        }
        let destroyed = object.instance.plan_and_destroy();
        let destroyed = self.finish(destroyed, false)?;
        // `delete` has succeeded, but the read after it has failed.
        if let (Err(errors), false) = (&destroyed, object.instance.exists()) {
            let problem =
                format!("`read` failed for an object that does not exist: {}", self.text_of(errors));
            return Err(self.violated(Invariant::DeletionIsDetected, problem));
        }
        Ok(destroyed)
    }

    /// Destroys the object, which must succeed because of the invariant.
    pub(super) fn destroy_again(&mut self, invariant: Invariant, object: &mut Object<'_>) -> Step {
        let destroyed = self.destroy(object)?;
        destroyed.map_err(|errors| {
            self.violated(invariant, format!("the destroy failed: {}", self.text_of(&errors)))
        })
    }

    /// Deletes the object without a read before it, as in the same apply in which something else has deleted it.
    pub(super) fn delete(&mut self, object: &mut Object<'_>) -> Step<Result<(), Diagnostics>> {
        self.record(format!("destroy {}.{} with -refresh=false", object.target.name, object.label));
        let Some(stored) = object.instance.stored.clone() else { return Ok(Ok(())) };
        let deleted = object.instance.plan_delete(&stored);
        let deleted = deleted.and_then(|it| object.instance.delete(it.private).map_err(StepFailure::from));
        self.finish(deleted.map(drop), false)
    }

    /// Reads an object by a state, without storing the result. Returns its state; `None` if it does not exist or cannot be read.
    pub(super) fn find(&mut self, target: &Target, state: &InstanceState) -> Step<Option<Value>> {
        let instance = self.harness.resource(&target.name);
        let read = instance.read_once("a read of the object", state);
        Ok(self.finish(read, true)?.ok().map(|(it, ..)| it.value).filter(|it| !it.is_null()))
    }

    /// Checks that private state contains no secret, which Terraform would store.
    fn check_private(&self, object: &Object<'_>) -> Step {
        let Some(stored) = &object.instance.stored else { return Ok(()) };
        let private = String::from_utf8_lossy(&stored.private);
        let sensitive = self.harness.sensitive_values().clone();
        match sensitive.find_in(&private) {
            Some(path) => {
                let problem = "the private state, which Terraform stores, contains this sensitive value";
                Err(self.violated_at(Invariant::SecretsAreRedacted, path.clone(), problem))
            }
            None => Ok(()),
        }
    }

    /// A configuration: the base configuration with up to three other values.
    pub(super) fn config(&mut self, target: &Target) -> Step<Value> {
        let mut config = target.base.clone();
        for _ in 0..self.choices.below(4) {
            let changes = target.fields.changes(&config);
            let at = self.choices.below(changes.len());
            let Some((name, value)) = changes.into_iter().nth(at) else { break };
            if let Some(changed) = self.with_change(target, &config, &name, value)? {
                config = changed;
            }
        }
        Ok(config)
    }

    /// The configuration with another value of a member, and with another member set or omitted if the validation requires it. `None`
    /// if no such configuration is valid.
    pub(super) fn with_change(
        &self,
        target: &Target,
        config: &Value,
        name: &Arc<str>,
        value: Value,
    ) -> Step<Option<Value>> {
        let changed = with_member(config, name, value);
        if self.is_valid(target, &changed)? {
            return Ok(Some(changed));
        }
        for field in target.fields.0.iter().filter(|it| it.name != *name) {
            let Some(absent) = &field.absent else { continue };
            let is_absent = changed.attribute_or_null(&field.name) == absent;
            let Some(toggled) = (if is_absent { field.ordinary.first() } else { Some(absent) }) else {
                continue;
            };
            let toggled = with_member(&changed, &field.name, toggled.clone());
            if self.is_valid(target, &toggled)? {
                return Ok(Some(toggled));
            }
        }
        Ok(None)
    }

    /// True if the validation accepts the configuration.
    fn is_valid(&self, target: &Target, config: &Value) -> Step<bool> {
        Ok(!self.validate(target.kind.named(&target.name), config)?.has_error())
    }

    /// Validates a configuration, and returns errors and warnings.
    pub(super) fn validate(&self, owner: Owner<'_>, config: &Value) -> Step<Diagnostics> {
        if let Ok(block) = self.harness.server().block(owner) {
            self.harness.sensitive_values().record(block, config);
        }
        let validation = self.harness.server().validate_config(owner, config.clone(), true);
        let found = self.harness.run_for_diagnostics("the validation", validation);
        self.check()?;
        let found = found.unwrap_or_else(|errors| errors);
        match found.iter().find(|it| *it.kind() == DiagnosticKind::ProviderBug) {
            Some(it) => {
                let invalid = self
                    .harness
                    .server()
                    .block(owner)
                    .map(|block| hcl::block(owner.kind, owner.name, "a", block, config));
                let problem = format!("{}: {}\n{}", it.summary, it.detail, invalid.unwrap_or_default());
                let problem = self.harness.sensitive_values().redact(&problem);
                let step = format!("`validate` of {owner}");
                Err(Interruption::Violated(Violation::new(
                    Invariant::InvalidConfigurationIsRejected,
                    &step,
                    Path::ROOT,
                    problem,
                )))
            }
            _ => Ok(found),
        }
    }

    /// Runs steps with a new instance of the provider. They are not recorded.
    pub(super) fn elsewhere<T>(&mut self, steps: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        let harness = std::mem::replace(&mut self.harness, self.checker.start()?);
        let recorded = self.steps.clone();
        let result = steps(self);
        self.harness.clean_up();
        self.harness = harness;
        self.steps = recorded;
        result
    }
}

/// True for invariants that have nothing to do with what a sequence is about.
fn is_general(invariant: Invariant) -> bool {
    matches!(invariant, Invariant::SecretsAreRedacted | Invariant::NothingPanics | Invariant::MethodEnds)
}
