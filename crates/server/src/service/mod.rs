//! The provider's services: what comes over the wire, in the engine's terms, and back.

mod convert;
mod describe;
mod identity_message;
mod rpc_metadata;
mod schema;
mod schema5;
mod v5;
mod v6;

use std::sync::Arc;

use ferroform_engine::ProviderServer;
use ferroform_engine::concurrency::stop::Stopper;

use crate::service_context::ServiceContext;

/// The engine behind either protocol.
#[derive(Clone)]
pub struct Service {
    server: Arc<ProviderServer>,
    stopper: Stopper,
}

impl Service {
    /// A service whose methods run on the server's executor, and which Stop and Shutdown stop.
    pub fn new(server: ProviderServer, context: &ServiceContext) -> Service {
        let ServiceContext { stopper, executor } = context.clone();
        let server = server.with_stopper(stopper.clone()).with_executor(Arc::new(executor));
        Service { server: Arc::new(server), stopper }
    }
}
