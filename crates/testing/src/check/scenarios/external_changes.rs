//! Changes and faults outside of the provider: drift, deletion, lost responses, stale reads.

use ferroform::raw::AnyResource;

use super::super::intercept::{Fault, Method};
use super::super::run::SequenceRun;
use super::super::service::ServiceFault;
use super::super::step::{Progress, SequenceEnd, StepResult};
use super::super::target::Target;
use super::super::values::with_member;
use crate::{Action, Invariant};

/// Another program, simulated by a second instance with the same state, changes the object. A change of the identity, such as the name, is
/// not drift: a read cannot find a renamed object.
pub(super) fn drift(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    if !target.has_remote_object {
        return Ok(Progress::Finished);
    }
    let Some((config, changed)) = run.config_and_change(target, number)? else {
        return Ok(Progress::Finished);
    };
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &config)?;
    let mut other = run.second(&object);
    if run.planned_action(&other, &changed)? != Some(Action::Update) {
        return Ok(Progress::More);
    }
    run.apply_or_reject(&mut other, &changed)?;
    let detected = Invariant::DriftIsDetected;
    let resource = run.harness.find::<dyn AnyResource>(&target.name);
    let [before, after] = [&object, &other].map(|it| it.instance.stored.as_ref());
    let [before, after] = [before, after].map(|it| it.map(|it| super::imports::object_key(&*resource, it)));
    if before != after {
        return Ok(Progress::More);
    }
    let expected = other.instance.state();
    run.refresh_existing(detected, &mut object)?;
    let found = object.instance.state();
    if let Some((path, problem)) = target.differences(expected.value(), found.value()).into_iter().next() {
        let problem = format!("{problem}: `read` must return the values that another program has changed");
        return Err(run.violated_at(detected, path, problem));
    }
    if target.differences(expected.value(), &config).is_empty() {
        return Ok(Progress::More);
    }
    run.within(detected, |run| {
        run.apply_again(detected, &mut object, &config)?;
        run.destroy_again(detected, &mut object)
    })?;
    Ok(Progress::More)
}

/// Another program deletes the object.
pub(super) fn deletion(run: &mut SequenceRun<'_>, target: &Target, _: usize) -> StepResult<Progress> {
    if !target.has_remote_object {
        return Ok(Progress::Finished);
    }
    let detected = Invariant::DeletionIsDetected;
    let config = run.config(target)?;
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &config)?;
    let mut other = run.second(&object);
    run.destroy(&mut other)?.map_err(|_| SequenceEnd::Rejected)?;
    run.refresh(&mut object, detected)?;
    if object.instance.exists() {
        return Err(run.violated(detected, "`read` returned an object after another program had deleted it"));
    }
    run.within(detected, |run| {
        let planned = run.apply_again(detected, &mut object, &config)?;
        if planned.action != Action::Create {
            return Err(run.violated(detected, format!("the planned action is {}", planned.action)));
        }
        run.destroy_again(detected, &mut object)
    })?;
    Ok(Progress::More)
}

/// The object no longer exists when `delete` is called: another program has deleted it, or the response was lost.
pub(super) fn repeated_delete(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let config = run.config(target)?;
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &config)?;
    let mut other = run.second(&object);
    let deleted = if number == 0 { run.destroy(&mut other)? } else { run.delete(&mut other)? };
    deleted.map_err(|_| SequenceEnd::Rejected)?;
    let deleted = run.delete(&mut object)?;
    run.expect(Invariant::DeleteIsIdempotent, "`delete` of an object that does not exist", deleted)?;
    Ok(Progress::More)
}

/// The response to `create` is lost, so `create` is called again.
pub(super) fn create_after_lost_response(
    run: &mut SequenceRun<'_>,
    target: &Target,
    _: usize,
) -> StepResult<Progress> {
    let config = run.config(target)?;
    let safe = Invariant::RepeatedCreateIsSafe;
    let mut first = run.object(target, "a");
    run.next_fault = Some("the response to Terraform is lost".to_owned());
    run.apply_only(&mut first, &config)?.map_err(|_| SequenceEnd::Rejected)?;
    let mut second = run.object(target, "a");
    if run.apply_only(&mut second, &config)?.is_err() {
        return Ok(Progress::Finished);
    }
    let (Some(one), Some(two)) = (first.instance.stored, second.instance.stored) else {
        return Ok(Progress::Finished);
    };
    let resource = run.harness.find::<dyn AnyResource>(&target.name);
    let [ids, other_ids] = [&one, &two].map(|it| super::imports::import_ids(&*resource, it));
    let has_same_identity = one.identity.is_some() && one.identity == two.identity;
    if one.value == two.value || !(has_same_identity || !ids.is_empty() && ids == other_ids) {
        return Ok(Progress::Finished);
    }
    if let (Some(one), Some(two)) = (run.read_by_state(target, &one)?, run.read_by_state(target, &two)?)
        && one != two
    {
        return Err(run.violated(safe, "`create` created a second object with the same identity"));
    }
    Ok(Progress::Finished)
}

/// Reads return the object before the last write (eventual consistency).
pub(super) fn stale_reads(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let Some(service) = run.provider.service.clone() else { return Ok(Progress::Finished) };
    let reads = [1, 2, 3, 5][number];
    let converge = Invariant::StaleReadsConverge;
    let config = run.config(target)?;
    let changed = target.values.changes(&config).into_iter().next();
    service.set_read_lag(reads);
    run.record(format!("the next {reads} reads after each write return the object before the write"));
    run.within(converge, |run| {
        let mut object = run.object(target, "a");
        run.apply_again(converge, &mut object, &config)?;
        if let Some((name, value)) = changed
            && let Some(changed) = run.with_change(target, &config, &name, value)?
        {
            run.apply_or_reject(&mut object, &changed)?;
        }
        // Terraform does not read a destroyed object, so the provider does not have to wait.
        service.clear_faults();
        run.destroy_again(converge, &mut object)
    })?;
    Ok(Progress::More)
}

/// Causes errors about objects whose sensitive attributes are all set. No error may contain a sensitive value.
pub(super) fn secrets(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let mut config = run.config(target)?;
    for field in &target.values.0 {
        let is_masked =
            target.block().get(&field.name).is_some_and(|it| it.is_sensitive() || it.is_write_only());
        let secret = field.typical.get(number).filter(|_| is_masked);
        if let Some(secret) = secret
            && let Some(changed) = run.with_change(target, &config, &field.name, secret.clone())?
        {
            config = changed;
        }
    }
    if config == target.base {
        return Ok(Progress::Finished);
    }
    let mut object = run.object(target, "a");
    let applied = run.apply(&mut object, &config);
    run.tolerate(applied)?;
    let mut same = run.object(target, "b");
    let applied = run.apply_only(&mut same, &config);
    run.tolerate(applied)?;
    let deleted = run.delete(&mut same);
    run.tolerate(deleted)?;
    // Another program deletes the object, which is then updated and deleted.
    let mut other = run.second(&object);
    let deleted = run.delete(&mut other);
    run.tolerate(deleted)?;
    for (name, value) in target.values.changes(&config).into_iter().take(4) {
        let mut other = run.second(&object);
        let applied = run.apply_only(&mut other, &with_member(&config, &name, value));
        run.tolerate(applied)?;
    }
    let deleted = run.delete(&mut object);
    run.tolerate(deleted)?;
    for fault in [Fault::Stop, Fault::Timeout] {
        let mut object = run.object(target, "a");
        let applied = run.apply_with_fault(&mut object, &config, (Method::Create, 1, fault));
        run.tolerate(applied)?;
        let destroyed = run.destroy(&mut object);
        run.tolerate(destroyed)?;
    }
    if let Some(service) = run.provider.service.clone() {
        service.inject(service.request_count(), ServiceFault::Error, true);
        run.record("all requests of the service fail");
        let mut object = run.object(target, "a");
        let applied = run.apply(&mut object, &config);
        run.tolerate(applied)?;
    }
    Ok(Progress::More)
}
