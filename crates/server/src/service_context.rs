//! The context that the server passes to services.

use ferroform_engine::concurrency::stop::Stopper;

use super::executor::Executor;

/// The parts of the server that a service uses.
#[derive(Clone)]
pub struct ServiceContext {
    /// Cancels running requests.
    pub stopper: Stopper,
    pub(crate) executor: Executor,
}
