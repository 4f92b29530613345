//! The gRPC service of both protocols, with the names of protocol 6 (see `protocol_5`). Each RPC decodes its request,
//! calls the engine, and encodes the response.
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
use super::describe::is_served;
use super::function_message::function_error;
use super::list_message::diagnostics_event;
use super::state_store_message::diagnostics_chunk;
use crate::protocol::Protocol;
use crate::provider_messages::add_name;
use ferroform_engine::panics::catch_schema_panics;
use ferroform_engine::{Diagnostics, Kind, Owner, Result};

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
    validate_resource_config,
    validate_data_resource_config,
    configure_provider,
    validate_ephemeral_resource_config,
    open_ephemeral_resource,
    renew_ephemeral_resource,
    close_ephemeral_resource,
    validate_list_resource_config,
    validate_action_config,
    plan_action,
    get_functions,
    upgrade_resource_identity,
    generate_resource_config,
    move_resource_state,
    upgrade_resource_state,
    read_resource,
    plan_resource_change,
    import_resource_state,
    read_data_source,
    validate_state_store_config,
    configure_state_store,
    write_state_bytes,
    lock_state,
    unlock_state,
    get_states,
    delete_state
);

/// The response of an RPC, or its errors.
fn respond<T: FromDiagnostics>(result: Result<T>) -> RpcResult<T> {
    Ok(Response::new(result.unwrap_or_else(T::from_diagnostics)))
}

/// The diagnostics of an RPC without another result.
fn respond_with_diagnostics<T: FromDiagnostics>(result: Result<Diagnostics>) -> RpcResult<T> {
    Ok(Response::new(T::from_diagnostics(result.unwrap_or_else(|it| it))))
}

/// A stream of the given messages.
fn stream_of<T: Send + 'static>(
    messages: impl IntoIterator<Item = T, IntoIter: Send + 'static>,
) -> BoxStream<T> {
    Box::pin(tokio_stream::iter(messages.into_iter().map(Ok)))
}

/// Implements the service. Each RPC of the first list has a function that returns its response, and each of the second
/// list one that returns diagnostics alone.
macro_rules! service {
    (
        responses { $($rpc:ident = $response:ident;)+ }
        diagnostics { $($plain:ident = |$service:ident, $request:ident| $diagnostics:expr;)+ }
    ) => {
        #[tonic::async_trait]
        impl Provider for Service {
            $(async fn $rpc(
                &self,
                request: Request<wire::$rpc::Request>,
            ) -> RpcResult<wire::$rpc::Response> {
                respond(self.$response(request.into_inner()).await)
            })+

            $(async fn $plain(
                &self,
                request: Request<wire::$plain::Request>,
            ) -> RpcResult<wire::$plain::Response> {
                let ($service, $request) = (self, request.into_inner());
                respond_with_diagnostics($diagnostics.await)
            })+

            async fn get_metadata(
                &self,
                _: Request<wire::get_metadata::Request>,
            ) -> RpcResult<wire::get_metadata::Response> {
                let mut response = wire::get_metadata::Response {
                    server_capabilities: Some(capabilities()),
                    ..Default::default()
                };
                let owners = self.server.provider().definitions().iter().map(|(owner, _)| owner);
                owners
                    .filter(|it| is_served(it.kind, self.protocol))
                    .for_each(|it| add_name(&mut response, it));
                Ok(Response::new(response))
            }

            async fn validate_provider_config(
                &self,
                request: Request<wire::validate_provider_config::Request>,
            ) -> RpcResult<wire::validate_provider_config::Response> {
                let config = request.into_inner().config;
                let prepared_config = config.clone().filter(|_| self.protocol == Protocol::V5);
                let reported = self.validate(Owner::PROVIDER, config, None).await;
                Ok(Response::new(wire::validate_provider_config::Response {
                    prepared_config,
                    diagnostics: diagnostics(reported.unwrap_or_else(|it| it)),
                }))
            }

            async fn get_provider_schema(
                &self,
                _: Request<wire::get_provider_schema::Request>,
            ) -> RpcResult<wire::get_provider_schema::Response> {
                Ok(Response::new(self.schemas(self.protocol)))
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
                let result = catch_schema_panics(|| {
                    let functions = self.functions();
                    let errors = self.server.function_errors();
                    if errors.has_error() { Err(errors) } else { Ok(functions) }
                });
                let response = |functions| wire::get_functions::Response { functions, ..Default::default() };
                respond(result.map(response))
            }

            async fn invoke_action(
                &self,
                request: Request<wire::invoke_action::Request>,
            ) -> RpcResult<BoxStream<wire::invoke_action::Event>> {
                let events = self.invoke_action_inner(request.into_inner()).await;
                Ok(Response::new(events.unwrap_or_else(|errors| stream_of([completed(errors)]))))
            }

            async fn read_state_bytes(
                &self,
                request: Request<wire::read_state_bytes::Request>,
            ) -> RpcResult<BoxStream<wire::read_state_bytes::ResponseChunk>> {
                let result = self.read_state_inner(request.into_inner()).await;
                Ok(Response::new(match result {
                    Ok(chunks) => stream_of(chunks),
                    Err(errors) => stream_of(diagnostics_chunk(errors)),
                }))
            }

            async fn write_state_bytes(
                &self,
                request: Request<Streaming<wire::write_state_bytes::RequestChunk>>,
            ) -> RpcResult<wire::write_state_bytes::Response> {
                respond_with_diagnostics(self.write_state_inner(request.into_inner()).await)
            }

            async fn list_resource(
                &self,
                request: Request<wire::list_resource::Request>,
            ) -> RpcResult<BoxStream<wire::list_resource::Event>> {
                let events = self.list_inner(request.into_inner()).await;
                Ok(Response::new(events.unwrap_or_else(|errors| stream_of([diagnostics_event(errors)]))))
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

            async fn apply_resource_change(
                &self,
                request: Request<wire::apply_resource_change::Request>,
            ) -> RpcResult<wire::apply_resource_change::Response> {
                // If there is no new state, Terraform keeps the prior state but reports a missing value, so the prior state
                // is returned.
                let prior = request.get_ref().prior_state.clone();
                let result = self.apply_inner(request.into_inner()).await;
                let failed = |it| wire::apply_resource_change::Response {
                    new_state: prior,
                    diagnostics: diagnostics(it),
                    ..Default::default()
                };
                Ok(Response::new(result.unwrap_or_else(failed)))
            }

            async fn stop_provider(
                &self,
                _: Request<wire::stop_provider::Request>,
            ) -> RpcResult<wire::stop_provider::Response> {
                self.stopper.stop();
                Ok(Response::new(Default::default()))
            }
        }
    };
}

service! {
    responses {
        upgrade_resource_state = upgrade_inner;
        move_resource_state = move_inner;
        upgrade_resource_identity = upgrade_identity_inner;
        generate_resource_config = generate_inner;
        read_resource = read_inner;
        plan_resource_change = plan_inner;
        import_resource_state = import_inner;
        read_data_source = read_data_inner;
        open_ephemeral_resource = open_ephemeral_inner;
        renew_ephemeral_resource = renew_ephemeral_inner;
        plan_action = plan_action_inner;
        configure_state_store = configure_state_store_inner;
        lock_state = lock_state_inner;
        get_states = get_states_inner;
    }
    diagnostics {
        validate_resource_config = |it, request| it.validate(
            Kind::Resource.named(&request.type_name),
            request.config,
            Some(request.client_capabilities.unwrap_or_default()),
        );
        validate_data_resource_config =
            |it, request| it.validate(Kind::DataSource.named(&request.type_name), request.config, None);
        validate_list_resource_config =
            |it, request| it.validate(Kind::ListResource.named(&request.type_name), request.config, None);
        validate_ephemeral_resource_config =
            |it, request| it.validate(Kind::EphemeralResource.named(&request.type_name), request.config, None);
        validate_action_config =
            |it, request| it.validate(Kind::Action.named(&request.action_type), request.config, None);
        validate_state_store_config =
            |it, request| it.validate(Kind::StateStore.named(&request.type_name), request.config, None);
        configure_provider = |it, request| it.configure_inner(request);
        close_ephemeral_resource = |it, request| it.close_ephemeral_inner(request);
        unlock_state = |it, request| it.unlock_state_inner(request);
        delete_state = |it, request| it.delete_state_inner(request);
    }
}
