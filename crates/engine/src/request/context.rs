//! What an author's method gets besides its values: the provider, warnings, checkpoints, cancellation.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferroform_value::{Object, Path, Type, Value};
use tokio_util::sync::CancellationToken;

use super::around::Around;
use super::private_state::Private;
use crate::diagnostic_kind::DiagnosticKind;
use crate::{Deferral, Diagnostic, Diagnostics, Result};

/// The configured provider, of a type that only its own resources know.
pub type ProviderData = Arc<dyn Any + Send + Sync>;

/// What is logged, as an event of level debug, whenever a method keeps what it has made so far.
pub const CHECKPOINT: &str = "the provider keeps what it has made so far";

/// One call of the host, as an author's method without a provider sees it.
#[derive(Clone, Debug)]
pub struct RequestContext {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    provider: Option<ProviderData>,
    stop: CancellationToken,
    around: Around,
    notes: Mutex<Notes>,
    /// Cancelled once there is a checkpoint: a latch that any number of waiters see.
    saved: CancellationToken,
}

#[derive(Debug, Default)]
struct Notes {
    warnings: Diagnostics,
    checkpoint: Option<Vec<(Path, Value)>>,
    replace: Vec<Path>,
    private: Private,
    deferral: Option<Deferral>,
    /// What the method is waiting for, if it has said so.
    waits_for: Option<String>,
    write_only: bool,
}

impl RequestContext {
    pub(crate) fn new(
        provider: Option<ProviderData>,
        stop: CancellationToken,
        around: Around,
    ) -> RequestContext {
        let (notes, saved) = (Mutex::default(), CancellationToken::new());
        RequestContext { shared: Arc::new(Shared { provider, stop, around, notes, saved }) }
    }

    pub(crate) fn around(&self) -> &Around {
        &self.shared.around
    }

    /// The provider, where it has been configured.
    pub fn provider(&self) -> Option<&ProviderData> {
        self.shared.provider.as_ref()
    }

    /// Shows a warning to the user.
    pub fn warn(&self, summary: impl Into<String>) {
        self.report(Diagnostic::warning(summary));
    }

    /// Shows a warning with a detail or a place to the user. An error given here is shown too, but does not
    /// end the method: return it for that.
    pub fn report(&self, diagnostic: Diagnostic) {
        self.notes().warnings.push(diagnostic);
    }

    /// Keeps the value at that path, where the other computed attributes are not known yet. An input can be kept too,
    /// while updating: only as it is planned.
    pub fn checkpoint_value(&self, path: Path, value: Value) {
        self.save([(path, value)]);
    }

    /// Keeps these computed attributes: for authors who work without a model.
    pub fn checkpoint_object(&self, computed: Object) {
        self.save(computed.into_iter().map(|(name, value)| (Path::attribute(name), value)));
    }

    fn save(&self, values: impl IntoIterator<Item = (Path, Value)>) {
        self.notes().checkpoint.get_or_insert_default().extend(values);
        self.shared.saved.cancel();
        tracing::debug!("{CHECKPOINT}");
    }

    /// Makes the change need a new object, because of what stands at this place; for the method `plan`.
    ///
    /// Terraform ignores a place that does not change. Where that leaves no reason for a new object, but something else
    /// changes, the plan is refused: name a place that changes, or plan a computed one as unknown.
    pub fn requires_replace(&self, place: Path) {
        self.notes().replace.push(place);
    }

    /// The value of that type that is stored in private state under the key; none where nothing is stored.
    ///
    /// # Errors
    ///
    /// If the stored value is not of the type.
    pub fn private_value(&self, key: &str, ty: &Type) -> Result<Option<Value>> {
        self.notes().private.get(key, ty)
    }

    /// Stores a value of that type in private state under the key.
    ///
    /// # Errors
    ///
    /// If the key begins with a dot, which is reserved for the framework, or the value is not of the type.
    pub fn set_private_value(&self, key: &str, value: &Value, ty: &Type) -> Result<()> {
        self.notes().private.set(key, value, ty)
    }

    /// Forgets what was kept under that key.
    pub fn remove_private(&self, key: &str) {
        self.notes().private.remove(key);
    }

    /// True in `validate` of a resource where the host knows write-only attributes, so that advice to use one is
    /// of use.
    pub fn allows_write_only(&self) -> bool {
        self.notes().write_only
    }

    /// True once the user has asked to stop, or the time is over.
    pub fn is_cancelled(&self) -> bool {
        self.shared.stop.is_cancelled()
    }

    /// Waits until the user asks to stop, or the time is over; for `tokio::select!` beside a long wait.
    pub async fn cancelled(&self) {
        self.shared.stop.cancelled().await;
    }

    pub(crate) fn cancel(&self) {
        self.shared.stop.cancel();
    }

    /// Waits until there is a checkpoint.
    pub(crate) async fn saved(&self) {
        self.shared.saved.cancelled().await;
    }

    /// Gives the call what the provider had kept beside the state.
    pub(crate) fn with_private(self, private: Private) -> RequestContext {
        self.notes().private = private;
        self
    }

    /// Tells the call what the host can do.
    pub(crate) fn with_write_only(self, allowed: bool) -> RequestContext {
        self.notes().write_only = allowed;
        self
    }

    pub(crate) fn take_private(&self) -> Private {
        std::mem::take(&mut self.notes().private)
    }

    pub(crate) fn take_replace(&self) -> Vec<Path> {
        std::mem::take(&mut self.notes().replace)
    }

    pub(crate) fn take_warnings(&self) -> Diagnostics {
        std::mem::take(&mut self.notes().warnings)
    }

    pub(crate) fn take_checkpoint(&self) -> Option<Vec<(Path, Value)>> {
        self.notes().checkpoint.take()
    }

    pub(crate) fn set_deferral(&self, why: Deferral) {
        self.notes().deferral = Some(why);
    }

    pub(crate) fn deferral(&self) -> Option<Deferral> {
        self.notes().deferral
    }

    /// Says what the method is waiting for, in case it is interrupted meanwhile.
    pub fn set_wait(&self, what: Option<String>) {
        self.notes().waits_for = what;
    }

    /// What the method waits for, if it has set that.
    pub fn waits_for(&self) -> Option<String> {
        self.notes().waits_for.clone()
    }

    pub(crate) fn has_checkpoint(&self) -> bool {
        self.shared.saved.is_cancelled()
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        // A panic while the lock is held leaves notes that are whole: they are only ever pushed to.
        self.shared.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of what needs the provider while its configuration is not known.
pub fn not_configured() -> Diagnostic {
    let detail = "The provider's configuration depends on values that are not known yet, so this operation cannot \
                  run. Apply what those values come from first, for example with -target.";
    Diagnostic::error("Provider not configured").detail(detail).of_kind(DiagnosticKind::ProviderNotConfigured)
}
