//! State stores: what they store, their locks, and methods that fail.
//!
//! Each sequence uses the states of new workspaces, because the service of the state store can exist for longer than the sequence.

use std::sync::atomic::Ordering;

use ferroform::Diagnostics;
use ferroform::value::{Path, Value};

use super::super::hcl;
use super::super::intercept::{Fault, Intrusion, Method};
use super::super::run::Run;
use super::super::service::ServiceFault;
use super::super::step::{Interruption, Progress, Step};
use super::super::target::Target;
use super::failures::{fault_of, not_reached};
use crate::{Configuration, ConfiguredStateStore, Invariant};

/// The operation of a lock.
const OPERATION: &str = "OperationTypeApply";

/// A secret in each state, which no log may contain.
const SECRET: &str = "secret-of-the-state";

/// Configures the state store.
pub(super) fn configure(
    run: &mut Run<'_>,
    target: &Target,
    config: &Value,
) -> Step<Result<ConfiguredStateStore, Diagnostics>> {
    run.record(format!("configure {}", hcl::block(target.kind, &target.name, "", target.block(), config)));
    let configured =
        run.harness.state_store(&target.name).try_configure(Configuration::of(target.block(), config));
    run.finish(configured.into_result(), false)
}

/// A state as Terraform stores it.
fn document(serial: u64, text: &str) -> Vec<u8> {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let state = format!(
        r#"{{
  "version": 4,
  "terraform_version": "1.16.0",
  "serial": {serial},
  "lineage": "6c1b0f0e-5e1b-4a53-9f5c-0b6f8b0f5a10",
  "outputs": {{
    "token": {{ "value": "{SECRET}", "type": "string", "sensitive": true }},
    "text": {{ "value": "{text}", "type": "string" }},
    "number": {{ "value": 9007199254740993.10, "type": "number" }}
  }},
  "resources": [],
  "check_results": null
}}
"#
    );
    state.into_bytes()
}

/// The name of a workspace that no sequence has used.
fn new_workspace(run: &Run<'_>) -> String {
    run.harness.sensitive_values().hide(SECRET, Path::attribute("outputs"));
    format!("workspace-{}", run.checker.workspaces.fetch_add(1, Ordering::Relaxed) + 1)
}

/// A client of the state store, such as a process of Terraform, and the state of a workspace.
#[derive(Clone)]
struct Client {
    store: ConfiguredStateStore,
    number: usize,
    workspace: String,
}

impl Client {
    /// A new client of a workspace.
    fn new(run: &mut Run<'_>, target: &Target, workspace: &str) -> Step<Client> {
        let store = configure(run, target, &target.base)?.map_err(|_| Interruption::Rejected)?;
        let number = run.checker.interceptor.clients(|it| it.selected());
        Ok(Client { store, number, workspace: workspace.to_owned() })
    }

    /// The same client of another workspace.
    fn of(&self, workspace: impl Into<String>) -> Client {
        Client { workspace: workspace.into(), ..self.clone() }
    }

    /// Records a step, which this client executes.
    fn begin(&self, run: &mut Run<'_>, step: &str) {
        run.record(format!("client {}: {step} {:?}", self.number + 1, self.workspace));
        run.checker.interceptor.clients(|it| it.select(self.number));
    }

    fn try_read(&self, run: &mut Run<'_>) -> Step<Result<Option<Vec<u8>>, Diagnostics>> {
        self.begin(run, "read the state of");
        run.finish(self.store.try_read(&self.workspace).into_result(), true)
    }

    fn try_write(&self, run: &mut Run<'_>, state: &[u8]) -> Step<Result<(), Diagnostics>> {
        self.begin(run, &format!("write a state of {} bytes of", state.len()));
        run.finish(self.store.try_write(&self.workspace, state).into_result().map(drop), true)
    }

    fn try_lock(&self, run: &mut Run<'_>) -> Step<Result<Option<String>, Diagnostics>> {
        self.begin(run, "lock the state of");
        run.finish(self.store.try_lock(&self.workspace, OPERATION).into_result(), true)
    }

    fn try_unlock(&self, run: &mut Run<'_>, lock_id: &str) -> Step<Result<(), Diagnostics>> {
        self.begin(run, &format!("with the lock ID {lock_id:?}, unlock the state of"));
        run.finish(self.store.try_unlock(&self.workspace, lock_id).into_result(), true)
    }

    fn try_list(&self, run: &mut Run<'_>) -> Step<Result<Vec<String>, Diagnostics>> {
        run.record(format!("client {}: list the states", self.number + 1));
        run.checker.interceptor.clients(|it| it.select(self.number));
        run.finish(self.store.try_states().into_result(), true)
    }

    fn try_delete(&self, run: &mut Run<'_>) -> Step<Result<(), Diagnostics>> {
        self.begin(run, "delete the state of");
        run.finish(self.store.try_delete(&self.workspace).into_result(), true)
    }

    fn write(&self, run: &mut Run<'_>, invariant: Invariant, state: &[u8]) -> Step {
        let written = self.try_write(run, state)?;
        expect(run, invariant, written)
    }

    fn unlock(&self, run: &mut Run<'_>, invariant: Invariant, lock_id: &str) -> Step {
        let unlocked = self.try_unlock(run, lock_id)?;
        expect(run, invariant, unlocked)
    }

    fn lock(&self, run: &mut Run<'_>, invariant: Invariant) -> Step<Option<String>> {
        let locked = self.try_lock(run)?;
        expect(run, invariant, locked)
    }

    /// Checks that a lock fails because another client holds it. Returns the error.
    fn is_excluded(&self, run: &mut Run<'_>, reason: &str) -> Step<String> {
        match self.try_lock(run)? {
            Err(errors) => Ok(errors.to_string()),
            Ok(_) => Err(run.violated(Invariant::LockIsExclusive, format!("the lock succeeded, {reason}"))),
        }
    }

    /// Deletes the state, and checks that nothing of it remains.
    fn delete(&self, run: &mut Run<'_>, invariant: Invariant) -> Step {
        let deleted = self.try_delete(run)?;
        expect(run, invariant, deleted)?;
        self.holds(run, invariant, None)?;
        self.is_listed(run, invariant, false)
    }

    /// Checks what a read returns.
    fn holds(&self, run: &mut Run<'_>, invariant: Invariant, expected: Option<&[u8]>) -> Step {
        let read = self.try_read(run)?;
        let found = expect(run, invariant, read)?;
        match found.as_deref() == expected {
            true => Ok(()),
            false => Err(run.violated(invariant, unexpected(found.as_deref(), expected))),
        }
    }

    /// Checks how often the list contains the workspace.
    fn is_listed(&self, run: &mut Run<'_>, invariant: Invariant, expected: bool) -> Step {
        let listed = self.try_list(run)?;
        let listed = expect(run, invariant, listed)?;
        let count = listed.iter().filter(|it| **it == self.workspace).count();
        if count == usize::from(expected) {
            return Ok(());
        }
        let state = if expected { "has a state" } else { "has no state" };
        let problem = format!("the workspace {:?} {state}, but is listed {count} times", self.workspace);
        Err(run.violated(invariant, problem))
    }
}

/// The result of a step that must succeed because of the invariant.
fn expect<T>(run: &Run<'_>, invariant: Invariant, result: Result<T, Diagnostics>) -> Step<T> {
    result.map_err(|errors| run.violated(invariant, format!("the step failed: {}", run.text_of(&errors))))
}

/// Describes a state that was read instead of another one.
fn unexpected(found: Option<&[u8]>, expected: Option<&[u8]>) -> String {
    match (found, expected) {
        (None, _) => "the read returned no state".to_owned(),
        (Some(found), None) => {
            format!("the read returned a state of {} bytes instead of none", found.len())
        }
        (Some(found), Some(expected)) => {
            let same = found.iter().zip(expected).take_while(|(a, b)| a == b).count();
            let (found, expected) = (found.len(), expected.len());
            format!(
                "the read returned a state of {found} bytes instead of one of {expected}, which differ from byte {same} on"
            )
        }
    }
}

/// Writes, reads, lists and deletes a state, while it is locked. The number selects its content.
pub(super) fn contents(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    let long = "x".repeat(300_000);
    let texts = ["b", "", "ä 漢字 😀 \u{feff}", "it's $1; -- %s ${a} \\ \"b\"\n", &long];
    let Some(text) = texts.get(number) else { return Ok(Progress::Finished) };
    let stored = Invariant::StateIsStored;
    let client = Client::new(run, target, &new_workspace(run))?;
    client.holds(run, stored, None)?;
    let lock = client.lock(run, stored)?;
    let [first, second] = [document(1, "a"), document(2, text)];
    client.write(run, stored, &first)?;
    client.holds(run, stored, Some(&first))?;
    // A state store may have a limit.
    let written = client.try_write(run, &second)?;
    let expected = if number == 0 || written.is_ok() { &second } else { &first };
    client.holds(run, stored, Some(expected))?;
    let other = Client::new(run, target, &client.workspace)?;
    other.holds(run, stored, Some(expected))?;
    other.is_listed(run, stored, true)?;
    client.delete(run, stored)?;
    if let Some(id) = lock {
        client.unlock(run, Invariant::LockCanBeReleased, &id)?;
    }
    other.holds(run, stored, None)?;
    Ok(Progress::More)
}

/// Uses two workspaces with similar names. The names are those that Terraform accepts.
pub(super) fn workspaces(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    let stored = Invariant::StateIsStored;
    let first = Client::new(run, target, &new_workspace(run))?;
    let name = &first.workspace;
    let long = format!("{name}{}", "-long".repeat(16));
    let names = ["default", &format!("{name}-b"), &name.to_uppercase(), &format!("{name}.lock")];
    let unusual = [&format!("{name}.tfstate"), &format!("{name}:b@c=d&e+f$g~h"), "..", &long];
    let Some(similar) = names.iter().chain(&unusual).nth(number) else { return Ok(Progress::Finished) };
    let second = first.of(*similar);
    let [one, two] = [document(1, "a"), document(1, "b")];
    let lock = first.lock(run, stored)?;
    first.write(run, stored, &one)?;
    // A state store may reject a name.
    let other_lock = match second.try_lock(run)? {
        Err(errors) if number == 0 => {
            let problem = format!("another workspace is locked, too: {}", run.text_of(&errors));
            return Err(run.violated(Invariant::LockIsExclusive, problem));
        }
        Err(_) => return Err(Interruption::Rejected),
        Ok(lock) => lock,
    };
    let is_written = second.try_write(run, &two)?.is_ok();
    first.holds(run, stored, Some(&one))?;
    if is_written {
        second.holds(run, stored, Some(&two))?;
        first.is_listed(run, stored, true)?;
        second.is_listed(run, stored, true)?;
        second.delete(run, stored)?;
    }
    if let Some(id) = other_lock {
        second.unlock(run, Invariant::LockCanBeReleased, &id)?;
    }
    first.holds(run, stored, Some(&one))?;
    first.is_listed(run, stored, true)?;
    if let Some(id) = lock {
        first.is_excluded(run, "although only another workspace was unlocked")?;
        first.unlock(run, Invariant::LockCanBeReleased, &id)?;
    }
    first.delete(run, stored)?;
    Ok(Progress::More)
}

/// Two clients lock a state one after the other.
pub(super) fn locks(run: &mut Run<'_>, target: &Target, _: usize) -> Step<Progress> {
    let (exclusive, released) = (Invariant::LockIsExclusive, Invariant::LockCanBeReleased);
    let first = Client::new(run, target, &new_workspace(run))?;
    let Some(id) = first.lock(run, exclusive)? else { return Ok(Progress::Finished) };
    let second = Client::new(run, target, &first.workspace)?;
    let error = second.is_excluded(run, "although another client holds the lock")?;
    if !error.contains(&id) {
        let problem = format!(
            "the error does not contain the ID of the lock {id:?}, which `terraform force-unlock` needs: {error}"
        );
        return Err(run.violated(released, problem));
    }
    first.is_excluded(run, "although the client holds the lock already")?;
    first.write(run, Invariant::StateIsStored, &document(1, "a"))?;
    first.holds(run, Invariant::StateIsStored, Some(&document(1, "a")))?;
    let _ = second.try_unlock(run, "another-lock")?;
    second.is_excluded(run, "after an unlock with another ID")?;
    second.unlock(run, released, &id)?;
    let Some(next) = second.lock(run, released)? else { return Ok(Progress::Finished) };
    let _ = first.try_unlock(run, &id)?;
    first.is_excluded(run, "after an unlock with the ID of an earlier lock")?;
    second.unlock(run, released, &next)?;
    second.delete(run, Invariant::StateIsStored)?;
    Ok(Progress::Finished)
}

/// Another client locks the state while the first one does it, at an await point.
pub(super) fn simultaneous_locks(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    let first = Client::new(run, target, &new_workspace(run))?;
    let second = Client::new(run, target, &first.workspace)?;
    let (point, store) = (number + 1, run.checker.interceptor.clients(|it| it.get(second.number)));
    let (workspace, locked) = (first.workspace.clone(), std::sync::Arc::new(std::sync::OnceLock::new()));
    let of_second = locked.clone();
    let intrusion: Intrusion = Box::new(move |cx| {
        Box::pin(async move {
            if let Ok(Some(id)) = store.lock(cx, workspace, OPERATION.to_owned()).await {
                let _ = of_second.set(id);
            }
            Ok(())
        })
    });
    run.record(format!(
        "at the await point {point} of the next lock, client {} locks the state",
        second.number + 1
    ));
    run.checker.interceptor.intrude(Method::Lock, point, intrusion);
    let id = first.try_lock(run)?.unwrap_or_default();
    if !run.checker.interceptor.disarm() {
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
pub(super) fn other_clients(run: &mut Run<'_>, target: &Target, _: usize) -> Step<Progress> {
    let first = Client::new(run, target, &new_workspace(run))?;
    let second = Client::new(run, target, &first.workspace)?;
    let [one, two] = [document(1, "a"), document(2, "b")];
    first.write(run, Invariant::StateIsStored, &one)?;
    second.holds(run, Invariant::StateIsStored, Some(&one))?;
    second.write(run, Invariant::StateIsStored, &two)?;
    first.holds(run, Invariant::DriftIsDetected, Some(&two))?;
    second.delete(run, Invariant::StateIsStored)?;
    first.holds(run, Invariant::LossIsDetected, None)?;
    first.is_listed(run, Invariant::LossIsDetected, false)?;
    Ok(Progress::Finished)
}

/// What methods have left, of which the last one may have failed.
struct Attempt {
    /// What the state can be.
    states: Vec<Option<Vec<u8>>>,
    /// The ID of the lock.
    lock: Option<String>,
    failed: Option<Method>,
}

impl Attempt {
    /// Locks, writes, reads, lists, unlocks and deletes a state, until a method fails. `before_second` is called before the second write.
    fn run(run: &mut Run<'_>, client: &Client, before_second: impl FnOnce(&mut Run<'_>)) -> Step<Attempt> {
        let mut attempt = Attempt { states: vec![None], lock: None, failed: None };
        let failed = attempt.until_failure(run, client, before_second)?;
        attempt.failed = failed;
        Ok(attempt)
    }

    fn until_failure(
        &mut self,
        run: &mut Run<'_>,
        client: &Client,
        before_second: impl FnOnce(&mut Run<'_>),
    ) -> Step<Option<Method>> {
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
            Err(_) => return Ok(Some(Method::List)),
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
    fn write(&mut self, run: &mut Run<'_>, client: &Client, state: Vec<u8>) -> Step<bool> {
        let is_written = client.try_write(run, &state)?.is_ok();
        self.states.push(Some(state));
        if is_written {
            self.states.drain(..self.states.len() - 1);
        }
        Ok(is_written)
    }

    /// Checks a state that was read.
    fn check(&self, run: &Run<'_>, invariant: Invariant, found: Option<&[u8]>) -> Step {
        match self.states.iter().any(|it| it.as_deref() == found) {
            true => Ok(()),
            false => {
                let expected = self.states.last().and_then(|it| it.as_deref());
                Err(run.violated(invariant, unexpected(found, expected)))
            }
        }
    }

    /// Checks that another client can use the state.
    fn recover(self, run: &mut Run<'_>, target: &Target, workspace: &str) -> Step {
        let keeps = match self.failed {
            Some(Method::Read | Method::List) => Invariant::FailedReadKeepsState,
            _ => Invariant::FailedWriteKeepsState,
        };
        let client = Client::new(run, target, workspace)?;
        self.release(run, &client)?;
        let read = client.try_read(run)?;
        let found = expect(run, keeps, read)?;
        self.check(run, keeps, found.as_deref())?;
        let third = document(3, "c");
        client.write(run, keeps, &third)?;
        client.holds(run, keeps, Some(&third))?;
        client.delete(run, keeps)
    }

    /// Releases the lock, as a practitioner does with its ID.
    fn release(&self, run: &mut Run<'_>, client: &Client) -> Step {
        let released = Invariant::LockCanBeReleased;
        if let Some(id) = &self.lock {
            let unlocked = client.try_unlock(run, id)?;
            // An unlock that has failed can have released the lock.
            if self.failed != Some(Method::Unlock) {
                expect(run, released, unlocked)?;
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
        let problem =
            format!("the state stays locked, and the error contains no ID that releases it: {errors}");
        Err(run.violated(released, problem))
    }
}

/// A method fails at an await point.
fn failed(run: &mut Run<'_>, target: &Target, number: usize, method: Method) -> Step<Progress> {
    let (point, fault) = fault_of(number);
    let client = Client::new(run, target, &new_workspace(run))?;
    let arm = |run: &mut Run<'_>| {
        run.record(format!("the next {} {} at its await point {point}", method.noun(), fault.description()));
        run.checker.interceptor.arm(method, point, fault);
    };
    if method == Method::Lock {
        arm(run);
    }
    let attempt = Attempt::run(run, &client, |run| {
        if method != Method::Lock {
            arm(run);
        }
    })?;
    let is_reached = run.checker.interceptor.disarm();
    if !is_reached {
        run.steps.retain(|it| !it.starts_with("the next "));
    }
    attempt.recover(run, target, &client.workspace)?;
    Ok(if is_reached { Progress::More } else { not_reached(fault) })
}

pub(super) fn failed_lock(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    failed(run, target, number, Method::Lock)
}

pub(super) fn failed_write(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    failed(run, target, number, Method::Write)
}

pub(super) fn failed_read(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    failed(run, target, number, Method::Read)
}

pub(super) fn failed_list(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    failed(run, target, number, Method::List)
}

pub(super) fn failed_unlock(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    failed(run, target, number, Method::Unlock)
}

pub(super) fn failed_delete(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    failed(run, target, number, Method::Delete)
}

/// A request of the service fails.
pub(super) fn failed_requests(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    let Some(service) = run.checker.service.clone() else { return Ok(Progress::Finished) };
    let faults = ServiceFault::ALL;
    let (request, fault) = (number / faults.len(), faults[number % faults.len()]);
    let client = Client::new(run, target, &new_workspace(run))?;
    let start = service.requests();
    service.inject(start + request, fault, false);
    run.record(format!("{} request {}", fault.description(), request + 1));
    let attempt = Attempt::run(run, &client, |_| ())?;
    let is_reached = service.requests() > start + request;
    service.repair();
    if !is_reached {
        return Ok(Progress::Finished);
    }
    attempt.recover(run, target, &client.workspace)?;
    Ok(Progress::More)
}
