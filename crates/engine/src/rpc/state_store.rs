//! The RPCs of state stores: ValidateStateStoreConfig, ConfigureStateStore, ReadStateBytes, WriteStateBytes, LockState,
//! UnlockState, GetStates and DeleteState. Only protocol 6 has them.
//!
//! Terraform configures the provider and then the state store, and negotiates the size of chunks. The provider's methods
//! receive and return whole states: an upload is [verified](crate::state_chunks) before the provider sees a byte of it.
//!
//! Example: `terraform apply` with the workspace `default`.
//!
//! | RPC | method of the provider |
//! |---|---|
//! | ConfigureStateStore | `configure` |
//! | LockState of `default` | `lock`, which returns the ID of the lock |
//! | ReadStateBytes of `default` | `read` |
//! | WriteStateBytes of `default`, after each change | `write` |
//! | UnlockState of `default`, with the ID | `unlock` |

use std::sync::{Arc, PoisonError};

use ferroform_value::Value;

use crate::configured_state_store::ConfiguredStore;
use crate::normalization;
use crate::provider::{AnyConfiguredStateStore, AnyStateStore, MethodFuture};
use crate::redaction::SensitiveValues;
use crate::run_method::{Effect, run};
use crate::state_chunks::{StateUpload, negotiated_chunk_size};
use crate::timeouts::Operation;
use crate::{Diagnostic, Diagnostics, ProviderServer, RequestContext, Result, RpcMetadata};

/// The result of configuring a state store.
#[derive(Clone, Debug, Default)]
pub struct ConfigureStoreResponse {
    /// The negotiated chunk size in bytes.
    pub chunk_size: usize,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// The result of reading a state.
#[derive(Clone, Debug, Default)]
pub struct ReadStateResponse {
    /// The state; `None` if there is none, and after an error.
    pub state: Option<Vec<u8>>,
    /// The chunk size for the response in bytes.
    pub chunk_size: usize,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl ProviderServer {
    /// Configures a state store, for all requests that follow. `chunk_size` is the proposal of Terraform in bytes. If it
    /// fails, the state store is not configured.
    pub async fn configure_state_store(
        &self,
        type_name: &str,
        config: Value,
        chunk_size: Option<i64>,
    ) -> ConfigureStoreResponse {
        let chunk_size = negotiated_chunk_size(chunk_size);
        let operation = format!("the configuration of {type_name}");
        let (declared, masked) = self.mask_request::<dyn AnyStateStore>(type_name, None, [&config]);
        let mut configured = None;
        let configure = async |diagnostics: &mut Diagnostics, sensitive: &mut SensitiveValues| {
            let declared = declared?;
            let block = &declared.schema().block;
            let config = normalization::with_defaults(block, &config)?;
            sensitive.add(block, &config);
            let strings = Arc::new(sensitive.strings().clone());
            let cx = self.non_deferrable_context(sensitive, &RpcMetadata::default())?;
            let method = declared.configure(cx.clone(), config.clone());
            let store = run(&cx, &operation, Effect::Reads, method, diagnostics).await;
            configured = store.map(|store| ConfiguredStore { store, chunk_size, config, sensitive: strings });
            Ok(())
        };
        let diagnostics = masked.respond(&operation, Diagnostics::new(), configure).await;
        let mut stores = self.state_stores.write().unwrap_or_else(PoisonError::into_inner);
        match configured {
            Some(configured) => drop(stores.insert(type_name.to_owned(), configured)),
            None => drop(stores.remove(type_name)),
        }
        ConfigureStoreResponse { chunk_size, diagnostics }
    }

    /// Reads a state.
    pub async fn read_state(&self, type_name: &str, state_id: &str) -> ReadStateResponse {
        let chunk_size = self.state_chunk_size(type_name).unwrap_or_default();
        let operation = format!("reading the state {state_id:?}");
        let id = state_id.to_owned();
        let read = |store: &dyn AnyConfiguredStateStore, cx| store.read(cx, id);
        let (state, diagnostics) =
            self.call_store(type_name, Some(state_id), &operation, Operation::Read, read).await;
        ReadStateResponse { state: state.flatten(), chunk_size, diagnostics }
    }

    /// An empty upload of a state, with the negotiated chunk size.
    ///
    /// # Errors
    ///
    /// Returns an error if the state store is not configured.
    pub fn state_upload(&self, type_name: &str) -> Result<StateUpload> {
        Ok(StateUpload::new(self.state_chunk_size(type_name)?))
    }

    /// Stores a state that was uploaded completely. Returns the errors and warnings.
    pub async fn write_state(&self, type_name: &str, state_id: &str, state: Vec<u8>) -> Diagnostics {
        let operation = format!("writing the state {state_id:?}");
        let id = state_id.to_owned();
        let write = |store: &dyn AnyConfiguredStateStore, cx| store.write(cx, id, state);
        self.call_store(type_name, Some(state_id), &operation, Operation::Write, write).await.1
    }

    /// Locks a state for an operation. Returns the ID of the lock, and the errors and warnings. The ID is `None` after an
    /// error, and if the state store has no locks.
    pub async fn lock_state(
        &self,
        type_name: &str,
        state_id: &str,
        for_operation: &str,
    ) -> (Option<String>, Diagnostics) {
        let operation = format!("locking the state {state_id:?}");
        let (id, locking) = (state_id.to_owned(), for_operation.to_owned());
        let lock = |store: &dyn AnyConfiguredStateStore, cx| store.lock(cx, id, locking);
        let (lock_id, diagnostics) =
            self.call_store(type_name, Some(state_id), &operation, Operation::Lock, lock).await;
        (lock_id.flatten(), diagnostics)
    }

    /// Unlocks a state. Returns the errors and warnings.
    pub async fn unlock_state(&self, type_name: &str, state_id: &str, lock_id: &str) -> Diagnostics {
        let operation = format!("unlocking the state {state_id:?}");
        let (id, lock_id) = (state_id.to_owned(), lock_id.to_owned());
        let unlock = |store: &dyn AnyConfiguredStateStore, cx| store.unlock(cx, id, lock_id);
        self.call_store(type_name, Some(state_id), &operation, Operation::Unlock, unlock).await.1
    }

    /// The IDs of all states, and the errors and warnings.
    pub async fn state_ids(&self, type_name: &str) -> (Vec<String>, Diagnostics) {
        let list = |store: &dyn AnyConfiguredStateStore, cx| store.states(cx);
        let (ids, diagnostics) =
            self.call_store(type_name, None, "the list of states", Operation::List, list).await;
        (ids.unwrap_or_default(), diagnostics)
    }

    /// Deletes a state. Returns the errors and warnings.
    pub async fn delete_state(&self, type_name: &str, state_id: &str) -> Diagnostics {
        let operation = format!("deleting the state {state_id:?}");
        let id = state_id.to_owned();
        let delete = |store: &dyn AnyConfiguredStateStore, cx| store.delete(cx, id);
        self.call_store(type_name, Some(state_id), &operation, Operation::Delete, delete).await.1
    }

    /// Calls a method of a configured state store. Returns its result, or `None` after an error, and the diagnostics
    /// without sensitive values.
    async fn call_store<T: Send + 'static>(
        &self,
        type_name: &str,
        state_id: Option<&str>,
        description: &str,
        operation: Operation,
        method: impl FnOnce(&dyn AnyConfiguredStateStore, RequestContext) -> MethodFuture<T>,
    ) -> (Option<T>, Diagnostics) {
        let request = format!("a request to {type_name}");
        let (_, masked) = self.mask_request::<dyn AnyStateStore>(type_name, None, []);
        let mut result = None;
        let call = async |diagnostics: &mut Diagnostics, sensitive: &mut SensitiveValues| {
            let configured = self.configured_store(type_name)?;
            sensitive.add_strings(&configured.sensitive);
            sensitive.add_visible(state_id);
            let cx = self.non_deferrable_context(sensitive, &RpcMetadata::default())?;
            let block = &self.find::<dyn AnyStateStore>(type_name)?.schema().block;
            cx.set_timeout(block, operation, &configured.config);
            let effect = match operation {
                Operation::Read | Operation::List => Effect::Reads,
                _ => Effect::Stores,
            };
            let method = method(&*configured.store, cx.clone());
            result = run(&cx, description, effect, method, diagnostics).await;
            Ok(())
        };
        let diagnostics = masked.respond(&request, Diagnostics::new(), call).await;
        (result, diagnostics)
    }

    /// The negotiated chunk size of a state store in bytes.
    fn state_chunk_size(&self, type_name: &str) -> Result<usize> {
        Ok(self.configured_store(type_name)?.chunk_size)
    }

    fn configured_store(&self, type_name: &str) -> Result<ConfiguredStore> {
        self.find::<dyn AnyStateStore>(type_name)?;
        let stores = self.state_stores.read().unwrap_or_else(PoisonError::into_inner);
        let detail = format!("{type_name} must be configured before its states can be used.");
        stores
            .get(type_name)
            .cloned()
            .ok_or_else(|| Diagnostic::error("State Store Not Configured").detail(detail).into())
    }
}
