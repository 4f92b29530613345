//! The gRPC services of the provider: convert messages to requests of the engine, and responses to messages.

mod action_message;
mod convert;
mod describe;
mod ephemeral_message;
mod function_message;
mod identity_message;
mod list_message;
mod resource_message;
mod response_stream;
mod rpc_metadata;
mod schema;
mod schema5;
mod state_store_message;
mod v5;
mod v6;

use std::sync::Arc;

use ferroform_engine::ProviderServer;
use ferroform_engine::concurrency::stop::Stopper;
use tokio_util::task::TaskTracker;

use crate::executor::Executor;
use crate::service_context::ServiceContext;

/// The services of both protocols, backed by the engine.
#[derive(Clone)]
pub struct Service {
    server: Arc<ProviderServer>,
    stopper: Stopper,
    executor: Executor,
    /// The tasks of RPCs that are running.
    running: TaskTracker,
}

impl Service {
    /// A service whose methods run on the server's executor. Stop and Shutdown cancel its requests.
    pub fn new(server: ProviderServer, context: &ServiceContext) -> Service {
        let ServiceContext { stopper, executor, exit_tasks, running } = context.clone();
        let method_executor = Arc::new(executor.clone());
        let server = Arc::new(server.with_stopper(stopper.clone()).with_executor(method_executor));
        let closing = Arc::clone(&server);
        exit_tasks.add(async move { closing.close_all_ephemeral_resources().await });
        Service { server, stopper, executor, running }
    }
}
