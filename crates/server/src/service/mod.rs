//! The provider's services: what comes over the wire, in the engine's terms, and back.

mod caller;
mod convert;
mod describe;
mod identity;
mod schema;
mod schema5;
mod v5;
mod v6;

use std::sync::Arc;

use ferroform_engine::ProviderServer;
use ferroform_engine::execution::stop::Stopper;

/// The engine behind either protocol.
#[derive(Clone)]
pub struct Service {
    server: Arc<ProviderServer>,
    stopper: Stopper,
}

impl Service {
    /// A service that the stopper stops.
    pub fn new(server: ProviderServer, stopper: &Stopper) -> Service {
        Service { server: Arc::new(server.stopped_by(stopper.clone())), stopper: stopper.clone() }
    }
}
