//! The results that a list resource sends. Each result is passed to a handler, and the method waits until the RPC has
//! accepted it, so a list of a million objects never collects in
//! memory. [`ListResults::send`] returns an error as soon as no more results are needed, and that error ends a loop
//! with `?`:
//!
//! ```text
//! method                          RPC                        Terraform, with limit = 2
//! send(a).await?    ────▶         checks and encodes a  ──▶  receives a
//! send(b).await?    ────▶         checks and encodes b  ──▶  receives b, and ends the RPC
//!   returns the error that the list is complete; the engine drops it
//! ```

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ferroform_value::Value;

use crate::diagnostic_kind::DiagnosticKind;
use crate::{Diagnostic, Diagnostics, RequestContext, Result};

/// One result of a list resource.
#[derive(Clone, Debug)]
pub struct AnyListed {
    /// The identity of the object, by the identity schema of the resource.
    pub identity: Value,
    /// The name that Terraform shows for the object.
    pub display_name: String,
    /// The object, by the schema of the resource. The engine drops it if Terraform has not requested it.
    pub object: Option<Value>,
    /// Errors and warnings about this object. After an error, Terraform receives no more results.
    pub diagnostics: Diagnostics,
}

impl AnyListed {
    /// A result without an object and without diagnostics.
    pub fn new(identity: Value, display_name: impl Into<String>) -> AnyListed {
        let display_name = display_name.into();
        AnyListed { identity, display_name, object: None, diagnostics: Diagnostics::new() }
    }
}

/// Handles a result, and the warnings that the method has reported since the previous one. Returns false if no further
/// result is needed.
type ResultHandler =
    dyn Fn(AnyListed, Diagnostics) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync;

/// Sends the results of a list resource. Clones send to the same RPC.
#[derive(Clone)]
pub struct ListResults {
    cx: RequestContext,
    handler: Arc<ResultHandler>,
    sent: Arc<AtomicU64>,
    limit: Option<u64>,
    includes_resource: bool,
}

impl fmt::Debug for ListResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListResults")
            .field("sent", &self.sent)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl ListResults {
    pub(crate) fn new<F>(
        cx: RequestContext,
        limit: Option<u64>,
        includes_resource: bool,
        receive: impl Fn(AnyListed, Diagnostics) -> F + Send + Sync + 'static,
    ) -> ListResults
    where
        F: Future<Output = bool> + Send + 'static,
    {
        let handler = Arc::new(move |listed, warnings| Box::pin(receive(listed, warnings)) as Pin<Box<_>>);
        ListResults { cx, handler, sent: Arc::default(), limit, includes_resource }
    }

    /// Results without a request from Terraform, for unit tests of a `list` method.
    pub fn detached(cx: RequestContext) -> (ListResults, SentResults) {
        let sent = SentResults::default();
        let all = sent.clone();
        let receive = move |listed, _| {
            all.lock().push(listed);
            async { true }
        };
        (ListResults::new(cx, None, true, receive), sent)
    }

    /// The maximum number of results that Terraform accepts; `None` if there is no limit.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// True if Terraform has requested the whole object of each result.
    pub fn includes_resource(&self) -> bool {
        self.includes_resource
    }

    /// Sends a result, and waits until the RPC has received the previous ones.
    ///
    /// # Errors
    ///
    /// Returns an error if no further result is needed: the limit is reached with this result, this result has an error,
    /// or Terraform has ended the RPC. The method returns the error, and the engine drops it.
    pub async fn send(&self, listed: AnyListed) -> Result<()> {
        let number = self.sent.fetch_add(1, Ordering::Relaxed) + 1;
        let is_beyond = self.limit.is_some_and(|limit| number > limit);
        if is_beyond || !(self.handler)(listed, self.cx.take_warnings()).await {
            return Err(list_complete());
        }
        if self.limit == Some(number) { Err(list_complete()) } else { Ok(()) }
    }
}

/// The results that a method has sent in a unit test.
#[derive(Clone, Debug, Default)]
pub struct SentResults(Arc<Mutex<Vec<AnyListed>>>);

impl SentResults {
    /// The results since the last call.
    pub fn take(&mut self) -> Vec<AnyListed> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<AnyListed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn list_complete() -> Diagnostics {
    let detail =
        "Terraform needs no more results. The method must return this error, which Terraform does not show.";
    Diagnostic::error("List Complete").detail(detail).of_kind(DiagnosticKind::ListComplete).into()
}
