//! State stores: where Terraform keeps the states of workspaces.
//!
//! | item | purpose |
//! |---|---|
//! | [`StateStore`] | the trait of state stores |
//! | [`LockInfo`] | a lock with its holder, as JSON |

mod lock_info;
mod typed;

use std::future::Future;

pub use self::lock_info::LockInfo;
use crate::model::{Args, Config};
use crate::model_kinds::{NoBlocks, NoComputedAttributes, NoReservedNames, NoWriteOnlyAttributes};
use crate::operation::{HasProvider, Store};
use crate::optional_method::NotImplemented;
use crate::{MethodCx, Model, Provider, RequestCx, Result};

/// A state store: reads, writes, locks, lists and deletes the states of workspaces.
///
/// A value of the implementing type is a configured state store, for example the client of a database. Each state has an
/// ID, which is the name of the workspace, such as `default`. States are whole byte strings: Ferroform transfers them in
/// chunks, and verifies an upload completely before it calls [`write`](StateStore::write).
///
/// State stores require protocol 6 and Terraform 1.16 with the experiment for pluggable state storage.
///
/// | method | receives | returns |
/// |---|---|---|
/// | [`validate`](StateStore::validate) | the configuration, with unknown values | the errors |
/// | [`configure`](StateStore::configure) | the configuration | the state store |
/// | [`read`](StateStore::read) | the ID of a state | the state, or `None` |
/// | [`write`](StateStore::write) | the ID of a state, and the state | |
/// | [`lock`](StateStore::lock) | the ID of a state, and the operation | the ID of the lock, or `None` |
/// | [`unlock`](StateStore::unlock) | the ID of a state, and the ID of the lock | |
/// | [`states`](StateStore::states) | | the IDs of all states |
/// | [`delete`](StateStore::delete) | the ID of a state | |
///
/// This state store keeps states in memory:
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::{Mutex, MutexGuard, PoisonError};
///
/// use ferroform::state_store::LockInfo;
/// use ferroform::{Args, Diagnostic, Model, Result, StateStore, StoreCx};
/// # use ferroform::{Known, Maybe, Provider, Registry, RequestCx};
///
/// # struct Cloud;
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// /// The configuration of the state store.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct MemoryConfig {
///     /// Begins the name of each state.
///     prefix: String,
/// }
///
/// struct Memory {
///     prefix: String,
///     states: Mutex<BTreeMap<String, Vec<u8>>>,
///     locks: Mutex<BTreeMap<String, LockInfo>>,
/// }
///
/// fn locked<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
///     it.lock().unwrap_or_else(PoisonError::into_inner)
/// }
///
/// impl StateStore for Memory {
///     type Provider = Cloud;
///     type Config = MemoryConfig;
///
///     async fn configure(_: &StoreCx<Self>, args: Args<MemoryConfig>) -> Result<Self> {
///         Ok(Memory { prefix: args.prefix, states: Mutex::default(), locks: Mutex::default() })
///     }
///
///     async fn read(&self, _: &StoreCx<Self>, state_id: &str) -> Result<Option<Vec<u8>>> {
///         Ok(locked(&self.states).get(&format!("{}{state_id}", self.prefix)).cloned())
///     }
///
///     async fn write(&self, _: &StoreCx<Self>, state_id: &str, state: Vec<u8>) -> Result<()> {
///         locked(&self.states).insert(format!("{}{state_id}", self.prefix), state);
///         Ok(())
///     }
///
///     async fn lock(&self, _: &StoreCx<Self>, state_id: &str, operation: &str) -> Result<Option<String>> {
///         let mut locks = locked(&self.locks);
///         if let Some(holder) = locks.get(state_id) {
///             return Err(holder.already_locked(state_id).into());
///         }
///         let lock = LockInfo::new(operation);
///         let id = lock.id.clone();
///         locks.insert(state_id.to_owned(), lock);
///         Ok(Some(id))
///     }
///
///     async fn unlock(&self, _: &StoreCx<Self>, state_id: &str, lock_id: &str) -> Result<()> {
///         let mut locks = locked(&self.locks);
///         match locks.get(state_id) {
///             Some(holder) if holder.id != lock_id => Err(holder.already_locked(state_id).into()),
///             _ => Ok(drop(locks.remove(state_id))),
///         }
///     }
///
///     async fn states(&self, _: &StoreCx<Self>) -> Result<Vec<String>> {
///         let states = locked(&self.states);
///         Ok(states.keys().filter_map(|it| it.strip_prefix(&self.prefix)).map(str::to_owned).collect())
///     }
///
///     async fn delete(&self, _: &StoreCx<Self>, state_id: &str) -> Result<()> {
///         locked(&self.states).remove(&format!("{}{state_id}", self.prefix));
///         Ok(())
///     }
/// }
///
/// // In `Provider::register`: registry.state_store::<Memory>("cloud_memory");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state store",
    label = "not a state store",
    note = "write `impl StateStore for {Self}` with `configure`, `read`, `write`, `lock`, `unlock`, `states` and `delete`"
)]
pub trait StateStore: Sized + Send + Sync + 'static {
    /// The provider of this state store.
    type Provider: Provider;

    /// The model of the configuration; `()` if it has no attributes. It cannot have nested blocks, computed attributes and
    /// write-only attributes.
    type Config: Model<__Itself: NoReservedNames + NoWriteOnlyAttributes + NoComputedAttributes + NoBlocks>;

    /// Validates the configuration as a whole. For a single attribute, use `#[attr(validate = …)]`. The provider is not
    /// configured yet.
    ///
    /// # Errors
    ///
    /// Diagnostics about the configuration, each with its attribute path: `.at(path!(…))`.
    fn validate(cx: &RequestCx, config: Config<Self::Config>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        NotImplemented::new()
    }

    /// Creates the state store from its configuration. The provider is configured already: `cx.provider`.
    ///
    /// # Errors
    ///
    /// Diagnostics about the configuration, each with its attribute path: `.at(path!(…))`.
    fn configure(cx: &StoreCx<Self>, args: Args<Self::Config>) -> impl Future<Output = Result<Self>> + Send;

    /// Reads a state; `None` if there is none, as for a new workspace.
    ///
    /// # Errors
    ///
    /// The reason why the state cannot be read.
    fn read(
        &self,
        cx: &StoreCx<Self>,
        state_id: &str,
    ) -> impl Future<Output = Result<Option<Vec<u8>>>> + Send;

    /// Stores a state, and replaces the previous one. The state is complete and not empty. Store it atomically, so that
    /// the previous state remains if the process is killed.
    ///
    /// # Errors
    ///
    /// The reason why the state is not stored. Terraform then writes it to the local file `errored.tfstate`.
    fn write(
        &self,
        cx: &StoreCx<Self>,
        state_id: &str,
        state: Vec<u8>,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Locks a state for an operation, such as `OperationTypeApply`, and returns the ID of the lock. The lock lasts until
    /// it is released, even if Terraform is killed; `terraform force-unlock` releases it by its ID. `None` means that this
    /// state store has no locks; Terraform then does not call [`unlock`](StateStore::unlock).
    ///
    /// # Errors
    ///
    /// [`LockInfo::already_locked`] if another client holds the lock.
    fn lock(
        &self,
        cx: &StoreCx<Self>,
        state_id: &str,
        operation: &str,
    ) -> impl Future<Output = Result<Option<String>>> + Send;

    /// Releases the lock with this ID.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be released, for example because the state has another lock.
    fn unlock(
        &self,
        cx: &StoreCx<Self>,
        state_id: &str,
        lock_id: &str,
    ) -> impl Future<Output = Result<()>> + Send;

    /// The IDs of all states, which are the workspaces.
    ///
    /// # Errors
    ///
    /// The reason why they cannot be listed.
    fn states(&self, cx: &StoreCx<Self>) -> impl Future<Output = Result<Vec<String>>> + Send;

    /// Deletes a state. Terraform locks it before and unlocks it afterwards. The deletion of a state that does not exist
    /// is not an error.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be deleted.
    fn delete(&self, cx: &StoreCx<Self>, state_id: &str) -> impl Future<Output = Result<()>> + Send;
}

/// The context of the methods of the state store `S`.
pub type StoreCx<S> = MethodCx<S, Store>;

impl<T: StateStore> HasProvider<Store> for T {
    type Provider = <T as StateStore>::Provider;
}
