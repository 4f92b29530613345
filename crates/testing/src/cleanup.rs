//! Destroys the objects of a failed test, because the statements that would have destroyed them did not run.
//!
//! The harness keeps the last state of each object that it has created. If the test panics, the last handle of the harness
//! is dropped while the stack unwinds, and deletes these objects in the reverse order of their creation. Objects that
//! existed before the test, by `with_state` or an import, stay.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ferroform::value::Value;
use ferroform_engine::{ApplyRequest, RpcMetadata};

use crate::harness::{Shared, lock};
use crate::instance::InstanceState;

/// Identifies an object that the harness has created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObjectId(usize);

/// The objects that the harness has created and not yet deleted.
#[derive(Default)]
pub(crate) struct CreatedObjects {
    /// The number of objects that were created so far.
    count: usize,
    objects: Vec<(ObjectId, String, InstanceState)>,
}

impl CreatedObjects {
    pub(crate) fn add(&mut self, type_name: &str, state: InstanceState) -> ObjectId {
        let id = ObjectId(self.count);
        self.count += 1;
        self.objects.push((id, type_name.to_owned(), state));
        id
    }

    pub(crate) fn update(&mut self, id: ObjectId, state: &InstanceState) {
        if let Some((_, _, stored)) = self.objects.iter_mut().find(|(it, ..)| *it == id) {
            *stored = state.clone();
        }
    }

    pub(crate) fn remove(&mut self, id: ObjectId) {
        self.objects.retain(|(it, ..)| *it != id);
    }
}

/// Deletes the objects that a failed test has left, and prints what it did. Does not panic, because a second panic would
/// abort the process.
pub(crate) fn destroy_objects_of_failed_test(shared: &Shared) {
    let objects = std::mem::take(&mut lock(&shared.created).objects);
    if objects.is_empty() {
        return;
    }
    eprintln!("The test failed, so the harness destroys the objects that the test created:");
    for (_, type_name, state) in objects.into_iter().rev() {
        let outcome = catch_unwind(AssertUnwindSafe(|| delete(shared, &type_name, state)));
        let outcome = outcome.unwrap_or_else(|_| Err("the deletion panicked".to_owned()));
        match outcome {
            Ok(()) => eprintln!("- {type_name}: destroyed"),
            Err(problem) => {
                let problem = lock(&shared.sensitive_values).redact(&problem);
                eprintln!("- {type_name}: not destroyed, so delete the remote object yourself: {problem}");
            }
        }
    }
}

/// Sends an ApplyResourceChange that deletes the object. The test has failed already, so no invariant is checked.
fn delete(shared: &Shared, type_name: &str, state: InstanceState) -> Result<(), String> {
    let Some(runtime) = &shared.runtime else { return Err("the harness has ended".to_owned()) };
    let request = ApplyRequest {
        type_name: type_name.to_owned(),
        prior: Some(state.value),
        planned: Some(Value::Null),
        config: Some(Value::Null),
        planned_private: state.private,
        planned_identity: state.identity,
        metadata: RpcMetadata::clone(&lock(&shared.metadata)),
    };
    let limit = *lock(&shared.call_timeout);
    let deletion = shared.server.apply_resource_change(request);
    let deletion = async { tokio::time::timeout(limit, deletion).await };
    let response = shared
        .log
        .capture(|| runtime.block_on(deletion))
        .map_err(|_| format!("it did not finish within {limit:?}"))?;
    if response.diagnostics.has_error() { Err(response.diagnostics.to_string()) } else { Ok(()) }
}
