//! What the services share with the server.

use ferroform_engine::concurrency::stop::Stopper;

use super::executor::Executor;

/// What a service gets from the server that it is part of.
#[derive(Clone)]
pub struct ServiceContext {
    /// Cancels the calls that are running.
    pub stopper: Stopper,
    pub(crate) executor: Executor,
}
