//! Protocol 5. Its RPCs are those of protocol 6 with other names, except for the schema, state stores and one response.
//!
//! | protocol 6 | protocol 5 |
//! |---|---|
//! | GetProviderSchema | GetSchema |
//! | ValidateProviderConfig | PrepareProviderConfig, whose response has the configuration too |
//! | ValidateResourceConfig | ValidateResourceTypeConfig |
//! | ValidateDataResourceConfig | ValidateDataSourceConfig |
//! | ConfigureProvider | Configure |
//! | StopProvider | Stop |
//!
//! The other RPCs have the same names. Messages of both protocols that have the same fields are encoded in the same
//! way, so a request is decoded as a message of protocol 6.

use ferroform_proto::tfplugin5 as wire;
use ferroform_proto::tfplugin5::provider_server::Provider;
use ferroform_proto::tfplugin6 as shared;
use ferroform_proto::tfplugin6::provider_server::Provider as Provider6;
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status};

use super::Service;
use crate::protocol::Protocol;

type RpcResult<T> = Result<Response<T>, Status>;

/// The RPCs that are implemented by protocol 6, with their names in both protocols.
macro_rules! shared_calls {
    ($($here:ident = $there:ident($message:ident);)+) => {
        #[tonic::async_trait]
        impl Provider for Service {
            async fn get_schema(
                &self,
                _: Request<shared::get_provider_schema::Request>,
            ) -> RpcResult<shared::get_provider_schema::Response> {
                Ok(Response::new(self.schemas(Protocol::V5)))
            }

            async fn prepare_provider_config(
                &self,
                request: Request<shared::validate_provider_config::Request>,
            ) -> RpcResult<wire::prepare_provider_config::Response> {
                let prepared_config = request.get_ref().config.clone();
                let response = Provider6::validate_provider_config(self, request).await?.into_inner();
                let diagnostics = response.diagnostics;
                Ok(Response::new(wire::prepare_provider_config::Response { prepared_config, diagnostics }))
            }

            async fn invoke_action(
                &self,
                request: Request<shared::invoke_action::Request>,
            ) -> RpcResult<BoxStream<shared::invoke_action::Event>> {
                Provider6::invoke_action(self, request).await
            }

            /// Protocol 5 has no state stores.
            async fn get_metadata(
                &self,
                request: Request<shared::get_metadata::Request>,
            ) -> RpcResult<shared::get_metadata::Response> {
                let response = Provider6::get_metadata(self, request).await?.into_inner();
                Ok(Response::new(shared::get_metadata::Response { state_stores: Vec::new(), ..response }))
            }

            async fn list_resource(
                &self,
                request: Request<shared::list_resource::Request>,
            ) -> RpcResult<BoxStream<shared::list_resource::Event>> {
                Provider6::list_resource(self, request).await
            }

            $(async fn $here(
                &self,
                request: Request<shared::$message::Request>,
            ) -> RpcResult<shared::$message::Response> {
                Provider6::$there(self, request).await
            })+
        }
    };
}

shared_calls! {
    get_resource_identity_schemas = get_resource_identity_schemas(get_resource_identity_schemas);
    get_functions = get_functions(get_functions);
    call_function = call_function(call_function);
    validate_ephemeral_resource_config = validate_ephemeral_resource_config(validate_ephemeral_resource_config);
    open_ephemeral_resource = open_ephemeral_resource(open_ephemeral_resource);
    renew_ephemeral_resource = renew_ephemeral_resource(renew_ephemeral_resource);
    close_ephemeral_resource = close_ephemeral_resource(close_ephemeral_resource);
    validate_list_resource_config = validate_list_resource_config(validate_list_resource_config);
    validate_action_config = validate_action_config(validate_action_config);
    plan_action = plan_action(plan_action);
    validate_resource_type_config = validate_resource_config(validate_resource_config);
    validate_data_source_config = validate_data_resource_config(validate_data_resource_config);
    upgrade_resource_state = upgrade_resource_state(upgrade_resource_state);
    move_resource_state = move_resource_state(move_resource_state);
    upgrade_resource_identity = upgrade_resource_identity(upgrade_resource_identity);
    generate_resource_config = generate_resource_config(generate_resource_config);
    configure = configure_provider(configure_provider);
    read_resource = read_resource(read_resource);
    plan_resource_change = plan_resource_change(plan_resource_change);
    apply_resource_change = apply_resource_change(apply_resource_change);
    import_resource_state = import_resource_state(import_resource_state);
    read_data_source = read_data_source(read_data_source);
    stop = stop_provider(stop_provider);
}
