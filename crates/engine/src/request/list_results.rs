//! The results that a list resource sends: a bounded channel from the provider's method to the RPC.
//!
//! The method waits until the RPC has received its previous results, so a list of a million objects never collects in
//! memory. [`ListResults::send`] returns an error as soon as no more results are needed, and that error ends a loop
//! with `?`:
//!
//! ```text
//! method                          RPC                        Terraform, with limit = 2
//! send(a).await?    ────▶         checks and encodes a  ──▶  receives a
//! send(b).await?    ────▶         checks and encodes b  ──▶  receives b, and ends the RPC
//!   returns the error that the list is complete; the engine drops it
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ferroform_value::Value;
use tokio::sync::mpsc;

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

/// A result, and the warnings that the method has reported since the previous one.
#[derive(Debug)]
pub(crate) struct SentResult {
    pub(crate) warnings: Diagnostics,
    pub(crate) listed: AnyListed,
}

/// The receiver of the results of a list resource. Clones send to the same RPC.
#[derive(Clone, Debug)]
pub struct ListResults {
    cx: RequestContext,
    sender: mpsc::Sender<SentResult>,
    sent: Arc<AtomicU64>,
    limit: Option<u64>,
    includes_resource: bool,
}

impl ListResults {
    /// Results that go to the channel.
    pub(crate) fn new(
        cx: RequestContext,
        sender: mpsc::Sender<SentResult>,
        limit: Option<u64>,
        includes_resource: bool,
    ) -> ListResults {
        ListResults { cx, sender, sent: Arc::default(), limit, includes_resource }
    }

    /// Results without a request of Terraform, for unit tests of a `list` method. After 65,536 results, `send` waits until
    /// the test takes them.
    pub fn detached(cx: RequestContext) -> (ListResults, SentResults) {
        let (sender, receiver) = mpsc::channel(1 << 16);
        (ListResults::new(cx, sender, None, true), SentResults(receiver))
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
        let is_failed = listed.diagnostics.has_error();
        let number = self.sent.fetch_add(1, Ordering::Relaxed) + 1;
        let is_beyond = self.limit.is_some_and(|limit| number > limit);
        if is_beyond || self.sender.send(self.with_warnings(listed)).await.is_err() {
            return Err(list_complete());
        }
        if is_failed || self.limit == Some(number) { Err(list_complete()) } else { Ok(()) }
    }

    fn with_warnings(&self, listed: AnyListed) -> SentResult {
        SentResult { warnings: self.cx.take_warnings(), listed }
    }
}

/// The results that a method has sent in a unit test.
#[derive(Debug)]
pub struct SentResults(mpsc::Receiver<SentResult>);

impl SentResults {
    /// The results since the last call.
    pub fn take(&mut self) -> Vec<AnyListed> {
        std::iter::from_fn(|| self.0.try_recv().ok()).map(|it| it.listed).collect()
    }
}

fn list_complete() -> Diagnostics {
    let detail =
        "Terraform needs no more results. The method must return this error, which Terraform does not show.";
    Diagnostic::error("List Complete").detail(detail).of_kind(DiagnosticKind::ListComplete).into()
}
