//! State stores: stored states, locks, and faults in their methods.
//!
//! Each sequence uses the states of new workspaces, because the service of the state store can outlive the sequence.

mod client;
mod failures;

use std::sync::{Arc, OnceLock};

pub(super) use self::client::configure;
use self::client::{Client, OPERATION, document, new_workspace};
pub(super) use self::failures::{failed, failed_requests};
use super::super::intercept::{ConcurrentChange, Method};
use super::super::run::SequenceRun;
use super::super::step::{Progress, SequenceEnd, StepResult};
use super::super::target::Target;
use crate::Invariant;

/// Writes, reads, lists and deletes a state, while it is locked. The number selects its content.
pub(super) fn contents(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let long = "x".repeat(300_000);
    let texts = ["b", "", "ä 漢字 😀 \u{feff}", "it's $1; -- %s ${a} \\ \"b\"\n", &long];
    let Some(text) = texts.get(number) else { return Ok(Progress::Finished) };
    let stored = Invariant::StateIsStored;
    let client = Client::new(run, target, &new_workspace(run))?;
    client.expect_state(run, stored, None)?;
    let lock = client.lock(run, stored)?;
    let [first, second] = [document(1, "a"), document(2, text)];
    client.write(run, stored, &first)?;
    client.expect_state(run, stored, Some(&first))?;
    // A state store may limit the size of a state.
    let written = client.try_write(run, &second)?;
    let expected = if number == 0 || written.is_ok() { &second } else { &first };
    client.expect_state(run, stored, Some(expected))?;
    let other = Client::new(run, target, &client.workspace)?;
    other.expect_state(run, stored, Some(expected))?;
    other.expect_listed(run, stored, true)?;
    client.delete(run, stored)?;
    if let Some(id) = lock {
        client.unlock(run, Invariant::LockCanBeReleased, &id)?;
    }
    other.expect_state(run, stored, None)?;
    Ok(Progress::More)
}

/// Uses two workspaces with similar names. The names are those that Terraform accepts.
pub(super) fn workspaces(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let stored = Invariant::StateIsStored;
    let first = Client::new(run, target, &new_workspace(run))?;
    let name = &first.workspace;
    let long = format!("{name}{}", "-long".repeat(16));
    let names = ["default", &format!("{name}-b"), &name.to_uppercase(), &format!("{name}.lock")];
    let unusual = [&format!("{name}.tfstate"), &format!("{name}:b@c=d&e+f$g~h"), "..", &long];
    let Some(similar) = names.iter().chain(&unusual).nth(number) else { return Ok(Progress::Finished) };
    let second = first.with_workspace(*similar);
    let [one, two] = [document(1, "a"), document(1, "b")];
    let lock = first.lock(run, stored)?;
    first.write(run, stored, &one)?;
    // A state store may reject a name.
    let other_lock = match second.try_lock(run)? {
        Err(errors) if number == 0 => {
            let problem =
                format!("the lock of one workspace also locks another workspace: {}", run.redacted(&errors));
            return Err(run.violated(Invariant::LockIsExclusive, problem));
        }
        Err(_) => return Err(SequenceEnd::Rejected),
        Ok(lock) => lock,
    };
    let is_written = second.try_write(run, &two)?.is_ok();
    first.expect_state(run, stored, Some(&one))?;
    if is_written {
        second.expect_state(run, stored, Some(&two))?;
        first.expect_listed(run, stored, true)?;
        second.expect_listed(run, stored, true)?;
        second.delete(run, stored)?;
    }
    if let Some(id) = other_lock {
        second.unlock(run, Invariant::LockCanBeReleased, &id)?;
    }
    first.expect_state(run, stored, Some(&one))?;
    first.expect_listed(run, stored, true)?;
    if let Some(id) = lock {
        first.expect_lock_error(run, "although only another workspace was unlocked")?;
        first.unlock(run, Invariant::LockCanBeReleased, &id)?;
    }
    first.delete(run, stored)?;
    Ok(Progress::More)
}

/// Two clients lock a state one after the other.
pub(super) fn locks(run: &mut SequenceRun<'_>, target: &Target, _: usize) -> StepResult<Progress> {
    let (exclusive, released) = (Invariant::LockIsExclusive, Invariant::LockCanBeReleased);
    let first = Client::new(run, target, &new_workspace(run))?;
    let Some(id) = first.lock(run, exclusive)? else { return Ok(Progress::Finished) };
    let second = Client::new(run, target, &first.workspace)?;
    let error = second.expect_lock_error(run, "although another client holds the lock")?;
    if !error.contains(&id) {
        let problem = format!(
            "the error does not contain the lock ID {id:?}, which `terraform force-unlock` needs: {error}"
        );
        return Err(run.violated(released, problem));
    }
    first.expect_lock_error(run, "although the client already holds the lock")?;
    first.write(run, Invariant::StateIsStored, &document(1, "a"))?;
    first.expect_state(run, Invariant::StateIsStored, Some(&document(1, "a")))?;
    let _ = second.try_unlock(run, "another-lock")?;
    second.expect_lock_error(run, "after an unlock with another ID")?;
    second.unlock(run, released, &id)?;
    let Some(next) = second.lock(run, released)? else { return Ok(Progress::Finished) };
    let _ = first.try_unlock(run, &id)?;
    first.expect_lock_error(run, "after an unlock with the ID of an earlier lock")?;
    second.unlock(run, released, &next)?;
    second.delete(run, Invariant::StateIsStored)?;
    Ok(Progress::Finished)
}

/// Another client locks the state while the first one is in `lock`, at an await point.
pub(super) fn simultaneous_locks(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let first = Client::new(run, target, &new_workspace(run))?;
    let second = Client::new(run, target, &first.workspace)?;
    let (point, store) = (number + 1, run.provider.interceptor.clients(|it| it.get(second.number)));
    let (workspace, locked) = (first.workspace.clone(), Arc::new(OnceLock::new()));
    let of_second = locked.clone();
    let concurrent_change: ConcurrentChange = Box::new(move |cx| {
        Box::pin(async move {
            if let Ok(Some(id)) = store.lock(cx, workspace, OPERATION.to_owned()).await {
                let _ = of_second.set(id);
            }
            Ok(())
        })
    });
    run.record(format!(
        "client {} locks the state at await point {point} of the next `lock`",
        second.number + 1
    ));
    run.provider.interceptor.change_concurrently(Method::Lock, point, concurrent_change);
    let id = first.try_lock(run)?.unwrap_or_default();
    if !run.provider.interceptor.disarm() {
        if let Some(id) = id {
            first.unlock(run, Invariant::LockCanBeReleased, &id)?;
        }
        return Ok(Progress::Finished);
    }
    if let (Some(first), Some(second)) = (&id, locked.get()) {
        let problem = format!("both clients have locked the state, with the IDs {first:?} and {second:?}");
        return Err(run.violated(Invariant::LockIsExclusive, problem));
    }
    if let Some(id) = id.as_ref().or(locked.get()) {
        first.unlock(run, Invariant::LockCanBeReleased, id)?;
    }
    Ok(Progress::More)
}

/// Another client writes and deletes the state.
pub(super) fn other_clients(run: &mut SequenceRun<'_>, target: &Target, _: usize) -> StepResult<Progress> {
    let first = Client::new(run, target, &new_workspace(run))?;
    let second = Client::new(run, target, &first.workspace)?;
    let [one, two] = [document(1, "a"), document(2, "b")];
    first.write(run, Invariant::StateIsStored, &one)?;
    second.expect_state(run, Invariant::StateIsStored, Some(&one))?;
    second.write(run, Invariant::StateIsStored, &two)?;
    first.expect_state(run, Invariant::DriftIsDetected, Some(&two))?;
    second.delete(run, Invariant::StateIsStored)?;
    first.expect_state(run, Invariant::DeletionIsDetected, None)?;
    first.expect_listed(run, Invariant::DeletionIsDetected, false)?;
    Ok(Progress::Finished)
}
