//! The progress of an action's invocation: messages that Terraform shows while the method runs.

use std::fmt;

use tokio::sync::mpsc;

use crate::concurrency::run_until::run_until;
use crate::redaction::SensitiveValues;
use crate::{Diagnostics, RequestContext};

/// An event of the invocation of an action.
#[derive(Clone, Debug)]
pub enum ActionEvent {
    /// A message about the progress, with sensitive values masked.
    Progress(String),
    /// The end of the invocation, with its errors and warnings.
    Completed(Diagnostics),
}

/// The channel of the progress messages, and the values that they must not contain.
#[derive(Clone)]
pub(crate) struct Progress {
    /// Weak, so that the stream ends when the RPC drops its sender, even if a method still blocks a thread.
    events: mpsc::WeakSender<ActionEvent>,
    sensitive: SensitiveValues,
}

impl fmt::Debug for Progress {
    /// The values are secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").finish_non_exhaustive()
    }
}

impl Progress {
    pub(crate) fn new(events: &mpsc::Sender<ActionEvent>, sensitive: SensitiveValues) -> Progress {
        Progress { events: events.downgrade(), sensitive }
    }
}

impl RequestContext {
    /// Reports the progress of an action to the practitioner. Sensitive values of the action's configuration and of the
    /// provider's configuration are masked.
    ///
    /// Waits until Terraform has received the previous messages. Returns early if the invocation is canceled. In
    /// requests that are not the invocation of an action, the message is only
    /// [recorded](RequestContext::progress_messages).
    pub async fn progress(&self, message: impl Into<String>) {
        let Some(progress) = self.settings().progress.get() else {
            return self.record_progress(message.into());
        };
        let Some(events) = progress.events.upgrade() else { return };
        let message = progress.sensitive.mask_string(message.into());
        // An error means that Terraform has ended the request, which cancels the method.
        let _ = run_until(events.send(ActionEvent::Progress(message)), self.cancelled()).await;
    }

    /// Sets the receiver of progress messages.
    pub(crate) fn set_progress(&self, progress: Progress) {
        // A request calls one method, so the receiver is set once.
        let _ = self.settings().progress.set(progress);
    }
}
