//! Destroys the objects of a failed test, because the statements that would have destroyed them did not run.
//!
//! The harness keeps the last state of each object that it has created. If the test panics, the last handle of the harness
//! is dropped while the stack unwinds, and deletes these objects in the reverse order of their creation. Objects that
//! existed before the test, from `with_state` or an import, are kept.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::instance_state::InstanceState;

/// Identifies an object that the harness has created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObjectId(usize);

/// The objects that the harness has created and not yet deleted.
#[derive(Default)]
pub(crate) struct CreatedObjects {
    /// The number of objects created so far.
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

    /// The types and states of the objects, in the reverse order of their creation.
    pub(crate) fn into_newest_first(self) -> impl Iterator<Item = (String, InstanceState)> {
        self.objects.into_iter().rev().map(|(_, type_name, state)| (type_name, state))
    }
}

impl CreatedObjects {
    /// Deletes the objects that a failed test has left with `delete`, and prints which ones. `redact` masks sensitive values
    /// in an error. Does not panic, because a second panic would abort the process.
    pub(crate) fn destroy_all(
        self,
        delete: impl Fn(&str, InstanceState) -> Result<(), String>,
        redact: impl Fn(&str) -> String,
    ) {
        if self.objects.is_empty() {
            return;
        }
        eprintln!("The test failed, so the harness destroys the objects that the test created:");
        for (type_name, state) in self.into_newest_first() {
            let outcome = catch_unwind(AssertUnwindSafe(|| delete(&type_name, state)));
            match outcome.unwrap_or_else(|_| Err("`delete` panicked".to_owned())) {
                Ok(()) => eprintln!("- {type_name}: destroyed"),
                Err(problem) => {
                    let problem = redact(&problem);
                    eprintln!(
                        "- {type_name}: not destroyed, so delete the remote object yourself: {problem}"
                    );
                }
            }
        }
    }
}
