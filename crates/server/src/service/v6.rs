//! Protocol 6: the gRPC service. Each RPC decodes its request, calls the engine, and encodes the response.
//!
//! The files `*_message.rs` convert the messages. `respond` encodes errors and warnings as `Diagnostic` messages, so that
//! Terraform shows them with their attribute paths instead of a gRPC status.

use ferroform_proto::tfplugin6::provider_server::Provider;
use ferroform_proto::tfplugin6::{self as wire, ServerCapabilities};
use tonic::codegen::{BoxStream, tokio_stream};
use tonic::{Request, Response, Status, Streaming};

use super::Service;
use super::action_message::completed;
use super::convert::diagnostics;
use super::function_message::function_error;
use super::list_message::diagnostics_event;
use super::state_store_message::diagnostics_chunk;
use crate::protocol::Protocol;
use ferroform_engine::{Diagnostics, Result};

type RpcResult<T> = std::result::Result<Response<T>, Status>;

/// The optional RPCs that this server supports.
pub(super) fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        plan_destroy: true,
        get_provider_schema_optional: true,
        move_resource_state: true,
        generate_resource_config: true,
    }
}

/// Runs an RPC. The engine catches panics of methods; this catches panics in the creation of schemas.
fn catch_schema_panics<T>(rpc: impl Future<Output = Result<T>>) -> impl Future<Output = Result<T>> {
    let caught = ferroform_engine::panics::catch(Box::pin(rpc));
    async {
        caught.await.unwrap_or_else(|panic| Err(panic.diagnostic("The creation of a schema", "").into()))
    }
}

/// A response that can consist of diagnostics alone.
trait FromDiagnostics: Default {
    fn from_diagnostics(all: Diagnostics) -> Self;
}

macro_rules! from_diagnostics {
    ($($message:ident),+) => {$(
        impl FromDiagnostics for wire::$message::Response {
            #[allow(clippy::needless_update, reason = "some responses consist only of diagnostics")]
            fn from_diagnostics(all: Diagnostics) -> Self {
                Self { diagnostics: diagnostics(all), ..Self::default() }
            }
        }
    )+};
}

from_diagnostics!(
    validate_provider_config,
    validate_resource_config,
    validate_data_resource_config,
    configure_provider
);
from_diagnostics!(
    validate_ephemeral_resource_config,
    open_ephemeral_resource,
    renew_ephemeral_resource,
    close_ephemeral_resource
);
from_diagnostics!(validate_list_resource_config, validate_action_config, plan_action);
from_diagnostics!(get_functions, upgrade_resource_identity, generate_resource_config, move_resource_state);
from_diagnostics!(
    upgrade_resource_state,
    read_resource,
    plan_resource_change,
    import_resource_state,
    read_data_source
);
from_diagnostics!(validate_state_store_config, configure_state_store, write_state_bytes);
from_diagnostics!(lock_state, unlock_state, get_states, delete_state);

/// The response of an RPC, or its errors.
fn respond<T: FromDiagnostics>(result: Result<T>) -> RpcResult<T> {
    Ok(Response::new(result.unwrap_or_else(T::from_diagnostics)))
}

/// The diagnostics of an RPC without another result.
fn respond_with_diagnostics<T: FromDiagnostics>(result: Result<Diagnostics>) -> RpcResult<T> {
    Ok(Response::new(T::from_diagnostics(result.unwrap_or_else(|it| it))))
}

#[tonic::async_trait]
impl Provider for Service {
    async fn get_metadata(
        &self,
        _: Request<wire::get_metadata::Request>,
    ) -> RpcResult<wire::get_metadata::Response> {
        use wire::get_metadata::{
            ActionMetadata, DataSourceMetadata, EphemeralResourceMetadata, FunctionMetadata,
            ListResourceMetadata, ResourceMetadata, StateStoreMetadata,
        };
        let provider = self.server.provider();
        let resources = provider.resources().iter().map(|(name, _)| name.clone());
        let list_resources = provider.list_resources().iter().map(|(name, _)| name.clone());
        let data_sources = provider.data_sources().iter().map(|(name, _)| name.clone());
        let ephemeral = provider.ephemeral_resources().iter().map(|(name, _)| name.clone());
        let actions = provider.actions().iter().map(|(name, _)| name.clone());
        let functions = provider.functions().iter().map(|(name, _)| name.clone());
        let state_stores = provider.state_stores().iter().map(|(name, _)| name.clone());
        Ok(Response::new(wire::get_metadata::Response {
            server_capabilities: Some(capabilities()),
            resources: resources.map(|type_name| ResourceMetadata { type_name }).collect(),
            list_resources: list_resources.map(|type_name| ListResourceMetadata { type_name }).collect(),
            data_sources: data_sources.map(|type_name| DataSourceMetadata { type_name }).collect(),
            functions: functions.map(|name| FunctionMetadata { name }).collect(),
            state_stores: state_stores.map(|type_name| StateStoreMetadata { type_name }).collect(),
            ephemeral_resources: ephemeral.map(|type_name| EphemeralResourceMetadata { type_name }).collect(),
            actions: actions.map(|type_name| ActionMetadata { type_name }).collect(),
            ..Default::default()
        }))
    }

    async fn get_provider_schema(
        &self,
        _: Request<wire::get_provider_schema::Request>,
    ) -> RpcResult<wire::get_provider_schema::Response> {
        Ok(Response::new(self.schemas(Protocol::V6)))
    }

    async fn get_resource_identity_schemas(
        &self,
        _: Request<wire::get_resource_identity_schemas::Request>,
    ) -> RpcResult<wire::get_resource_identity_schemas::Response> {
        Ok(Response::new(self.identity_schemas()))
    }

    async fn get_functions(
        &self,
        _: Request<wire::get_functions::Request>,
    ) -> RpcResult<wire::get_functions::Response> {
        let result = catch_schema_panics(async {
            let functions = self.functions();
            let errors = self.server.function_errors();
            if errors.has_error() { Err(errors) } else { Ok(functions) }
        });
        let response = |functions| wire::get_functions::Response { functions, ..Default::default() };
        respond(result.await.map(response))
    }

    async fn validate_ephemeral_resource_config(
        &self,
        request: Request<wire::validate_ephemeral_resource_config::Request>,
    ) -> RpcResult<wire::validate_ephemeral_resource_config::Response> {
        let result = catch_schema_panics(self.validate_ephemeral_inner(request.into_inner())).await;
        respond_with_diagnostics(result)
    }

    async fn open_ephemeral_resource(
        &self,
        request: Request<wire::open_ephemeral_resource::Request>,
    ) -> RpcResult<wire::open_ephemeral_resource::Response> {
        respond(catch_schema_panics(self.open_ephemeral_inner(request.into_inner())).await)
    }

    async fn renew_ephemeral_resource(
        &self,
        request: Request<wire::renew_ephemeral_resource::Request>,
    ) -> RpcResult<wire::renew_ephemeral_resource::Response> {
        respond(catch_schema_panics(self.renew_ephemeral_inner(request.into_inner())).await)
    }

    async fn close_ephemeral_resource(
        &self,
        request: Request<wire::close_ephemeral_resource::Request>,
    ) -> RpcResult<wire::close_ephemeral_resource::Response> {
        let result = catch_schema_panics(self.close_ephemeral_inner(request.into_inner())).await;
        respond_with_diagnostics(result)
    }

    async fn validate_action_config(
        &self,
        request: Request<wire::validate_action_config::Request>,
    ) -> RpcResult<wire::validate_action_config::Response> {
        let result = catch_schema_panics(self.validate_action_inner(request.into_inner())).await;
        respond_with_diagnostics(result)
    }

    async fn plan_action(
        &self,
        request: Request<wire::plan_action::Request>,
    ) -> RpcResult<wire::plan_action::Response> {
        respond(catch_schema_panics(self.plan_action_inner(request.into_inner())).await)
    }

    async fn invoke_action(
        &self,
        request: Request<wire::invoke_action::Request>,
    ) -> RpcResult<BoxStream<wire::invoke_action::Event>> {
        let request = request.into_inner();
        Ok(Response::new(self.respond_with_stream(|service, events| async move {
            let result = catch_schema_panics(service.invoke_action_inner(request, &events)).await;
            // An error means that Terraform has ended the request.
            let _ = events.send(completed(result.unwrap_or_else(|it| it))).await;
        })))
    }

    async fn validate_state_store_config(
        &self,
        request: Request<wire::validate_state_store_config::Request>,
    ) -> RpcResult<wire::validate_state_store_config::Response> {
        let result = catch_schema_panics(self.validate_state_store_inner(request.into_inner())).await;
        respond_with_diagnostics(result)
    }

    async fn configure_state_store(
        &self,
        request: Request<wire::configure_state_store::Request>,
    ) -> RpcResult<wire::configure_state_store::Response> {
        respond(catch_schema_panics(self.configure_state_store_inner(request.into_inner())).await)
    }

    async fn read_state_bytes(
        &self,
        request: Request<wire::read_state_bytes::Request>,
    ) -> RpcResult<BoxStream<wire::read_state_bytes::ResponseChunk>> {
        let result = catch_schema_panics(self.read_state_inner(request.into_inner())).await;
        Ok(Response::new(match result {
            Ok(chunks) => Box::pin(tokio_stream::iter(chunks.map(Ok))),
            Err(errors) => Box::pin(tokio_stream::iter(diagnostics_chunk(errors).map(Ok))),
        }))
    }

    async fn write_state_bytes(
        &self,
        request: Request<Streaming<wire::write_state_bytes::RequestChunk>>,
    ) -> RpcResult<wire::write_state_bytes::Response> {
        respond_with_diagnostics(catch_schema_panics(self.write_state_inner(request.into_inner())).await)
    }

    async fn lock_state(
        &self,
        request: Request<wire::lock_state::Request>,
    ) -> RpcResult<wire::lock_state::Response> {
        respond(catch_schema_panics(self.lock_state_inner(request.into_inner())).await)
    }

    async fn unlock_state(
        &self,
        request: Request<wire::unlock_state::Request>,
    ) -> RpcResult<wire::unlock_state::Response> {
        let result = catch_schema_panics(self.unlock_state_inner(request.into_inner())).await;
        respond_with_diagnostics(result)
    }

    async fn get_states(
        &self,
        request: Request<wire::get_states::Request>,
    ) -> RpcResult<wire::get_states::Response> {
        respond(catch_schema_panics(self.get_states_inner(request.into_inner())).await)
    }

    async fn delete_state(
        &self,
        request: Request<wire::delete_state::Request>,
    ) -> RpcResult<wire::delete_state::Response> {
        let result = catch_schema_panics(self.delete_state_inner(request.into_inner())).await;
        respond_with_diagnostics(result)
    }

    async fn validate_list_resource_config(
        &self,
        request: Request<wire::validate_list_resource_config::Request>,
    ) -> RpcResult<wire::validate_list_resource_config::Response> {
        let result = catch_schema_panics(self.validate_list_inner(request.into_inner())).await;
        respond_with_diagnostics(result)
    }

    async fn list_resource(
        &self,
        request: Request<wire::list_resource::Request>,
    ) -> RpcResult<BoxStream<wire::list_resource::Event>> {
        let request = request.into_inner();
        Ok(Response::new(self.respond_with_stream(|service, events| async move {
            let result = catch_schema_panics(service.list_inner(request, &events)).await;
            if let Err(errors) = result {
                // An error means that Terraform has ended the RPC.
                let _ = events.send(diagnostics_event(errors)).await;
            }
        })))
    }

    async fn call_function(
        &self,
        request: Request<wire::call_function::Request>,
    ) -> RpcResult<wire::call_function::Response> {
        let result = match self.call_function_inner(request.into_inner()).await {
            Ok(result) => wire::call_function::Response { result: Some(result), error: None },
            Err(error) => wire::call_function::Response { result: None, error: Some(function_error(error)) },
        };
        Ok(Response::new(result))
    }

    async fn validate_provider_config(
        &self,
        request: Request<wire::validate_provider_config::Request>,
    ) -> RpcResult<wire::validate_provider_config::Response> {
        let result = catch_schema_panics(self.validate_provider_inner(request.into_inner().config)).await;
        respond_with_diagnostics(result)
    }

    async fn validate_resource_config(
        &self,
        request: Request<wire::validate_resource_config::Request>,
    ) -> RpcResult<wire::validate_resource_config::Response> {
        let result = catch_schema_panics(self.validate_resource_inner(request.into_inner())).await;
        respond_with_diagnostics(result)
    }

    async fn validate_data_resource_config(
        &self,
        request: Request<wire::validate_data_resource_config::Request>,
    ) -> RpcResult<wire::validate_data_resource_config::Response> {
        let result = catch_schema_panics(self.validate_data_inner(request.into_inner())).await;
        respond_with_diagnostics(result)
    }

    async fn upgrade_resource_state(
        &self,
        request: Request<wire::upgrade_resource_state::Request>,
    ) -> RpcResult<wire::upgrade_resource_state::Response> {
        respond(catch_schema_panics(self.upgrade_inner(request.into_inner())).await)
    }

    async fn move_resource_state(
        &self,
        request: Request<wire::move_resource_state::Request>,
    ) -> RpcResult<wire::move_resource_state::Response> {
        respond(catch_schema_panics(self.move_inner(request.into_inner())).await)
    }

    async fn upgrade_resource_identity(
        &self,
        request: Request<wire::upgrade_resource_identity::Request>,
    ) -> RpcResult<wire::upgrade_resource_identity::Response> {
        respond(catch_schema_panics(async { self.upgrade_identity_inner(request.get_ref()) }).await)
    }

    async fn configure_provider(
        &self,
        request: Request<wire::configure_provider::Request>,
    ) -> RpcResult<wire::configure_provider::Response> {
        let result = catch_schema_panics(self.configure_inner(request.into_inner())).await;
        respond_with_diagnostics(result)
    }

    async fn read_resource(
        &self,
        request: Request<wire::read_resource::Request>,
    ) -> RpcResult<wire::read_resource::Response> {
        respond(catch_schema_panics(self.read_inner(request.into_inner())).await)
    }

    async fn plan_resource_change(
        &self,
        request: Request<wire::plan_resource_change::Request>,
    ) -> RpcResult<wire::plan_resource_change::Response> {
        respond(catch_schema_panics(self.plan_inner(request.into_inner())).await)
    }

    async fn apply_resource_change(
        &self,
        request: Request<wire::apply_resource_change::Request>,
    ) -> RpcResult<wire::apply_resource_change::Response> {
        // If there is no new state, Terraform keeps the prior state but reports a missing value, so the prior state
        // is returned.
        let prior = request.get_ref().prior_state.clone();
        let result = catch_schema_panics(self.apply_inner(request.into_inner())).await;
        let failed = |it| wire::apply_resource_change::Response {
            new_state: prior,
            diagnostics: diagnostics(it),
            ..Default::default()
        };
        Ok(Response::new(result.unwrap_or_else(failed)))
    }

    async fn import_resource_state(
        &self,
        request: Request<wire::import_resource_state::Request>,
    ) -> RpcResult<wire::import_resource_state::Response> {
        respond(catch_schema_panics(self.import_inner(request.into_inner())).await)
    }

    async fn generate_resource_config(
        &self,
        request: Request<wire::generate_resource_config::Request>,
    ) -> RpcResult<wire::generate_resource_config::Response> {
        respond(catch_schema_panics(async { self.generate_inner(request.get_ref()) }).await)
    }

    async fn read_data_source(
        &self,
        request: Request<wire::read_data_source::Request>,
    ) -> RpcResult<wire::read_data_source::Response> {
        respond(catch_schema_panics(self.read_data_inner(request.into_inner())).await)
    }

    async fn stop_provider(
        &self,
        _: Request<wire::stop_provider::Request>,
    ) -> RpcResult<wire::stop_provider::Response> {
        self.stopper.stop();
        Ok(Response::new(Default::default()))
    }
}
