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

use crate::engine::Server;
use crate::stop::Stopper;

/// The engine behind either protocol.
#[derive(Clone)]
pub(crate) struct Service {
    server: Arc<Server>,
    stopper: Stopper,
}

impl Service {
    /// A service that the stopper stops.
    pub(crate) fn new(server: Server, stopper: &Stopper) -> Service {
        Service { server: Arc::new(server.stopped_by(stopper.clone())), stopper: stopper.clone() }
    }
}
