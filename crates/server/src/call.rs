//! The call that a request belongs to.

use tokio_util::sync::{CancellationToken, DropGuard};

use ferroform_engine::execution::stop::Stopper;

/// The token of the call that a request belongs to: cancelled when the host stops the provider, gives up
/// on the call, or is gone. It comes from the transport; without one (in tests) it is never cancelled.
pub fn cancellation<T>(request: &tonic::Request<T>) -> CancellationToken {
    request.extensions().get::<Call>().map(|call| call.0.clone()).unwrap_or_default()
}

/// Travels with a request from the transport to the service.
#[derive(Clone)]
pub(super) struct Call(CancellationToken);

impl Call {
    /// Returns the guard too: the call is cancelled when it is dropped.
    pub(super) fn new(stopper: &Stopper) -> (Self, DropGuard) {
        let token = stopper.token();
        (Self(token.clone()), token.drop_guard())
    }
}
