//! What an author's method gets besides its values: the provider, warnings, checkpoints, cancellation.

use std::any::Any;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferroform_value::{Object, Path, Value};
use tokio_util::sync::CancellationToken;

use crate::around::Around;
use crate::diagnostic_kind::DiagnosticKind;
use crate::private::Private;
use crate::{Attr, Computed, Deferral, Diagnostic, Diagnostics, Result};

/// The configured provider, of a type that only its own resources know.
pub type ProviderData = Arc<dyn Any + Send + Sync>;

/// What is logged, as an event of level debug, whenever a method keeps what it has made so far.
pub const CHECKPOINT: &str = "the provider keeps what it has made so far";

/// One call of the host, as an author's method without a provider sees it.
#[derive(Clone, Debug)]
pub struct Call {
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

impl Call {
    pub(crate) fn new(provider: Option<ProviderData>, stop: CancellationToken, around: Around) -> Call {
        let (notes, saved) = (Mutex::default(), CancellationToken::new());
        Call { shared: Arc::new(Shared { provider, stop, around, notes, saved }) }
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

    /// Keeps what has been made so far: call it as soon as the remote object exists. When the method later
    /// fails, panics or is cancelled, this is what the state keeps, so that nothing is lost.
    pub fn checkpoint(&self, computed: impl Computed) {
        self.checkpoint_object(computed.into_object());
    }

    /// Keeps one computed attribute, where the others are not known yet: `cx.checkpoint_at(path!(id), &id)`; or, while
    /// updating, an input that has been changed already: `cx.checkpoint_at(path!(size), &plan.size)`. Any other value of
    /// an input is an error beside that of the method.
    pub fn checkpoint_at(&self, place: Path, value: &impl Attr) {
        self.save([(place, value.to_value())]);
    }

    /// Keeps these computed attributes: [`checkpoint`](Call::checkpoint) for those who work without a model.
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

    /// What the provider keeps beside the state under that key, unseen by the user.
    ///
    /// # Errors
    ///
    /// Where what is kept is not a `T`.
    pub fn private<T: Attr>(&self, key: &str) -> Result<Option<T>> {
        self.notes().private.get(key)
    }

    /// Keeps something beside the state, unseen by the user: for `plan`, `create`, `read`, `update`, `import`, for
    /// `plan_delete` of what is then deleted, and for a `delete` that fails. It is as durable as the state, and as
    /// little a place for secrets.
    ///
    /// # Errors
    ///
    /// Where the key begins with a dot, as only the framework's own do.
    pub fn set_private<T: Attr>(&self, key: &str, value: &T) -> Result<()> {
        self.notes().private.set(key, value)
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
    pub(crate) fn with_private(self, private: Private) -> Call {
        self.notes().private = private;
        self
    }

    /// Tells the call what the host can do.
    pub(crate) fn with_write_only(self, allowed: bool) -> Call {
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
    pub(crate) fn set_wait(&self, what: Option<String>) {
        self.notes().waits_for = what;
    }

    pub(crate) fn waits_for(&self) -> Option<String> {
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

/// One call of the host, with the configured provider of the type `P`.
#[derive(Debug)]
pub struct Cx<P> {
    /// The provider, as [`configure`](crate::Provider::configure) made it.
    pub provider: Arc<P>,
    pub(crate) call: Call,
}

impl<P: Send + Sync + 'static> Cx<P> {
    /// The typed form of a call.
    ///
    /// # Errors
    ///
    /// Where the provider's configuration depends on something that is not known yet.
    pub fn new(call: Call) -> Result<Cx<P>> {
        let provider = call.provider().cloned().and_then(|it| it.downcast::<P>().ok());
        let provider = provider.ok_or_else(not_configured)?;
        Ok(Cx { provider, call })
    }
}

/// The error of what needs the provider while its configuration is not known.
pub(crate) fn not_configured() -> Diagnostic {
    let detail = "The provider's configuration depends on values that are not known yet, so this operation cannot run. Apply \
                  what those values come from first, for example with -target.";
    Diagnostic::error("Provider not configured").detail(detail).of_kind(DiagnosticKind::ProviderNotConfigured)
}

impl<P> Deref for Cx<P> {
    type Target = Call;

    fn deref(&self) -> &Call {
        &self.call
    }
}
