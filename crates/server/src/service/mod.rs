//! The gRPC services of the provider: convert messages to requests of the engine, and responses to messages.

mod convert;
mod describe;
mod function_message;
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

/// The services of both protocols, backed by the engine.
#[derive(Clone)]
pub struct Service {
    server: Arc<ProviderServer>,
    stopper: Stopper,
}

impl Service {
    /// A service whose methods run on the server's executor. Stop and Shutdown cancel its requests.
    pub fn new(server: ProviderServer, context: &ServiceContext) -> Service {
        let ServiceContext { stopper, executor } = context.clone();
        let server = server.with_stopper(stopper.clone()).with_executor(Arc::new(executor));
        Service { server: Arc::new(server), stopper }
    }
}
