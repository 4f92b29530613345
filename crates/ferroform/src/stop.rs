//! Ctrl-C: the host asks to stop, and every running call hears it.

use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

/// Cancels the calls that are running; calls that come later run normally.
#[derive(Debug)]
pub(crate) struct Stopper {
    current: Mutex<watch::Sender<bool>>,
}

impl Default for Stopper {
    fn default() -> Self {
        Stopper { current: Mutex::new(watch::Sender::new(false)) }
    }
}

impl Stopper {
    /// A signal for a call that begins now.
    pub(crate) fn signal(&self) -> StopSignal {
        StopSignal(self.current.lock().unwrap_or_else(PoisonError::into_inner).subscribe())
    }

    /// Cancels the running calls.
    pub(crate) fn stop(&self) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *current, watch::Sender::new(false));
        old.send_replace(true);
    }
}

/// Says whether the call has been cancelled.
#[derive(Clone, Debug)]
pub(crate) struct StopSignal(watch::Receiver<bool>);

impl StopSignal {
    /// True once the host has asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the host asks to stop.
    pub(crate) async fn stopped(&self) {
        let mut receiver = self.0.clone();
        if receiver.wait_for(|stopped| *stopped).await.is_err() {
            // The server is gone and will never ask.
            std::future::pending::<()>().await;
        }
    }
}
