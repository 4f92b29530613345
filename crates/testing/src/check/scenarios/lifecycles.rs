//! Resource lifecycles without faults: changes, replacements, unknown values, boundary values.

use ferroform::Diagnostics;
use ferroform::value::{Path, Value};

use super::super::run::{CheckedInstance, SequenceRun};
use super::super::step::{Progress, SequenceEnd, StepResult};
use super::super::target::Target;
use super::super::values::{other_form, with_member};
use crate::unknowns::{paths, replace, with_unknown_duplicate};
use crate::{Action, Invariant};

/// Changes one attribute at a time.
pub(super) fn changes(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let Some((config, changed)) = run.config_and_change(target, number)? else {
        return Ok(Progress::Finished);
    };
    let mut object = run.object(target, "a");
    run.plan_twice(&object, &config)?.map_err(|_| SequenceEnd::Rejected)?;
    run.apply_or_reject(&mut object, &config)?;
    run.plan_twice(&object, &changed)?.map_err(|_| SequenceEnd::Rejected)?;
    run.apply_or_reject(&mut object, &changed)?;
    generate_config(run, &object)?;
    run.apply_or_reject(&mut object, &config)?;
    // The service can reject the deletion of an object with another configuration, but not of this one. Deletion succeeded directly after
    // `create`, so the private state is the most likely cause.
    let invariant = if has_private_state(target) {
        Invariant::PrivateStateIsSufficient
    } else {
        Invariant::DestroyRemovesObject
    };
    run.destroy_again(invariant, &mut object)?;
    Ok(Progress::More)
}

/// True if an object has private state after `create`.
fn has_private_state(target: &Target) -> bool {
    target.example.as_ref().is_some_and(|it| !it.private.is_empty())
}

/// Generates a configuration from the state, if no required attribute is missing in the state.
fn generate_config(run: &mut SequenceRun<'_>, object: &CheckedInstance<'_>) -> StepResult {
    let is_missing = |it: &ferroform::schema::Attribute| {
        it.is_write_only() && it.mode() == ferroform::schema::Mode::Required
    };
    if object.target.block().attributes().iter().any(is_missing) {
        return Ok(());
    }
    run.record("generate a configuration from the state");
    let generated = object.instance.try_generate_config().into_result();
    drop(run.finish(generated, false)?);
    run.steps.pop();
    Ok(())
}

/// Applies and changes an object in different orders, and destroys it, partly without reads.
pub(super) fn step_orders(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let config = run.config(target)?;
    let kept = Invariant::PrivateStateIsSufficient;
    let mut object = run.object(target, "a");
    run.apply_only(&mut object, &config)?.map_err(|_| SequenceEnd::Rejected)?;
    if number > 0 {
        let Some((name, value)) = target.values.changes(&config).into_iter().nth(number - 1) else {
            return Ok(Progress::Finished);
        };
        let Some(changed) = run.with_change(target, &config, &name, value)? else {
            return Ok(Progress::More);
        };
        if let Err(errors) = run.apply_only(&mut object, &changed)? {
            return check_rejected_update(run, &object, &config, &changed, &errors);
        }
        if number > 1 {
            run.refresh_existing(kept, &mut object)?;
        }
        let again = run.apply_only(&mut object, &config)?;
        run.expect(kept, "the apply", again)?;
        if number > 2 {
            run.refresh_existing(kept, &mut object)?;
            run.refresh_existing(kept, &mut object)?;
        }
    }
    run.delete_again(kept, &mut object)?;
    Ok(Progress::More)
}

/// Checks a failed update of an object with private state. If the opposite change fails, too, although both objects can be created, the
/// values are not the cause.
fn check_rejected_update(
    run: &mut SequenceRun<'_>,
    object: &CheckedInstance<'_>,
    config: &Value,
    changed: &Value,
    errors: &Diagnostics,
) -> StepResult<Progress> {
    let steps = run.steps.clone();
    if !has_private_state(object.target) {
        return Err(SequenceEnd::Rejected);
    }
    let mut opposite = run.object(object.target, "b");
    run.apply_only(&mut opposite, changed)?.map_err(|_| SequenceEnd::Rejected)?;
    if run.apply_only(&mut opposite, config)?.is_ok() {
        return Err(SequenceEnd::Rejected);
    }
    run.steps = steps;
    let problem = format!(
        "`update` failed, and so did the opposite change, although both objects can be created. `update` may need private state that \
         no other method stores: {}",
        run.redacted(errors)
    );
    Err(run.violated(Invariant::PrivateStateIsSufficient, problem))
}

/// Plans with each value unknown in turn, and with all values unknown.
pub(super) fn unknowns(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let config = run.config(target)?;
    let mut object = run.object(target, "a");
    match number {
        0 => plan_unknowns(run, &object, &config)?,
        1 => {
            run.apply_or_reject(&mut object, &config)?;
            plan_unknowns(run, &object, &config)?;
            plan_changed_later(run, &object, &config)?;
        }
        // All optional attributes are set.
        _ => {
            let full = with_all_attributes(run, target, &config, number - 2)?;
            plan_unknowns(run, &object, &full)?;
            apply_unknowns(run, &mut object, &full)?;
        }
    }
    Ok(Progress::More)
}

/// The configuration with all optional attributes set to their first or second values.
fn with_all_attributes(
    run: &SequenceRun<'_>,
    target: &Target,
    config: &Value,
    number: usize,
) -> StepResult<Value> {
    let mut full = config.clone();
    for field in &target.values.0 {
        let value = field.typical.get(number).or(field.typical.first());
        let is_absent = field.absent.as_ref() == Some(full.attribute_or_null(&field.name));
        if let (true, Some(value)) = (is_absent, value) {
            let more = with_member(&full, &field.name, value.clone());
            if !run.validate(target.kind.named(&target.name), &more)?.has_error() {
                full = more;
            }
        }
    }
    Ok(full)
}

/// The number of values of each attribute that are written in another form.
const FORMS: usize = 12;

/// Writes a configuration in another form that is semantically equal, such as with other upper-case letters.
pub(super) fn forms(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let config = run.config(target)?;
    let rounds =
        (0..FORMS).flat_map(|round| target.values.0.iter().map(move |it| (it, it.typical.get(round))));
    let values = rounds.filter_map(|(field, it)| Some((field.name.clone(), it?.clone())));
    let Some((name, value)) = values.into_iter().nth(number) else { return Ok(Progress::Finished) };
    let Some(config) = run.with_change(target, &config, &name, value)? else { return Ok(Progress::More) };
    let full = with_all_attributes(run, target, &config, 0)?;
    let other = other_form(target.block(), &full);
    if other == full || run.validate(target.kind.named(&target.name), &other)?.has_error() {
        return Ok(Progress::More);
    }
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &other)?;
    let planned = run.plan(&object, &full)?.map_err(|_| SequenceEnd::Rejected)?;
    let semantic = Invariant::NormalizedValuesAreConsistent;
    if planned.action == Action::Replace {
        let problem = format!("a semantically equal configuration replaces the object:\n{planned}");
        return Err(run.violated(semantic, problem));
    }
    plan_unknowns(run, &object, &full)?;
    run.apply_again(semantic, &mut object, &full)?;
    Ok(Progress::More)
}

/// Plans each part of a configuration as unknown and then as known.
fn plan_unknowns(run: &mut SequenceRun<'_>, object: &CheckedInstance<'_>, config: &Value) -> StepResult {
    run.planned_action(object, config)?.ok_or(SequenceEnd::Rejected)?;
    for path in paths(object.target.block(), config) {
        let mut unknown = config.clone();
        replace(&mut unknown, path.steps());
        plan_known_later(run, object, &unknown, config, &format!("with {path} unknown"))?;
        if let Some(unknown) = with_unknown_duplicate(config, &path) {
            plan_duplicate(run, object, &unknown, config, &path)?;
        }
    }
    Ok(())
}

/// Plans a set with an unknown element that resolves to an existing one. Validators that count the elements can reject it.
fn plan_duplicate(
    run: &mut SequenceRun<'_>,
    object: &CheckedInstance<'_>,
    unknown: &Value,
    known: &Value,
    path: &Path,
) -> StepResult {
    match run.planned_action(object, unknown)? {
        Some(_) => plan_known_later(
            run,
            object,
            unknown,
            known,
            &format!("with an additional set element whose {path} is unknown"),
        ),
        None => Ok(()),
    }
}

/// Plans each change of an object with the changed value unknown and then known. An unknown value can resolve to any value, for example to
/// one that requires replacement.
fn plan_changed_later(run: &mut SequenceRun<'_>, object: &CheckedInstance<'_>, config: &Value) -> StepResult {
    for (name, value) in object.target.values.changes(config) {
        let Some(changed) = run.with_change(object.target, config, &name, value)? else { continue };
        if run.planned_action(object, &changed)?.is_some() {
            let unknown = with_member(&changed, &name, Value::UNKNOWN);
            plan_known_later(run, object, &unknown, &changed, &format!("with {name} unknown"))?;
        }
    }
    Ok(())
}

fn plan_known_later(
    run: &mut SequenceRun<'_>,
    object: &CheckedInstance<'_>,
    unknown: &Value,
    known: &Value,
    what: &str,
) -> StepResult {
    let steps = run.steps.len();
    let problem = |errors: String| {
        format!("the plan {what} failed although it succeeds with the known value: {errors}")
    };
    if let Err(errors) = run.plan(object, unknown)? {
        return Err(run.violated(Invariant::UnknownValuesAreAccepted, problem(run.redacted(&errors))));
    }
    let first = run.finish(object.instance.plan_change(unknown), false)?;
    let mut after = object.instance.clone();
    let Ok(first) = first else { return Err(SequenceEnd::Rejected) };
    // The final plan of a replacement creates an object, so it has no prior state.
    if first.action == Action::Replace {
        after.stored = None;
    }
    let last = run.finish(after.plan_change(known), false)?;
    if let Ok(last) = last {
        let step = format!("the plan of {} {what} in the first plan", object.target.name);
        object.instance.matches_first_plan(&step, &first, &last);
        run.check()?;
    }
    run.steps.truncate(steps);
    Ok(())
}

/// Applies a configuration whose attributes are all unknown in the plan.
fn apply_unknowns(run: &mut SequenceRun<'_>, object: &mut CheckedInstance<'_>, config: &Value) -> StepResult {
    let mut unknown = config.clone();
    for it in object.target.block().attributes().iter().filter(|it| it.mode().is_configurable()) {
        if !config.attribute_or_null(it.name()).is_null() {
            unknown = with_member(&unknown, it.name(), Value::UNKNOWN);
        }
    }
    plan_known_later(run, object, &unknown, config, "with all attributes unknown")?;
    run.apply_or_reject(object, config)?;
    plan_known_later(run, object, &unknown, config, "with all attributes unknown")
}

/// Replaces an object, in both orders.
pub(super) fn replacements(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    if !target.has_remote_object {
        return Ok(Progress::Finished);
    }
    let Some((config, changed)) = run.config_and_change(target, number)? else {
        return Ok(Progress::Finished);
    };
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &config)?;
    if run.planned_action(&object, &changed)? != Some(Action::Replace) {
        return Ok(Progress::More);
    }
    let complete = Invariant::ReplacementIsComplete;
    let Some(before) = object.instance.stored.clone() else { return Err(SequenceEnd::Rejected) };
    // The default order: the object is deleted first.
    run.apply_or_reject(&mut object, &changed)?;
    if let (Some(found), Some(new)) = (run.read_by_state(target, &before)?, object.instance.stored.clone()) {
        let is_old = target.differences(&before.value, &found).is_empty();
        if is_old && !target.differences(&before.value, &new.value).is_empty() {
            return Err(run.violated(complete, "`read` with the old state still returns the old object"));
        }
    }
    run.within(complete, |run| run.destroy_again(complete, &mut object))?;

    // With `create_before_destroy`, the new object is created first.
    run.steps.clear();
    let mut old = run.object(target, "a");
    run.apply_again(complete, &mut old, &config)?;
    let mut new = run.object(target, "new");
    // The service can require that the old object is deleted first.
    if run.apply(&mut new, &changed)?.is_err() {
        return Ok(Progress::More);
    }
    let stored = new.instance.stored.clone();
    let deleted = run.delete(&mut old)?;
    let operation = "with `create_before_destroy`, `delete` of the old object after `create` of the new one";
    run.expect(complete, operation, deleted)?;
    if let Some(stored) = stored
        && run.read_by_state(target, &stored)?.is_none()
    {
        let problem = "with `create_before_destroy`, `delete` of the old object also removed the new one";
        return Err(run.violated(complete, problem));
    }
    Ok(Progress::More)
}

/// Creates an object with one changed attribute, and destroys it.
pub(super) fn creations(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let Some((_, changed)) = run.config_and_change(target, number)? else { return Ok(Progress::Finished) };
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &changed)?;
    // The service can reject the deletion of an object with this value.
    run.destroy(&mut object)?.map_err(|_| SequenceEnd::Rejected)?;
    Ok(Progress::More)
}

/// Applies boundary values: first one of each member at the same time, and then each of them alone.
pub(super) fn boundary_values(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let rounds = target.values.0.iter().map(|it| it.boundary.len()).max().unwrap_or_default();
    match number.checked_sub(rounds) {
        None => combined_boundary_values(run, target, number),
        Some(number) => single_boundary_value(run, target, rounds, number),
    }
}

/// Applies a boundary value of each member. If an invariant is violated, the values are applied alone to find the one that violates it.
fn combined_boundary_values(
    run: &mut SequenceRun<'_>,
    target: &Target,
    round: usize,
) -> StepResult<Progress> {
    let mut config = target.base.clone();
    let mut single = Vec::new();
    for field in &target.values.0 {
        let Some((value, invariant)) = field.boundary.get(round) else { continue };
        if let Some(changed) = run.with_change(target, &config, &field.name, value.clone())? {
            config = changed;
            single.push((with_member(&target.base, &field.name, value.clone()), *invariant));
        }
    }
    if single.len() < 2 {
        return Ok(Progress::More);
    }
    let boundary = Invariant::BoundaryValuesRoundTrip;
    let combined = run.within(boundary, |run| apply_and_restore(run, target, &config));
    let Err(SequenceEnd::Violated(_)) = &combined else { return combined };
    let steps = std::mem::take(&mut run.steps);
    for (config, invariant) in single {
        run.steps.clear();
        match run.within(invariant, |run| apply_and_restore(run, target, &config)) {
            Err(SequenceEnd::Violated(it)) => return Err(SequenceEnd::Violated(it)),
            _ => continue,
        }
    }
    run.steps = steps;
    combined
}

/// Applies a configuration and the base configuration in turn, and destroys the object.
fn apply_and_restore(run: &mut SequenceRun<'_>, target: &Target, config: &Value) -> StepResult<Progress> {
    let mut object = run.object(target, "a");
    let mut configs = [config, &target.base, config].into_iter();
    let applied = configs.try_for_each(|config| run.apply_or_reject(&mut object, config).map(drop));
    if applied.is_err() {
        // The object must not remain for the next configuration.
        let steps = run.steps.clone();
        let _ = run.destroy(&mut object);
        run.steps = steps;
    }
    applied?;
    run.destroy(&mut object)?.map_err(|_| SequenceEnd::Rejected)?;
    Ok(Progress::More)
}

fn single_boundary_value(
    run: &mut SequenceRun<'_>,
    target: &Target,
    rounds: usize,
    number: usize,
) -> StepResult<Progress> {
    // The first boundary value of each member comes first.
    let all = (0..rounds).flat_map(|round| {
        target.values.0.iter().filter_map(move |it| Some((&it.name, it.boundary.get(round)?)))
    });
    let Some((name, (value, invariant))) = all.into_iter().nth(number) else { return Ok(Progress::Finished) };
    let config = target.base.clone();
    let Some(changed) = run.with_change(target, &config, name, value.clone())? else {
        return Ok(Progress::More);
    };
    run.within(*invariant, |run| apply_and_restore(run, target, &changed))
}
