//! How the host interrupts what is running.

use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

tokio::task_local! {
    /// The cancellation of the RPC that is being served.
    static RPC: CancellationToken;
}

/// Runs an RPC that Terraform can cancel by itself: every call of the author's code within it is cancelled with this
/// token, as by Stop.
pub fn with_cancellation<F: Future>(
    cancellation: CancellationToken,
    rpc: F,
) -> impl Future<Output = F::Output> {
    RPC.scope(cancellation, rpc)
}

/// Cancels every call that is running; calls that come later run normally.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<Mutex<CancellationToken>>);

impl Stopper {
    /// A stopper of its own.
    pub fn new() -> Self {
        Self::default()
    }

    /// For one call: cancelled by the next [`stop`](Self::stop), or with the RPC that it belongs to.
    pub fn token(&self) -> CancellationToken {
        RPC.try_with(CancellationToken::child_token).unwrap_or_else(|_| self.current().child_token())
    }

    /// Cancels every token given out so far.
    pub fn stop(&self) {
        std::mem::take(&mut *self.current()).cancel();
    }

    fn current(&self) -> std::sync::MutexGuard<'_, CancellationToken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopping_reaches_what_runs_and_not_what_comes_later() {
        let stopper = Stopper::new();
        let (running, other) = (stopper.token(), stopper.clone().token());
        stopper.stop();
        assert!(running.is_cancelled() && other.is_cancelled());
        let later = stopper.token();
        assert!(!later.is_cancelled());
        stopper.stop();
        assert!(later.is_cancelled());
    }
}
