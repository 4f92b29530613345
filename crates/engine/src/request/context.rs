//! The request context: what a provider's method gets in addition to values, and what it records for the engine.
//!
//! A method may record warnings, checkpoints, paths that require replacement, private state and a deferral. The engine
//! collects them when the method has ended, however it ends: a checkpoint survives an error, a panic and a
//! cancellation.
//!
//! Example: `create` starts a server, records its id with a checkpoint, and then fails while it attaches a disk. The
//! response contains the error and a state with the id, so that Terraform marks the resource as tainted and the next
//! apply destroys the server.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferroform_value::{Object, Path, Type, Value};
use tokio_util::sync::CancellationToken;

use super::private_state::Private;
use super::settings::RequestSettings;
use crate::diagnostic_kind::DiagnosticKind;
use crate::failed_check::provider_bug;
use crate::{Deferral, Diagnostic, Diagnostics, Result};

/// The configured provider. Only the provider's own resources and data sources know its type.
pub type ProviderData = Arc<dyn Any + Send + Sync>;

/// The message that is logged at level debug whenever a method records a checkpoint.
pub const CHECKPOINT: &str = "the provider has recorded a checkpoint";

/// The context of one request. Clones refer to the same request.
#[derive(Clone, Debug)]
pub struct RequestContext {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    stop: CancellationToken,
    settings: RequestSettings,
    recorded: Mutex<Recorded>,
    /// Canceled once there is a checkpoint: a latch that any number of futures can await.
    has_checkpoint: CancellationToken,
}

/// The data that the method has recorded so far.
#[derive(Debug, Default)]
struct Recorded {
    warnings: Diagnostics,
    checkpoint: Option<Vec<(Path, Value)>>,
    replacement_paths: Vec<Path>,
    /// `None` in an operation without private state.
    private: Option<Private>,
    /// The identity that the method has set.
    identity: Option<Value>,
    deferral: Option<Deferral>,
    /// The progress messages of an invocation without a receiver.
    progress: Vec<String>,
    /// The private data of an ephemeral resource that is open.
    opened: Option<Vec<u8>>,
    /// The condition that the method is waiting for. If the method is interrupted, the error contains it.
    wait_description: Option<String>,
    write_only_allowed: bool,
}

impl RequestContext {
    pub(crate) fn new(stop: CancellationToken, settings: RequestSettings) -> RequestContext {
        let (recorded, has_checkpoint) = (Mutex::default(), CancellationToken::new());
        RequestContext { shared: Arc::new(Shared { stop, settings, recorded, has_checkpoint }) }
    }

    pub(crate) fn settings(&self) -> &RequestSettings {
        &self.shared.settings
    }

    /// The provider, if it is configured.
    pub fn provider(&self) -> Option<&ProviderData> {
        self.shared.settings.provider.as_ref()
    }

    /// Reports a warning to the practitioner.
    pub fn warn(&self, summary: impl Into<String>) {
        self.report(Diagnostic::warning(summary));
    }

    /// Reports a warning with a detail or a path to the practitioner. An error is reported as well, but does not end
    /// the method; to end it, return the error instead.
    pub fn report(&self, diagnostic: Diagnostic) {
        self.recorded().warnings.push(diagnostic);
    }

    /// The diagnostics that the method has reported so far.
    pub fn diagnostics(&self) -> Diagnostics {
        self.recorded().warnings.clone()
    }

    /// Records the value at a path, so that the state contains it if the method fails later. During an update, a
    /// configured value can be recorded as well, if it equals the planned value.
    pub fn checkpoint_value(&self, path: Path, value: Value) {
        self.record([(path, value)]);
    }

    /// Records several computed attributes, for providers without Rust models.
    pub fn checkpoint_object(&self, computed: Object) {
        self.record(computed.into_iter().map(|(name, value)| (Path::attribute(name), value)));
    }

    /// The values of the checkpoints so far, in order.
    pub fn checkpoints(&self) -> Vec<(Path, Value)> {
        self.recorded().checkpoint.clone().unwrap_or_default()
    }

    fn record(&self, values: impl IntoIterator<Item = (Path, Value)>) {
        self.recorded().checkpoint.get_or_insert_default().extend(values);
        self.shared.has_checkpoint.cancel();
        tracing::debug!("{CHECKPOINT}");
    }

    /// Records that an ephemeral resource is open, with its private data. If `open` fails later, it is closed.
    pub fn record_opened(&self, private: Vec<u8>) {
        self.recorded().opened = Some(private);
        self.shared.has_checkpoint.cancel();
        tracing::debug!("{CHECKPOINT}");
    }

    /// The private data of the ephemeral resource that the method has recorded as open.
    pub fn opened_private(&self) -> Option<Vec<u8>> {
        self.recorded().opened.clone()
    }

    pub(crate) fn take_opened(&self) -> Option<Vec<u8>> {
        self.recorded().opened.take()
    }

    /// Requires replacement because of the value at the path. For `plan` methods.
    ///
    /// Terraform ignores a path whose value does not change. If every path is ignored although something else changes,
    /// the plan is rejected: name a path whose value changes, or plan a computed attribute as unknown.
    pub fn requires_replace(&self, path: Path) {
        self.recorded().replacement_paths.push(path);
    }

    /// The paths that the method has passed to [`requires_replace`](RequestContext::requires_replace) so far.
    pub fn replacement_paths(&self) -> Vec<Path> {
        self.recorded().replacement_paths.clone()
    }

    /// The value of that type that is stored in private state under the key; `None` if nothing is stored.
    ///
    /// # Errors
    ///
    /// Returns an error if the stored value is not of the type.
    pub fn private_value(&self, key: &str, ty: &Type) -> Result<Option<Value>> {
        self.recorded().private.as_ref().map_or(Ok(None), |it| it.get(key, ty))
    }

    /// Stores a value of that type in private state under the key.
    ///
    /// # Errors
    ///
    /// Returns an error if the operation has no private state, if the key begins with a dot, which is reserved for the
    /// framework, or if the value is not of the type.
    pub fn set_private_value(&self, key: &str, value: &Value, ty: &Type) -> Result<()> {
        match &mut self.recorded().private {
            Some(private) => private.set(key, value, ty),
            None => Err(self.no_private_state(key).into()),
        }
    }

    fn no_private_state(&self, key: &str) -> Diagnostic {
        // Without a running method, there is no operation.
        let operation = self.settings().operation.get().map_or("This operation", String::as_str);
        let message = format!(
            "{operation} cannot store {key:?} in private state, because only the create, read, update, delete, plan, \
             import and move of a resource have private state"
        );
        provider_bug("Private State Not Supported", message)
    }

    /// Removes the value that is stored in private state under the key.
    pub fn remove_private(&self, key: &str) {
        if let Some(private) = &mut self.recorded().private {
            private.remove(key);
        }
    }

    /// The resource identity of the object: the one that the method has [set](RequestContext::set_identity), or the one
    /// that Terraform sent. In an import by identity, the latter has null for omitted attributes.
    pub fn identity(&self) -> Option<Value> {
        self.new_identity().or_else(|| self.settings().identity.get().cloned())
    }

    /// Sets the resource identity of the object, in a method with private state. It takes precedence over the one that
    /// follows from the object.
    pub fn set_identity(&self, identity: Value) {
        self.recorded().identity = Some(identity);
    }

    /// The identity that the method has set.
    pub(crate) fn new_identity(&self) -> Option<Value> {
        self.recorded().identity.clone()
    }

    /// The same context with the identity that Terraform sent.
    pub(crate) fn with_identity(self, identity: Option<&Value>) -> RequestContext {
        if let Some(identity) = identity.filter(|it| !it.is_null()) {
            // A request has one identity, so it is set once.
            let _ = self.settings().identity.set(identity.clone());
        }
        self
    }

    /// True in `validate` of a resource if Terraform supports write-only attributes, so that the provider can recommend
    /// one.
    pub fn is_write_only_allowed(&self) -> bool {
        self.recorded().write_only_allowed
    }

    /// True once the practitioner has stopped the operation or the deadline has passed.
    pub fn is_cancelled(&self) -> bool {
        self.shared.stop.is_cancelled()
    }

    /// Waits until the request is canceled: in `tokio::select!` next to a long operation.
    pub async fn cancelled(&self) {
        self.shared.stop.cancelled().await;
    }

    /// Returns the result of a future; `None` if the request is canceled before, which drops the future.
    pub async fn unless_cancelled<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        self.shared.stop.run_until_cancelled(future).await
    }

    pub(crate) fn cancel(&self) {
        self.shared.stop.cancel();
    }

    /// Waits until the method has recorded a checkpoint.
    pub(crate) async fn checkpoint_recorded(&self) {
        self.shared.has_checkpoint.cancelled().await;
    }

    /// True if the method has recorded a checkpoint.
    pub(crate) fn has_checkpoint(&self) -> bool {
        self.shared.has_checkpoint.is_cancelled()
    }

    /// The same context with the private state of the object.
    pub(crate) fn with_private(self, private: Private) -> RequestContext {
        self.recorded().private = Some(private);
        self
    }

    /// The same context for a client that does, or does not, support write-only attributes.
    pub(crate) fn with_write_only(self, allowed: bool) -> RequestContext {
        self.recorded().write_only_allowed = allowed;
        self
    }

    pub(crate) fn take_private(&self) -> Private {
        self.recorded().private.take().unwrap_or_default()
    }

    pub(crate) fn take_replacement_paths(&self) -> Vec<Path> {
        std::mem::take(&mut self.recorded().replacement_paths)
    }

    pub(crate) fn take_warnings(&self) -> Diagnostics {
        std::mem::take(&mut self.recorded().warnings)
    }

    pub(crate) fn take_checkpoint(&self) -> Option<Vec<(Path, Value)>> {
        self.recorded().checkpoint.take()
    }

    pub(crate) fn set_deferral(&self, reason: Deferral) {
        self.recorded().deferral = Some(reason);
    }

    /// The reason for the deferral that the method has recorded.
    pub fn deferral(&self) -> Option<Deferral> {
        self.recorded().deferral
    }

    pub(crate) fn record_progress(&self, message: String) {
        self.recorded().progress.push(message);
    }

    /// The progress messages of a method with a detached context.
    pub fn progress_messages(&self) -> Vec<String> {
        self.recorded().progress.clone()
    }

    /// Sets the condition that the method is waiting for. If the method is interrupted, the error contains it.
    pub fn set_wait_description(&self, description: Option<String>) {
        self.recorded().wait_description = description;
    }

    /// The condition that the method is waiting for, if it is waiting.
    pub fn wait_description(&self) -> Option<String> {
        self.recorded().wait_description.clone()
    }

    fn recorded(&self) -> MutexGuard<'_, Recorded> {
        // Every change is a single assignment or push, so a panic while the lock is held leaves consistent data.
        self.shared.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of an operation that needs the provider while the provider is not configured.
pub fn not_configured() -> Diagnostic {
    let detail = "The provider's configuration depends on values that are not known yet, so this operation cannot \
                  run. Apply the resources that those values come from first, for example with -target.";
    Diagnostic::error("Provider Not Configured").detail(detail).of_kind(DiagnosticKind::ProviderNotConfigured)
}
