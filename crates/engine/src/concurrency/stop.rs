//! The `StopProvider` RPC (Stop): Terraform cancels all running requests, for example after Ctrl-C.

use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

tokio::task_local! {
    /// The cancellation of the current RPC.
    static RPC: CancellationToken;
}

/// Runs an RPC that Terraform can cancel by itself. Every request context that is created within it is canceled with
/// this token, as by `StopProvider`.
pub fn with_cancellation<F: Future>(
    cancellation: CancellationToken,
    rpc: F,
) -> impl Future<Output = F::Output> {
    RPC.scope(cancellation, rpc)
}

/// Cancels all running requests. Requests that start later are not affected.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<Mutex<CancellationToken>>);

impl Stopper {
    /// A stopper for new requests.
    pub fn new() -> Self {
        Self::default()
    }

    /// The token of one request. It is canceled by the next [`stop`](Self::stop), or with the RPC that the request
    /// belongs to.
    pub fn token(&self) -> CancellationToken {
        RPC.try_with(CancellationToken::child_token).unwrap_or_else(|_| self.current().child_token())
    }

    /// The token that only the next [`stop`](Self::stop) cancels.
    pub fn all(&self) -> CancellationToken {
        self.current().clone()
    }

    /// Cancels all tokens that exist so far.
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
    fn stop_cancels_only_running_requests() {
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
