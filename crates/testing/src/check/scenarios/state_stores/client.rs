//! The clients of a state store, and the checks of their steps.

use std::sync::atomic::Ordering;

use ferroform::Diagnostics;
use ferroform::value::{Path, Value};

use super::super::super::run::SequenceRun;
use super::super::super::step::{SequenceEnd, StepResult};
use super::super::super::target::Target;
use crate::{Configuration, ConfiguredStateStore, Invariant};

/// The operation of a lock.
pub(super) const OPERATION: &str = "OperationTypeApply";

/// A secret in each state, which no log may contain.
const SECRET: &str = "secret-of-the-state";

/// Configures the state store.
pub(in super::super) fn configure(
    run: &mut SequenceRun<'_>,
    target: &Target,
    config: &Value,
) -> StepResult<Result<ConfiguredStateStore, Diagnostics>> {
    run.record_configuration("configure", target, "", config);
    let configured =
        run.harness.state_store(&target.name).try_configure(Configuration::of(target.block(), config));
    run.finish(configured.into_result(), false)
}

/// A state as Terraform stores it.
pub(super) fn document(serial: u64, text: &str) -> Vec<u8> {
    let text = serde_json::Value::from(text);
    let state = format!(
        r#"{{
  "version": 4,
  "terraform_version": "1.16.0",
  "serial": {serial},
  "lineage": "6c1b0f0e-5e1b-4a53-9f5c-0b6f8b0f5a10",
  "outputs": {{
    "token": {{ "value": "{SECRET}", "type": "string", "sensitive": true }},
    "text": {{ "value": {text}, "type": "string" }},
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
pub(super) fn new_workspace(run: &SequenceRun<'_>) -> String {
    run.harness.sensitive_values().hide(SECRET, Path::attribute("outputs"));
    format!("workspace-{}", run.provider.workspaces.fetch_add(1, Ordering::Relaxed) + 1)
}

/// A client of the state store, such as a process of Terraform, and the state of a workspace.
#[derive(Clone)]
pub(super) struct Client {
    store: ConfiguredStateStore,
    pub(super) number: usize,
    pub(super) workspace: String,
}

impl Client {
    /// A new client with a workspace.
    pub(super) fn new(run: &mut SequenceRun<'_>, target: &Target, workspace: &str) -> StepResult<Client> {
        let store = configure(run, target, &target.base)?.map_err(|_| SequenceEnd::Rejected)?;
        let number = run.provider.interceptor.clients(|it| it.selected());
        Ok(Client { store, number, workspace: workspace.to_owned() })
    }

    /// The same client with another workspace.
    pub(super) fn with_workspace(&self, workspace: impl Into<String>) -> Client {
        Client { workspace: workspace.into(), ..self.clone() }
    }

    /// Records a step, which this client executes.
    fn begin(&self, run: &mut SequenceRun<'_>, step: &str) {
        run.record(format!("client {}: {step} {:?}", self.number + 1, self.workspace));
        run.provider.interceptor.clients(|it| it.select(self.number));
    }

    pub(super) fn try_read(
        &self,
        run: &mut SequenceRun<'_>,
    ) -> StepResult<Result<Option<Vec<u8>>, Diagnostics>> {
        self.begin(run, "read the state of");
        run.finish(self.store.try_read(&self.workspace).into_result(), true)
    }

    pub(super) fn try_write(
        &self,
        run: &mut SequenceRun<'_>,
        state: &[u8],
    ) -> StepResult<Result<(), Diagnostics>> {
        self.begin(run, &format!("write a state of {} bytes of", state.len()));
        run.finish(self.store.try_write(&self.workspace, state).into_result().map(drop), true)
    }

    pub(super) fn try_lock(
        &self,
        run: &mut SequenceRun<'_>,
    ) -> StepResult<Result<Option<String>, Diagnostics>> {
        self.begin(run, "lock the state of");
        run.finish(self.store.try_lock(&self.workspace, OPERATION).into_result(), true)
    }

    pub(super) fn try_unlock(
        &self,
        run: &mut SequenceRun<'_>,
        lock_id: &str,
    ) -> StepResult<Result<(), Diagnostics>> {
        self.begin(run, &format!("with the lock ID {lock_id:?}, unlock the state of"));
        run.finish(self.store.try_unlock(&self.workspace, lock_id).into_result(), true)
    }

    pub(super) fn try_list(&self, run: &mut SequenceRun<'_>) -> StepResult<Result<Vec<String>, Diagnostics>> {
        run.record(format!("client {}: list the states", self.number + 1));
        run.provider.interceptor.clients(|it| it.select(self.number));
        run.finish(self.store.try_states().into_result(), true)
    }

    pub(super) fn try_delete(&self, run: &mut SequenceRun<'_>) -> StepResult<Result<(), Diagnostics>> {
        self.begin(run, "delete the state of");
        run.finish(self.store.try_delete(&self.workspace).into_result(), true)
    }

    pub(super) fn write(&self, run: &mut SequenceRun<'_>, invariant: Invariant, state: &[u8]) -> StepResult {
        let written = self.try_write(run, state)?;
        run.expect(invariant, "`write`", written)
    }

    pub(super) fn unlock(
        &self,
        run: &mut SequenceRun<'_>,
        invariant: Invariant,
        lock_id: &str,
    ) -> StepResult {
        let unlocked = self.try_unlock(run, lock_id)?;
        run.expect(invariant, "`unlock`", unlocked)
    }

    pub(super) fn lock(&self, run: &mut SequenceRun<'_>, invariant: Invariant) -> StepResult<Option<String>> {
        let locked = self.try_lock(run)?;
        run.expect(invariant, "`lock`", locked)
    }

    /// Checks that a lock fails because another client holds it. Returns the error.
    pub(super) fn expect_lock_error(&self, run: &mut SequenceRun<'_>, reason: &str) -> StepResult<String> {
        match self.try_lock(run)? {
            Err(errors) => Ok(errors.to_string()),
            Ok(_) => Err(run.violated(Invariant::LockIsExclusive, format!("`lock` succeeded {reason}"))),
        }
    }

    /// Deletes the state, and checks that it is neither read nor listed afterwards.
    pub(super) fn delete(&self, run: &mut SequenceRun<'_>, invariant: Invariant) -> StepResult {
        let deleted = self.try_delete(run)?;
        run.expect(invariant, "`delete`", deleted)?;
        self.expect_state(run, invariant, None)?;
        self.expect_listed(run, invariant, false)
    }

    /// Checks the result of a read.
    pub(super) fn expect_state(
        &self,
        run: &mut SequenceRun<'_>,
        invariant: Invariant,
        expected: Option<&[u8]>,
    ) -> StepResult {
        let read = self.try_read(run)?;
        let found = run.expect(invariant, "`read`", read)?;
        match found.as_deref() == expected {
            true => Ok(()),
            false => Err(run.violated(invariant, unexpected(found.as_deref(), expected))),
        }
    }

    /// Checks whether the workspace is listed exactly once, or not at all.
    pub(super) fn expect_listed(
        &self,
        run: &mut SequenceRun<'_>,
        invariant: Invariant,
        expected: bool,
    ) -> StepResult {
        let listed = self.try_list(run)?;
        let listed = run.expect(invariant, "`states`", listed)?;
        let count = listed.iter().filter(|it| **it == self.workspace).count();
        if count == usize::from(expected) {
            return Ok(());
        }
        let state = if expected { "has a state" } else { "has no state" };
        let problem =
            format!("the workspace {:?} {state}, but `states` returned it {count} times", self.workspace);
        Err(run.violated(invariant, problem))
    }
}

/// Describes the difference between the state that was read and the expected one.
pub(super) fn unexpected(found: Option<&[u8]>, expected: Option<&[u8]>) -> String {
    match (found, expected) {
        (None, _) => "`read` returned no state".to_owned(),
        (Some(found), None) => {
            format!("`read` returned a state of {} bytes instead of none", found.len())
        }
        (Some(found), Some(expected)) => {
            let same = found.iter().zip(expected).take_while(|(a, b)| a == b).count();
            let (found, expected) = (found.len(), expected.len());
            format!(
                "`read` returned a state of {found} bytes instead of one of {expected} bytes. The first difference is at byte {same}"
            )
        }
    }
}
