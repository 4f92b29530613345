//! State stores under test.

use std::sync::Arc;

use ferroform::raw::AnyStateStore;
use ferroform::{Diagnostics, Result};
use ferroform_engine::Kind;
use ferroform_engine::state_chunks::chunk_positions;

use crate::config::evaluate;
use crate::{Configuration, Harness};

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
        let store = self.server().find::<dyn AnyStateStore>(type_name);
        let store = store.unwrap_or_else(|error| panic!("{error}")).clone();
        StateStore { harness: self.clone(), type_name: type_name.into(), store }
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
        self.try_configure(&config)
            .unwrap_or_else(|errors| panic!("{} cannot be configured:\n{errors}", self.type_name))
    }

    /// Configures the state store, which must report an error, and returns its errors and warnings.
    ///
    /// # Panics
    ///
    /// Panics if no error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn expect_error(&self, config: Configuration) -> Diagnostics {
        match self.try_configure(&config) {
            Err(errors) => errors,
            Ok(_) => panic!("expected an error, but {} was configured", self.type_name),
        }
    }

    #[track_caller]
    fn try_configure(&self, config: &Configuration) -> Result<ConfiguredStateStore> {
        let step = format!("configuring {}", self.type_name);
        let block = &self.store.schema().block;
        let config = evaluate(block, config)?;
        self.harness.sensitive_values().record(block, &config);
        let config = self.harness.round_trip(&step, &config, &block.ty());
        let server = self.harness.server();
        let validation =
            server.validate_config(Kind::StateStore.named(&self.type_name), config.clone(), true);
        self.harness.run_for_diagnostics(&step, validation)?;
        let configure = server.configure_state_store(&self.type_name, config, Some(CHUNK_SIZE));
        let response = self.harness.run(&step, configure, |_| ());
        self.harness.check_diagnostics(&step, response.diagnostics)?;
        Ok(ConfiguredStateStore { harness: self.harness.clone(), type_name: self.type_name.clone() })
    }
}

/// A configured state store. Each method has a variant that returns the errors.
#[derive(Clone)]
pub struct ConfiguredStateStore {
    harness: Harness,
    type_name: String,
}

impl ConfiguredStateStore {
    /// Reads a state; `None` if there is none.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported.
    #[track_caller]
    pub fn read(&self, state_id: &str) -> Option<Vec<u8>> {
        let result = self.try_read(state_id);
        result.unwrap_or_else(|errors| panic!("the state {state_id:?} cannot be read:\n{errors}"))
    }

    /// Reads a state; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Returns the errors and warnings of the state store.
    #[track_caller]
    pub fn try_read(&self, state_id: &str) -> Result<Option<Vec<u8>>> {
        let step = format!("reading the state {state_id:?}");
        let read = self.harness.server().read_state(&self.type_name, state_id);
        let response = self.harness.run(&step, read, |_| ());
        self.harness.check_diagnostics(&step, response.diagnostics)?;
        Ok(response.state)
    }

    /// Stores a state, in chunks of 16 bytes.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported.
    #[track_caller]
    pub fn write(&self, state_id: &str, state: impl AsRef<[u8]>) {
        let result = self.try_write(state_id, state);
        result.unwrap_or_else(|errors| panic!("the state {state_id:?} cannot be written:\n{errors}"));
    }

    /// Stores a state, in chunks of 16 bytes, and returns the warnings.
    ///
    /// # Errors
    ///
    /// Returns the errors and warnings of the state store.
    #[track_caller]
    pub fn try_write(&self, state_id: &str, state: impl AsRef<[u8]>) -> Result<Diagnostics> {
        let state = state.as_ref();
        let server = self.harness.server();
        let mut upload = server.state_upload(&self.type_name)?;
        let index = |it: i64| usize::try_from(it).unwrap_or_default();
        for chunk in chunk_positions(state.len(), index(CHUNK_SIZE)) {
            upload.add(chunk, &state[index(chunk.start)..=index(chunk.end)])?;
        }
        let write = server.write_state(&self.type_name, state_id, upload.finish()?);
        self.harness.run_for_diagnostics(&format!("writing the state {state_id:?}"), write)
    }

    /// Locks a state, and returns the ID of the lock; `None` if the state store does not support locking.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported.
    #[track_caller]
    pub fn lock(&self, state_id: &str, operation: &str) -> Option<String> {
        let result = self.try_lock(state_id, operation);
        result.unwrap_or_else(|errors| panic!("the state {state_id:?} cannot be locked:\n{errors}"))
    }

    /// Locks a state, and returns the ID of the lock; `None` if the state store does not support locking.
    ///
    /// # Errors
    ///
    /// Returns the errors and warnings of the state store, for example because another client holds the lock.
    #[track_caller]
    pub fn try_lock(&self, state_id: &str, operation: &str) -> Result<Option<String>> {
        let step = format!("locking the state {state_id:?}");
        let lock = self.harness.server().lock_state(&self.type_name, state_id, operation);
        let (lock_id, reported) = self.harness.run(&step, lock, |_| ());
        self.harness.check_diagnostics(&step, reported)?;
        Ok(lock_id)
    }

    /// Unlocks a state.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported.
    #[track_caller]
    pub fn unlock(&self, state_id: &str, lock_id: &str) {
        let result = self.try_unlock(state_id, lock_id);
        result.unwrap_or_else(|errors| panic!("the state {state_id:?} cannot be unlocked:\n{errors}"));
    }

    /// Unlocks a state, and returns the warnings.
    ///
    /// # Errors
    ///
    /// Returns the errors and warnings of the state store.
    #[track_caller]
    pub fn try_unlock(&self, state_id: &str, lock_id: &str) -> Result<Diagnostics> {
        let unlock = self.harness.server().unlock_state(&self.type_name, state_id, lock_id);
        self.harness.run_for_diagnostics(&format!("unlocking the state {state_id:?}"), unlock)
    }

    /// Returns the IDs of all states.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported.
    #[track_caller]
    pub fn states(&self) -> Vec<String> {
        let step = "the list of states";
        let (ids, reported) =
            self.harness.run(step, self.harness.server().state_ids(&self.type_name), |_| ());
        let result = self.harness.check_diagnostics(step, reported);
        result.map(|_| ids).unwrap_or_else(|errors| panic!("the states cannot be listed:\n{errors}"))
    }

    /// Deletes a state.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported.
    #[track_caller]
    pub fn delete(&self, state_id: &str) {
        let delete = self.harness.server().delete_state(&self.type_name, state_id);
        let result = self.harness.run_for_diagnostics(&format!("deleting the state {state_id:?}"), delete);
        result.unwrap_or_else(|errors| panic!("the state {state_id:?} cannot be deleted:\n{errors}"));
    }
}
