//! The provider's services: what comes over the wire, in the engine's terms, and back.

mod caller;
mod convert;
mod describe;
mod identity;
mod message;
mod schema;
mod v5;
mod v6;

use std::sync::Arc;

use crate::engine::Server;
use crate::rpc::Host;
use crate::stop::Stopper;

/// The engine behind either protocol.
#[derive(Clone)]
pub(crate) struct Service {
    server: Arc<Server>,
    stopper: Stopper,
}

impl Service {
    /// A service whose methods run on the host's executor, and which its stopper stops.
    pub(crate) fn new(server: Server, host: &Host) -> Service {
        let server = server.stopped_by(host.stopper.clone()).executed_by(Arc::new(host.executor.clone()));
        Service { server: Arc::new(server), stopper: host.stopper.clone() }
    }
}
