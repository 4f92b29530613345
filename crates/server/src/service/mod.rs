//! The gRPC services of the provider: convert messages to requests of the engine, and responses to messages.

mod action_message;
mod convert;
mod describe;
mod ephemeral_message;
mod function_message;
mod identity_message;
mod list_message;
mod resource_codec;
mod resource_message;
mod response_stream;
mod rpc_metadata;
mod schema;
mod schema5;
mod state_store_message;
mod v6;

use std::sync::Arc;

use ferroform_engine::concurrency::stop::Stopper;
use ferroform_engine::diagnostic_path::for_configuration;
use ferroform_engine::schema::Block;
use ferroform_engine::{Diagnostics, Kind, Owner, ProviderServer, Result};
use ferroform_proto::tfplugin6::{ClientCapabilities, DynamicValue};
use tokio_util::task::TaskTracker;

use self::convert::read_or_null;
use self::resource_codec::ResourceCodec;
use crate::executor::Executor;
use crate::log::annotate;
use crate::protocol::Protocol;
use crate::service_context::ServiceContext;

/// Adds the owner's name to the log fields of the request.
fn log_owner(owner: Owner<'_>) {
    if let Some(field) = owner.kind.log_field() {
        annotate(field, owner.name);
    }
}

/// The services of both protocols, backed by the engine.
#[derive(Clone)]
pub struct Service {
    server: Arc<ProviderServer>,
    /// The protocol that is served. Some responses differ in protocol 5.
    protocol: Protocol,
    stopper: Stopper,
    executor: Executor,
    /// The tasks of RPCs that are running.
    running: TaskTracker,
}

impl Service {
    /// A service whose methods run on the server's executor. Stop and Shutdown cancel its requests.
    pub fn new(server: ProviderServer, context: &ServiceContext) -> Service {
        let ServiceContext { stopper, protocol, executor, exit_tasks, running } = context.clone();
        let method_executor = Arc::new(executor.clone());
        let server = Arc::new(server.with_stopper(stopper.clone()).with_executor(method_executor));
        let closing = Arc::clone(&server);
        let running_rpcs = running.clone();
        exit_tasks.add(async move {
            // Immediately, because methods can use up the time until the process ends. A running RPC can open another one.
            tokio::join!(closing.close_all_ephemeral_resources(), running_rpcs.wait());
            closing.close_all_ephemeral_resources().await;
        });
        Service { server, protocol, stopper, executor, running }
    }

    /// The root block of the owner's schema. Adds the owner's name to the log fields of the request.
    fn block(&self, owner: Owner<'_>) -> Result<&Block> {
        log_owner(owner);
        self.server.block(owner)
    }

    /// The codec of a resource type. Adds the type name to the log fields of the request.
    fn resource(&self, type_name: &str) -> Result<ResourceCodec> {
        log_owner(Kind::Resource.named(type_name));
        ResourceCodec::new(&self.server, type_name)
    }

    /// Validates the configuration of the provider or of an object. `client` are the capabilities of Terraform, which
    /// concern only the configurations of resources; `None` for other kinds.
    async fn validate(
        &self,
        owner: Owner<'_>,
        config: Option<DynamicValue>,
        client: Option<ClientCapabilities>,
    ) -> Result<Diagnostics> {
        let block = self.block(owner)?;
        let config = read_or_null(config.as_ref(), block)?;
        let client = client.unwrap_or(ClientCapabilities {
            write_only_attributes_allowed: true,
            computed_blocks_allowed: true,
            ..Default::default()
        });
        let omitted_blocks = match client.computed_blocks_allowed {
            true => Diagnostics::new(),
            false => self.server.validate_computed_blocks(owner.name, &config),
        };
        let write_only_allowed = client.write_only_attributes_allowed;
        let mut reported = self.server.validate_config(owner, config, write_only_allowed).await;
        reported.extend(omitted_blocks);
        Ok(for_configuration(block, reported))
    }
}
