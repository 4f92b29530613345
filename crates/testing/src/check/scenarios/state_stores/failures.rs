//! Faults in methods of state stores: at their await points, and at each request of the service.

use super::super::super::intercept::Method;
use super::super::super::run::SequenceRun;
use super::super::super::step::{Progress, StepResult};
use super::super::super::target::Target;
use super::super::failures::{fault_of, not_reached, not_requested, request_fault_of};
use super::client::{Client, document, new_workspace, unexpected};
use crate::Invariant;

/// The possible results of a series of methods, the last of which may have failed.
struct Attempt {
    /// The possible contents of the state.
    states: Vec<Option<Vec<u8>>>,
    /// The ID of the lock, if it is held.
    lock: Option<String>,
    failed: Option<Method>,
}

impl Attempt {
    /// Locks, writes, reads, lists, unlocks and deletes a state, until a method fails. `before_second` is called before the second write.
    fn run(
        run: &mut SequenceRun<'_>,
        client: &Client,
        before_second: impl FnOnce(&mut SequenceRun<'_>),
    ) -> StepResult<Attempt> {
        let mut attempt = Attempt { states: vec![None], lock: None, failed: None };
        let failed = attempt.run_until_failure(run, client, before_second)?;
        attempt.failed = failed;
        Ok(attempt)
    }

    fn run_until_failure(
        &mut self,
        run: &mut SequenceRun<'_>,
        client: &Client,
        before_second: impl FnOnce(&mut SequenceRun<'_>),
    ) -> StepResult<Option<Method>> {
        match client.try_lock(run)? {
            Ok(id) => self.lock = id,
            Err(_) => return Ok(Some(Method::Lock)),
        }
        if !self.write(run, client, document(1, "a"))? {
            return Ok(Some(Method::Write));
        }
        before_second(run);
        if !self.write(run, client, document(2, "b"))? {
            return Ok(Some(Method::Write));
        }
        match client.try_read(run)? {
            Ok(found) => self.check(run, Invariant::FailedReadKeepsState, found.as_deref())?,
            Err(_) => return Ok(Some(Method::Read)),
        }
        match client.try_list(run)? {
            Ok(listed) if !listed.contains(&client.workspace) => {
                let problem = "the workspace has a state, but is not listed";
                return Err(run.violated(Invariant::FailedReadKeepsState, problem));
            }
            Ok(_) => {}
            Err(_) => return Ok(Some(Method::States)),
        }
        if let Some(id) = self.lock.clone() {
            if client.try_unlock(run, &id)?.is_err() {
                return Ok(Some(Method::Unlock));
            }
            self.lock = None;
        }
        let is_deleted = client.try_delete(run)?.is_ok();
        self.states.push(None);
        if is_deleted {
            self.states = vec![None];
        }
        Ok(Some(Method::Delete).filter(|_| !is_deleted))
    }

    /// Returns true if the write has succeeded.
    fn write(&mut self, run: &mut SequenceRun<'_>, client: &Client, state: Vec<u8>) -> StepResult<bool> {
        let is_written = client.try_write(run, &state)?.is_ok();
        self.states.push(Some(state));
        if is_written {
            self.states.drain(..self.states.len() - 1);
        }
        Ok(is_written)
    }

    /// Checks a state that was read.
    fn check(&self, run: &SequenceRun<'_>, invariant: Invariant, found: Option<&[u8]>) -> StepResult {
        match self.states.iter().any(|it| it.as_deref() == found) {
            true => Ok(()),
            false => {
                let expected = self.states.last().and_then(|it| it.as_deref());
                Err(run.violated(invariant, unexpected(found, expected)))
            }
        }
    }

    /// Checks that another client can use the state.
    fn recover(self, run: &mut SequenceRun<'_>, target: &Target, workspace: &str) -> StepResult {
        let keeps = match self.failed {
            Some(Method::Read | Method::States) => Invariant::FailedReadKeepsState,
            _ => Invariant::FailedWriteKeepsState,
        };
        let client = Client::new(run, target, workspace)?;
        self.release(run, &client)?;
        let read = client.try_read(run)?;
        let found = run.expect(keeps, "`read`", read)?;
        self.check(run, keeps, found.as_deref())?;
        let third = document(3, "c");
        client.write(run, keeps, &third)?;
        client.expect_state(run, keeps, Some(&third))?;
        client.delete(run, keeps)
    }

    /// Releases the lock, as a practitioner does with its ID.
    fn release(&self, run: &mut SequenceRun<'_>, client: &Client) -> StepResult {
        let released = Invariant::LockCanBeReleased;
        if let Some(id) = &self.lock {
            let unlocked = client.try_unlock(run, id)?;
            // An unlock that has failed can have released the lock.
            if self.failed != Some(Method::Unlock) {
                run.expect(released, "`unlock`", unlocked)?;
            }
        }
        let errors = match client.try_lock(run)? {
            Ok(None) => return Ok(()),
            Ok(Some(id)) => return client.unlock(run, released, &id),
            Err(errors) => errors.to_string(),
        };
        let steps = run.steps.len();
        let is_separator = |it: char| !it.is_alphanumeric() && !"-_./:+=".contains(it);
        for word in errors.split(is_separator).map(|it| it.trim_matches(['.', ':'])) {
            if !word.is_empty()
                && client.try_unlock(run, word)?.is_ok()
                && let Ok(lock) = client.try_lock(run)?
            {
                return lock.map_or(Ok(()), |id| client.unlock(run, released, &id));
            }
            run.steps.truncate(steps);
        }
        let problem = format!(
            "the state remains locked, and the error contains no ID that releases the lock: {errors}"
        );
        Err(run.violated(released, problem))
    }
}

/// A method fails at an await point.
pub(in super::super) fn failed(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
    method: Method,
) -> StepResult<Progress> {
    let (point, fault) = fault_of(number);
    let client = Client::new(run, target, &new_workspace(run))?;
    let mut armed = None;
    let mut arm = |run: &mut SequenceRun<'_>| {
        armed = Some(run.steps.len());
        run.record(format!(
            "the next `{}` {} at await point {point}",
            method.method_name(),
            fault.description()
        ));
        run.provider.interceptor.arm(method, point, fault);
    };
    if method == Method::Lock {
        arm(run);
    }
    let attempt = Attempt::run(run, &client, |run| {
        if method != Method::Lock {
            arm(run);
        }
    })?;
    let is_reached = run.provider.interceptor.disarm();
    if let (Some(armed), false) = (armed, is_reached) {
        run.steps.remove(armed);
    }
    attempt.recover(run, target, &client.workspace)?;
    Ok(if is_reached { Progress::More } else { not_reached(fault) })
}

/// A request of the service fails.
pub(in super::super) fn failed_requests(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let Some(service) = run.provider.service.clone() else { return Ok(Progress::Finished) };
    let (request, fault) = request_fault_of(number);
    let client = Client::new(run, target, &new_workspace(run))?;
    let start = service.request_count();
    service.inject(start + request, fault, false);
    run.record(fault.description(&format!("request {}", request + 1)));
    let attempt = Attempt::run(run, &client, |_| ())?;
    let is_reached = service.request_count() > start + request;
    service.clear_faults();
    if !is_reached {
        return Ok(not_requested(request));
    }
    attempt.recover(run, target, &client.workspace)?;
    Ok(Progress::More)
}
