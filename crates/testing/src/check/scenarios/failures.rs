//! Methods of resources that fail: at their await points, and at each request of the service.

use std::time::Duration;

use ferroform::raw::{AnyResource, RequestContext};
use ferroform::value::Value;

use super::super::intercept::{Fault, Method};
use super::super::run::{CheckedInstance, FaultOutcome, SequenceRun};
use super::super::service::{ServiceFault, new_objects};
use super::super::step::{Progress, SequenceEnd, StepResult};
use super::super::target::Target;
use crate::instance_state::InstanceState;
use crate::{Action, Invariant};

/// The await point and the fault with this number.
pub(super) fn fault_of(number: usize) -> (usize, Fault) {
    let faults = Fault::ALL;
    (number / faults.len() + 1, faults[number % faults.len()])
}

/// The progress after a fault that has not happened. Every await point can be canceled, but the other faults have conditions.
pub(super) fn not_reached(fault: Fault) -> Progress {
    if fault == Fault::Stop { Progress::Finished } else { Progress::More }
}

/// The information by which a remote object is found after a failed `create`.
struct Probe {
    /// States with which the object can be read, if it is created.
    states: Vec<InstanceState>,
    /// The number of objects that the list resource returns.
    listed: Option<usize>,
    /// The objects in the service.
    stored: Option<Vec<String>>,
}

impl Probe {
    fn new(run: &mut SequenceRun<'_>, target: &Target, config: &Value) -> StepResult<Probe> {
        if let Some(service) = &run.provider.service {
            return Ok(Probe { states: Vec::new(), listed: None, stored: Some(service.objects()) });
        }
        let states = predicted_states(run, target, config)?;
        Ok(Probe { states, listed: super::other_kinds::count(run, target)?, stored: None })
    }

    /// Returns a description of a remote object that was created since the probe, and deletes it.
    fn find_orphan(&self, run: &mut SequenceRun<'_>, target: &Target) -> StepResult<Option<String>> {
        if let (Some(service), Some(before)) = (run.provider.service.clone(), &self.stored) {
            let new = new_objects(&*service, before);
            new.iter().for_each(|it| service.remove(it));
            if let Some(it) = new.first() {
                return Ok(Some(format!("the service contains the object {it}")));
            }
            return Ok(None);
        }
        for state in &self.states {
            if let Some(found) = run.read_by_state(target, state)? {
                let mut orphan = run.object(target, "orphan");
                let printed = orphan.instance.snapshot(&found).to_string();
                orphan.instance.stored = Some(state.clone());
                let steps = run.steps.len();
                let _ = run.delete(&mut orphan)?;
                run.steps.truncate(steps);
                return Ok(Some(format!("a read returns\n{printed}")));
            }
        }
        let now = super::other_kinds::count(run, target)?;
        Ok(match (self.listed, now) {
            (Some(before), Some(now)) if now > before => {
                Some("the list resource returns one more object".to_owned())
            }
            _ => None,
        })
    }
}

/// The states with which the next object that is created can be read.
fn predicted_states(
    run: &mut SequenceRun<'_>,
    target: &Target,
    config: &Value,
) -> StepResult<Vec<InstanceState>> {
    let first = run.with_new_provider(target, |run| reference(run, target, config))?;
    let second = run.with_new_provider(target, |run| reference(run, target, config))?;
    Ok(match first.value == second.value {
        true if *config == target.base => vec![first],
        // `SequenceRun::config` has already created and destroyed an object with this configuration, so the service may have assigned an
        // ID to it. The service of a new provider has not.
        true => {
            let next = run.with_new_provider(target, |run| {
                run.require_acceptance(target, config)?;
                reference(run, target, config)
            })?;
            vec![next, first]
        }
        // The service is shared by all instances of the provider.
        false => successor(&first, &second).into_iter().collect(),
    })
}

/// The state of an object that is created without a fault, and destroyed.
fn reference(run: &mut SequenceRun<'_>, target: &Target, config: &Value) -> StepResult<InstanceState> {
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, config)?;
    let state = object.instance.stored.clone().ok_or(SequenceEnd::Rejected)?;
    run.destroy(&mut object)?.map_err(|_| SequenceEnd::Rejected)?;
    Ok(state)
}

/// The state of the third object, if the states of the first two differ by increasing numbers; `None` if they are random.
fn successor(first: &InstanceState, second: &InstanceState) -> Option<InstanceState> {
    let value = next_value(&first.value, &second.value)?;
    let identity = match (&first.identity, &second.identity) {
        (Some(first), Some(second)) => Some(next_value(first, second)?),
        _ => None,
    };
    Some(InstanceState { value, identity, ..second.clone() })
}

fn next_value(first: &Value, second: &Value) -> Option<Value> {
    match (first, second) {
        _ if first == second => Some(first.clone()),
        (Value::Object(first), Value::Object(second)) => {
            let next = second
                .iter()
                .map(|(name, it)| Some((name.clone(), next_value(first.get_or_null(name), it)?)));
            next.collect::<Option<Vec<_>>>().map(Value::object)
        }
        (Value::Number(first), Value::Number(second)) => {
            let (first, second) = (first.to_i64()?, second.to_i64()?);
            Some(Value::Number(second.checked_add(second.checked_sub(first)?)?.into()))
        }
        (Value::String(first), Value::String(second)) => {
            next_string(first, second).map(|it| it.as_str().into())
        }
        _ => None,
    }
}

/// The string after two strings that differ only in one number.
fn next_string(first: &str, second: &str) -> Option<String> {
    let common = first.bytes().zip(second.bytes()).take_while(|(a, b)| a == b).count();
    let digits = |it: &str| it.bytes().take_while(u8::is_ascii_digit).count();
    let start = common - first.get(..common)?.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (one, two) = (first.get(start..)?, second.get(start..)?);
    let (one_end, two_end) = (digits(one), digits(two));
    if one.get(one_end..) != two.get(two_end..) {
        return None;
    }
    let (old, new): (u64, u64) = (one.get(..one_end)?.parse().ok()?, two.get(..two_end)?.parse().ok()?);
    let next = new.checked_add(new.checked_sub(old)?)?;
    Some(format!(
        "{}{next:0width$}{}",
        &second[..start],
        &two[two_end..],
        width = if two_end == one_end { two_end } else { 0 }
    ))
}

/// `create` fails at an await point.
pub(super) fn failed_create(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    if !target.has_remote_object {
        return Ok(Progress::Finished);
    }
    let (point, fault) = fault_of(number);
    let config = run.config(target)?;
    let keeps = Invariant::FailedCreateKeepsObject;
    let probe = Probe::new(run, target, &config)?;
    let mut object = run.object(target, "a");
    match run.apply_with_fault(&mut object, &config, (Method::Create, point, fault))? {
        FaultOutcome::NotReached => return Ok(not_reached(fault)),
        FaultOutcome::Succeeded => return Ok(Progress::More),
        FaultOutcome::Failed => settle(run),
    }
    if !object.instance.exists()
        && let Some(orphan) = probe.find_orphan(run, target)?
        && (matches!(fault, Fault::Stop | Fault::Timeout)
            || is_orphaned_before(run, target, &config, point - 1, fault)?)
    {
        let problem = format!("the remote object exists, but the state does not contain it: {orphan}");
        return Err(run.violated(keeps, problem));
    }
    recover(run, keeps, &mut object, &config)?;
    if let Some(orphan) = probe.find_orphan(run, target)? {
        return Err(run.violated(keeps, format!("a remote object remains: {orphan}")));
    }
    Ok(Progress::More)
}

/// Waits until the service has received the requests of a method that was dropped while it sent them.
fn settle(run: &SequenceRun<'_>) {
    let Some(service) = &run.provider.service else { return };
    let mut stable = 0;
    while stable < 4 {
        let before = service.request_count();
        std::thread::sleep(Duration::from_millis(2));
        stable = if service.request_count() == before { stable + 1 } else { 0 };
    }
}

/// True if `create` leaves an object that is not in the state if it fails at the await point. The response to the request that creates the
/// object can always be lost, so only the await points after the first one with a remote object are relevant.
fn is_orphaned_before(
    run: &mut SequenceRun<'_>,
    target: &Target,
    config: &Value,
    point: usize,
    fault: Fault,
) -> StepResult<bool> {
    if point == 0 {
        return Ok(false);
    }
    let probe = Probe::new(run, target, config)?;
    run.with_new_provider(target, |run| {
        let mut object = run.object(target, "a");
        run.apply_with_fault(&mut object, config, (Method::Create, point, fault))?;
        settle(run);
        Ok(!object.instance.exists() && probe.find_orphan(run, target)?.is_some())
    })
}

/// Applies the configuration again after a failure, and destroys the object.
fn recover(
    run: &mut SequenceRun<'_>,
    invariant: Invariant,
    object: &mut CheckedInstance<'_>,
    config: &Value,
) -> StepResult {
    run.within(invariant, |run| {
        if object.instance.exists() {
            run.refresh(object, invariant)?;
        }
        run.apply_again(invariant, object, config)?;
        run.destroy_again(invariant, object)
    })
}

/// Finds a change of the object that updates it in place.
pub(super) fn update_of(
    run: &mut SequenceRun<'_>,
    object: &CheckedInstance<'_>,
    config: &Value,
) -> StepResult<Option<Value>> {
    for (name, value) in object.target.values.changes(config).into_iter().take(12) {
        if let Some(changed) = run.with_change(object.target, config, &name, value)?
            && run.planned_action(object, &changed)? == Some(Action::Update)
        {
            return Ok(Some(changed));
        }
    }
    Ok(None)
}

/// `update` fails at an await point.
pub(super) fn failed_update(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let (point, fault) = fault_of(number);
    let config = run.config(target)?;
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &config)?;
    let Some(changed) = update_of(run, &object, &config)? else { return Ok(Progress::Finished) };
    match run.apply_with_fault(&mut object, &changed, (Method::Update, point, fault))? {
        FaultOutcome::NotReached => return Ok(not_reached(fault)),
        FaultOutcome::Succeeded => return Ok(Progress::More),
        FaultOutcome::Failed => settle(run),
    }
    let keeps = Invariant::FailedUpdateKeepsState;
    if !object.instance.exists() {
        return Err(run.violated(keeps, "the state no longer contains the object"));
    }
    recover(run, keeps, &mut object, &changed)?;
    Ok(Progress::More)
}

/// Another program deletes the object while a method waits. The method must return, with or without an error. If the service lets the
/// other program wait for the method, the sequence ends without a report.
pub(super) fn deleted_while_waiting(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
    method: Method,
) -> StepResult<Progress> {
    if !target.has_remote_object {
        return Ok(Progress::Finished);
    }
    let point = number + 1;
    let config = run.config(target)?;
    let mut object = run.object(target, "a");
    let (state, changed) = match method {
        Method::Create => {
            let states = predicted_states(run, target, &config)?;
            let Some(state) = states.into_iter().next() else { return Ok(Progress::Finished) };
            (state, config)
        }
        _ => {
            run.apply_or_reject(&mut object, &config)?;
            let Some(changed) = update_of(run, &object, &config)? else { return Ok(Progress::Finished) };
            let Some(state) = object.instance.stored.clone() else { return Err(SequenceEnd::Rejected) };
            (state, changed)
        }
    };
    let resource = run.harness.find::<dyn AnyResource>(&target.name);
    let delete = move |cx: RequestContext| resource.delete(cx, state.value);
    run.provider.interceptor.change_concurrently(method, point, Box::new(delete));
    let method_name = method.method_name();
    run.next_fault =
        Some(format!("another program deletes the object at await point {point} of `{method_name}`"));
    let applied = run.apply_only(&mut object, &changed);
    if run.provider.interceptor.has_conflict() {
        run.tolerate(applied)?;
        return Ok(Progress::Finished);
    }
    let applied = applied?;
    if !run.provider.interceptor.disarm() {
        return Ok(Progress::Finished);
    }
    let invariant = match (method, applied.is_err()) {
        (Method::Create, true) => Invariant::FailedCreateKeepsObject,
        (_, true) => Invariant::FailedUpdateKeepsState,
        _ => Invariant::DeletionIsDetected,
    };
    recover(run, invariant, &mut object, &changed)?;
    Ok(Progress::More)
}

/// `delete` fails at an await point.
pub(super) fn failed_delete(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let (point, fault) = fault_of(number);
    let config = run.config(target)?;
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &config)?;
    let outcome = run.with_fault((Method::Delete, point, fault), |run| {
        run.record(format!("destroy {}.{}", target.name, object.label));
        object.instance.plan_and_destroy()
    })?;
    match outcome {
        FaultOutcome::NotReached => return Ok(not_reached(fault)),
        FaultOutcome::Succeeded => return Ok(Progress::More),
        FaultOutcome::Failed => {}
    }
    let keeps = Invariant::FailedDeleteKeepsState;
    run.within(keeps, |run| run.delete_again(keeps, &mut object))?;
    Ok(Progress::More)
}

/// `read` fails at an await point.
pub(super) fn failed_read(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let (point, fault) = fault_of(number);
    let config = run.config(target)?;
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &config)?;
    let outcome = run.with_fault((Method::Read, point, fault), |run| {
        run.record(format!("refresh {}.{}", target.name, object.label));
        object.instance.read().map(drop)
    })?;
    if let FaultOutcome::NotReached = outcome {
        return Ok(not_reached(fault));
    }
    check_kept(run, &mut object)?;
    Ok(Progress::More)
}

/// Checks that `read`, which may have failed, has kept the state.
fn check_kept(run: &mut SequenceRun<'_>, object: &mut CheckedInstance<'_>) -> StepResult {
    let keeps = Invariant::FailedReadKeepsState;
    if !object.instance.exists() {
        return Err(
            run.violated(keeps, "`read` returned no object instead of an error, although the object exists")
        );
    }
    run.within(keeps, |run| {
        run.refresh_existing(keeps, object)?;
        run.destroy_again(keeps, object)
    })
}

/// The progress after a fault of a request that was not sent.
pub(super) fn not_requested(request: usize) -> Progress {
    if request.is_multiple_of(REQUESTS) { Progress::Finished } else { Progress::More }
}

/// The number of requests in a group, into which one fault after the other is injected.
const REQUESTS: usize = 3;

/// The index of the request and the fault with this number. Each of the first requests fails with an error before the other faults are
/// injected.
pub(super) fn request_fault_of(number: usize) -> (usize, ServiceFault) {
    let faults = ServiceFault::ALL;
    let (group, number) = (number / (REQUESTS * faults.len()), number % (REQUESTS * faults.len()));
    (group * REQUESTS + number % REQUESTS, faults[number / REQUESTS])
}

/// A request of a method to the service fails.
pub(super) fn failed_requests(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
    method: Method,
) -> StepResult<Progress> {
    let Some(service) = run.provider.service.clone() else { return Ok(Progress::Finished) };
    let (request, fault) = request_fault_of(number);
    let config = run.config(target)?;
    let mut object = run.object(target, "a");
    let mut changed = config.clone();
    if method != Method::Create {
        run.apply_or_reject(&mut object, &config)?;
        if method == Method::Update {
            let Some(update) = update_of(run, &object, &config)? else { return Ok(Progress::Finished) };
            changed = update;
        }
    }
    // Several attempts of a request are one request of the provider.
    let repeats = fault != ServiceFault::LostResponse;
    let before = service.objects();
    let start = service.request_count();
    service.inject(start + request, fault, repeats);
    let request_name = format!("request {} of `{}`", request + 1, method.method_name());
    run.next_fault = Some(fault.description(&request_name));
    let failed = match method {
        Method::Create | Method::Update => {
            let applied = run.apply(&mut object, &changed)?;
            applied.is_err()
        }
        Method::Delete => run.delete(&mut object)?.is_err(),
        _ => {
            run.record(format!("refresh {}.{}", target.name, object.label));
            run.finish(object.instance.read(), false)?.is_err()
        }
    };
    let is_reached = service.request_count() > start + request;
    service.clear_faults();
    if !is_reached {
        return Ok(not_requested(request));
    }
    match method {
        Method::Read => check_kept(run, &mut object)?,
        Method::Delete => {
            let keeps = Invariant::FailedDeleteKeepsState;
            let is_removed = service.objects().len() < before.len();
            if !failed && !is_removed && !object.instance.exists() {
                return Err(run.violated(keeps, "the destroy succeeded, but the remote object still exists"));
            }
            run.within(keeps, |run| run.delete_again(keeps, &mut object))?;
        }
        Method::Update if failed => {
            let keeps = Invariant::FailedUpdateKeepsState;
            let new = new_objects(&*service, &before);
            // Without the response to the request that renames the object, the provider cannot know whether it has succeeded.
            if fault == ServiceFault::LostResponse && !new.is_empty() {
                new.iter().for_each(|it| service.remove(it));
                return Ok(Progress::More);
            }
            recover(run, keeps, &mut object, &changed)?;
        }
        Method::Create if failed => {
            let keeps = Invariant::FailedCreateKeepsObject;
            let new = new_objects(&*service, &before);
            // Without the response to the first request, the provider cannot know the object.
            let is_unavoidable = fault == ServiceFault::LostResponse;
            if let (false, Some(orphan)) = (object.instance.exists(), new.first()) {
                if !is_unavoidable {
                    let problem =
                        format!("the remote object {orphan} exists, but the state does not contain it");
                    return Err(run.violated(keeps, problem));
                }
                new.iter().for_each(|it| service.remove(it));
            }
            recover(run, keeps, &mut object, &changed)?;
        }
        Method::Create if target.has_remote_object => {
            let safe = Invariant::RepeatedCreateIsSafe;
            run.destroy_again(safe, &mut object)?;
            let new = new_objects(&*service, &before);
            new.iter().for_each(|it| service.remove(it));
            if let Some(duplicate) = new.first()
                && !remains_after_destroy(run, target, &config)?
            {
                let problem = format!(
                    "`create` succeeded although a request failed, and the service contains the object {duplicate} after the destroy. \
                     If `create` retries the request, send an idempotency key, or return the error instead"
                );
                return Err(run.violated(safe, problem));
            }
        }
        _ => {}
    }
    Ok(Progress::More)
}

/// True if the service keeps an object, such as a parent, after the destroy. These steps are not reported.
fn remains_after_destroy(run: &mut SequenceRun<'_>, target: &Target, config: &Value) -> StepResult<bool> {
    let (steps, probe) = (run.steps.len(), Probe::new(run, target, config)?);
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, config)?;
    run.destroy(&mut object)?.map_err(|_| SequenceEnd::Rejected)?;
    run.steps.truncate(steps);
    Ok(probe.find_orphan(run, target)?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_value_continues_increasing_numbers() {
        for (first, second, next) in [
            ("note-1", "note-2", Some("note-3")),
            ("note-9", "note-10", Some("note-11")),
            ("i-0009/x", "i-0011/x", Some("i-0013/x")),
            ("a", "b", None),
            ("3f2a", "91bc", None),
        ] {
            assert_eq!(next_string(first, second).as_deref(), next, "{first} and {second}");
        }
        let object = |id: i64| Value::object([("name", "a".into()), ("id", id.into())]);
        assert_eq!(next_value(&object(4), &object(5)), Some(object(6)));
    }
}
