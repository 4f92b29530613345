//! State stores under test.

use std::sync::Arc;

use ferroform::raw::AnyStateStore;
use ferroform::{Diagnostics, Result};
use ferroform_engine::Kind;
use ferroform_engine::state_chunks::chunk_positions;

use crate::{Configuration, Harness, Outcome};

/// The chunk size of the harness in bytes: small, so that short states have several chunks.
const CHUNK_SIZE: i64 = 16;

/// A state store of the provider under test; see [`Harness::state_store`].
///
/// ```no_run
/// # fn example(harness: ferroform_testing::Harness) {
/// use ferroform_testing::config;
///
/// let store = harness.state_store("cloud_bucket").configure(config! { bucket = "states" });
/// let lock = store.lock("default", "OperationTypeApply").unwrap();
/// store.write("default", br#"{ "serial": 1 }"#);
/// assert_eq!(store.read("default").unwrap(), br#"{ "serial": 1 }"#);
/// store.unlock("default", &lock);
/// assert_eq!(store.states(), ["default"]);
/// # }
/// ```
#[derive(Clone)]
pub struct StateStore {
    harness: Harness,
    type_name: String,
    store: Arc<dyn AnyStateStore>,
}

impl Harness {
    /// Returns the state store of this type.
    ///
    /// # Panics
    ///
    /// Panics if the provider has no state store of this type.
    #[track_caller]
    pub fn state_store(&self, type_name: &str) -> StateStore {
        StateStore { harness: self.clone(), type_name: type_name.into(), store: self.find(type_name) }
    }
}

impl StateStore {
    /// Validates the configuration and configures the state store. A provider has one configured state store of each
    /// type: a later configuration replaces it.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn configure(&self, config: Configuration) -> ConfiguredStateStore {
        self.try_configure(config).ok()
    }

    /// Like [`configure`](StateStore::configure), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_configure(&self, config: Configuration) -> Outcome<ConfiguredStateStore> {
        let step = format!("the configuration of {}", self.type_name);
        let configured = self.run_configure(&step, &config);
        Outcome::new(&self.harness, step, configured)
    }

    #[track_caller]
    fn run_configure(&self, step: &str, config: &Configuration) -> Result<ConfiguredStateStore> {
        let block = &self.store.schema().block;
        let owner = Kind::StateStore.named(&self.type_name);
        let (config, _) = self.harness.evaluate_and_validate(step, owner, block, config)?;
        let configure =
            self.harness.server().configure_state_store(&self.type_name, config, Some(CHUNK_SIZE));
        let response = self.harness.run(step, configure, |_| ());
        self.harness.check_diagnostics(step, owner, response.diagnostics)?;
        Ok(ConfiguredStateStore { harness: self.harness.clone(), type_name: self.type_name.clone() })
    }
}

/// A configured state store. A method panics if the state store reports an error; its variant `try_…` returns the
/// [`Outcome`].
#[derive(Clone)]
pub struct ConfiguredStateStore {
    harness: Harness,
    type_name: String,
}

impl ConfiguredStateStore {
    /// Reads a state; `None` if there is none.
    #[track_caller]
    pub fn read(&self, state_id: &str) -> Option<Vec<u8>> {
        self.try_read(state_id).ok()
    }

    /// Like [`read`](ConfiguredStateStore::read), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_read(&self, state_id: &str) -> Outcome<Option<Vec<u8>>> {
        let read = self.harness.server().read_state(&self.type_name, state_id);
        self.step(format!("reading the state {state_id:?}"), read, |it| (it.state, it.diagnostics))
    }

    /// Stores a state, in chunks of 16 bytes.
    #[track_caller]
    pub fn write(&self, state_id: &str, state: impl AsRef<[u8]>) {
        self.try_write(state_id, state).ok();
    }

    /// Like [`write`](ConfiguredStateStore::write), but returns the outcome instead of panicking. Returns the warnings.
    #[track_caller]
    pub fn try_write(&self, state_id: &str, state: impl AsRef<[u8]>) -> Outcome<Diagnostics> {
        let step = format!("writing the state {state_id:?}");
        let written = self.run_write(&step, state_id, state.as_ref());
        Outcome::new(&self.harness, step, written)
    }

    #[track_caller]
    fn run_write(&self, step: &str, state_id: &str, state: &[u8]) -> Result<Diagnostics> {
        let server = self.harness.server();
        let mut upload = server.state_upload(&self.type_name)?;
        let index = |it: i64| usize::try_from(it).unwrap_or_default();
        for chunk in chunk_positions(state.len(), index(CHUNK_SIZE)) {
            upload.add(chunk, &state[index(chunk.start)..=index(chunk.end)])?;
        }
        let write = server.write_state(&self.type_name, state_id, upload.finish()?);
        self.harness.run_for_diagnostics(step, Kind::StateStore.named(&self.type_name), write)
    }

    /// Locks a state, and returns the ID of the lock; `None` if the state store does not support locking.
    #[track_caller]
    pub fn lock(&self, state_id: &str, operation: &str) -> Option<String> {
        self.try_lock(state_id, operation).ok()
    }

    /// Like [`lock`](ConfiguredStateStore::lock), but returns the outcome instead of panicking: an error if another
    /// client holds the lock.
    #[track_caller]
    pub fn try_lock(&self, state_id: &str, operation: &str) -> Outcome<Option<String>> {
        let lock = self.harness.server().lock_state(&self.type_name, state_id, operation);
        self.step(format!("locking the state {state_id:?}"), lock, |it| it)
    }

    /// Unlocks a state.
    #[track_caller]
    pub fn unlock(&self, state_id: &str, lock_id: &str) {
        self.try_unlock(state_id, lock_id).ok();
    }

    /// Like [`unlock`](ConfiguredStateStore::unlock), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_unlock(&self, state_id: &str, lock_id: &str) -> Outcome<()> {
        let unlock = self.harness.server().unlock_state(&self.type_name, state_id, lock_id);
        self.step(format!("unlocking the state {state_id:?}"), unlock, |it| ((), it))
    }

    /// Returns the IDs of all states.
    #[track_caller]
    pub fn states(&self) -> Vec<String> {
        self.try_states().ok()
    }

    /// Like [`states`](ConfiguredStateStore::states), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_states(&self) -> Outcome<Vec<String>> {
        let ids = self.harness.server().state_ids(&self.type_name);
        self.step("the list of states".to_owned(), ids, |it| it)
    }

    /// Deletes a state.
    #[track_caller]
    pub fn delete(&self, state_id: &str) {
        self.try_delete(state_id).ok();
    }

    /// Like [`delete`](ConfiguredStateStore::delete), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_delete(&self, state_id: &str) -> Outcome<()> {
        let delete = self.harness.server().delete_state(&self.type_name, state_id);
        self.step(format!("deleting the state {state_id:?}"), delete, |it| ((), it))
    }

    /// Waits for an RPC, and splits its response into the result and the diagnostics.
    #[track_caller]
    fn step<R, T>(
        &self,
        step: String,
        rpc: impl Future<Output = R>,
        split_response: impl FnOnce(R) -> (T, Diagnostics),
    ) -> Outcome<T> {
        let (result, reported) = split_response(self.harness.run(&step, rpc, |_| ()));
        let owner = Kind::StateStore.named(&self.type_name);
        let checked = self.harness.check_diagnostics(&step, owner, reported);
        Outcome::new(&self.harness, step, checked.map(|_| result))
    }
}
