//! Protocol 6: the gRPC service. Each RPC decodes its request, calls the engine, and encodes the response.
//!
//! Example: PlanResourceChange.
//!
//! 1. `plan_inner` looks up the schema of the resource type and decodes the MessagePack values `config` and
//!    `prior_state` of the request with its type. `proposed_new_state` is not decoded, because the engine only needs to
//!    know whether it is null.
//! 2. The engine plans.
//! 3. The planned state is encoded with the same type, and the paths of `requires_replace` become `AttributePath`
//!    messages.
//! 4. `respond` encodes errors and warnings as `Diagnostic` messages, so that Terraform shows them with their attribute
//!    paths instead of a gRPC status.

use ferroform_proto::tfplugin6::provider_server::Provider;
use ferroform_proto::tfplugin6::{self as wire, DynamicValue, ServerCapabilities};
use ferroform_value::Value;
use tonic::{Request, Response, Status};

use super::Service;
use super::convert::{diagnostics, is_set, path, read, read_or_null, write, write_some};
use super::function_message::function_error;
use super::identity_message::{read_identity, write_identity};
use super::rpc_metadata::deferral;
use crate::log::annotate;
use crate::protocol::Protocol;
use ferroform_engine::diagnostic_path::{for_configuration, without_configuration};
use ferroform_engine::schema::Block;
use ferroform_engine::{ApplyRequest, ImportRequest, MoveRequest, PlanRequest, ReadRequest, RpcMetadata};
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

impl Service {
    /// The block of a resource. Adds its name to the log.
    fn resource_block(&self, name: &str) -> Result<&Block> {
        annotate("tf_resource_type", name);
        Ok(&self.server.resource(name)?.schema().block)
    }

    fn data_source_block(&self, name: &str) -> Result<&Block> {
        annotate("tf_data_source_type", name);
        Ok(&self.server.data_source(name)?.schema().block)
    }

    async fn validate_provider_inner(&self, config: Option<DynamicValue>) -> Result<Diagnostics> {
        let block = &self.server.provider().schema().block;
        let config = read_or_null(config.as_ref(), block)?;
        Ok(for_configuration(block, self.server.validate_provider_config(config).await))
    }

    async fn validate_resource_inner(
        &self,
        request: wire::validate_resource_config::Request,
    ) -> Result<Diagnostics> {
        let block = self.resource_block(&request.type_name)?;
        let config = read_or_null(request.config.as_ref(), block)?;
        let client = request.client_capabilities.unwrap_or_default();
        let omitted_blocks = match client.computed_blocks_allowed {
            true => Diagnostics::new(),
            false => self.server.validate_computed_blocks(&request.type_name, &config),
        };
        let write_only_allowed = client.write_only_attributes_allowed;
        let mut reported =
            self.server.validate_resource_config(&request.type_name, config, write_only_allowed).await;
        reported.extend(omitted_blocks);
        Ok(for_configuration(block, reported))
    }

    async fn validate_data_inner(
        &self,
        request: wire::validate_data_resource_config::Request,
    ) -> Result<Diagnostics> {
        let block = self.data_source_block(&request.type_name)?;
        let config = read_or_null(request.config.as_ref(), block)?;
        Ok(for_configuration(
            block,
            self.server.validate_data_source_config(&request.type_name, config).await,
        ))
    }

    async fn upgrade_inner(
        &self,
        request: wire::upgrade_resource_state::Request,
    ) -> Result<wire::upgrade_resource_state::Response> {
        let block = self.resource_block(&request.type_name)?;
        let ty = block.ty();
        let Some(stored) = request.raw_state else { return Ok(Default::default()) };
        let (state, mut reported) =
            self.server.upgrade_resource_state(&request.type_name, request.version, &stored.json).await;
        Ok(wire::upgrade_resource_state::Response {
            upgraded_state: write_some(state.as_ref(), &ty, &mut reported),
            diagnostics: diagnostics(without_configuration(block, reported)),
        })
    }

    async fn move_inner(
        &self,
        request: wire::move_resource_state::Request,
    ) -> Result<wire::move_resource_state::Response> {
        let block = self.resource_block(&request.target_type_name)?;
        let ty = block.ty();
        let identity_type = self.identity_type(&request.target_type_name)?;
        let identity = request.source_identity.filter(|it| !it.json.is_empty());
        let engine_request = MoveRequest {
            type_name: request.target_type_name,
            source_provider: request.source_provider_address,
            source_type: request.source_type_name,
            source_version: request.source_schema_version,
            source_state: request.source_state.map(|it| it.json.to_vec()),
            source_private: request.source_private.to_vec(),
            source_identity: identity.map(|it| (request.source_identity_schema_version, it.json.to_vec())),
        };
        let mut response = self.server.move_resource_state(engine_request).await;
        Ok(wire::move_resource_state::Response {
            target_state: write_some(response.state.as_ref(), &ty, &mut response.diagnostics),
            target_private: response.private.into(),
            target_identity: write_identity(
                response.identity.as_ref(),
                &identity_type,
                &mut response.diagnostics,
            ),
            diagnostics: diagnostics(without_configuration(block, response.diagnostics)),
        })
    }

    async fn configure_inner(&self, request: wire::configure_provider::Request) -> Result<Diagnostics> {
        let block = &self.server.provider().schema().block;
        let config = read_or_null(request.config.as_ref(), block)?;
        let version = Some(request.terraform_version).filter(|it| !it.is_empty()).map(Into::into);
        let metadata = RpcMetadata {
            terraform_version: version,
            ..self.rpc_metadata(request.client_capabilities, None)?
        };
        Ok(for_configuration(block, self.server.configure_provider(config, &metadata).await))
    }

    async fn read_inner(
        &self,
        request: wire::read_resource::Request,
    ) -> Result<wire::read_resource::Response> {
        let block = self.resource_block(&request.type_name)?;
        let ty = block.ty();
        let identity = self.identity_type(&request.type_name)?;
        let engine_request = ReadRequest {
            state: read(request.current_state.as_ref(), &ty)?,
            private: request.private.to_vec(),
            identity: read_identity(request.current_identity.as_ref(), &identity, &request.type_name)?,
            metadata: self.rpc_metadata(request.client_capabilities, request.provider_meta.as_ref())?,
            type_name: request.type_name,
        };
        let mut response = self.server.read_resource(engine_request).await;
        Ok(wire::read_resource::Response {
            new_state: write_some(response.state.as_ref(), &ty, &mut response.diagnostics),
            new_identity: write_identity(response.identity.as_ref(), &identity, &mut response.diagnostics),
            private: response.private.into(),
            deferred: deferral(response.deferred),
            diagnostics: diagnostics(without_configuration(block, response.diagnostics)),
        })
    }

    async fn plan_inner(
        &self,
        request: wire::plan_resource_change::Request,
    ) -> Result<wire::plan_resource_change::Response> {
        let block = self.resource_block(&request.type_name)?;
        let ty = block.ty();
        let identity = self.identity_type(&request.type_name)?;
        let engine_request = PlanRequest {
            prior: read(request.prior_state.as_ref(), &ty)?,
            // The engine only needs to know whether it is null, so it is not decoded.
            proposed: is_set(request.proposed_new_state.as_ref()).then_some(Value::UNKNOWN),
            config: read(request.config.as_ref(), &ty)?,
            prior_private: request.prior_private.to_vec(),
            prior_identity: read_identity(request.prior_identity.as_ref(), &identity, &request.type_name)?,
            metadata: self.rpc_metadata(request.client_capabilities, request.provider_meta.as_ref())?,
            type_name: request.type_name,
        };
        let mut response = self.server.plan_resource_change(engine_request).await;
        Ok(wire::plan_resource_change::Response {
            planned_state: write_some(response.planned.as_ref(), &ty, &mut response.diagnostics),
            requires_replace: response.requires_replace.iter().map(path).collect(),
            planned_private: response.private.into(),
            planned_identity: write_identity(
                response.identity.as_ref(),
                &identity,
                &mut response.diagnostics,
            ),
            deferred: deferral(response.deferred),
            diagnostics: diagnostics(for_configuration(block, response.diagnostics)),
            ..Default::default()
        })
    }

    async fn apply_inner(
        &self,
        request: wire::apply_resource_change::Request,
    ) -> Result<wire::apply_resource_change::Response> {
        let block = self.resource_block(&request.type_name)?;
        let ty = block.ty();
        let identity = self.identity_type(&request.type_name)?;
        let engine_request = ApplyRequest {
            prior: read(request.prior_state.as_ref(), &ty)?,
            planned: read(request.planned_state.as_ref(), &ty)?,
            config: read(request.config.as_ref(), &ty)?,
            planned_private: request.planned_private.to_vec(),
            planned_identity: read_identity(
                request.planned_identity.as_ref(),
                &identity,
                &request.type_name,
            )?,
            metadata: self.rpc_metadata(None, request.provider_meta.as_ref())?,
            type_name: request.type_name,
        };
        let mut response = self.server.apply_resource_change(engine_request).await;
        Ok(wire::apply_resource_change::Response {
            new_state: write_some(response.state.as_ref(), &ty, &mut response.diagnostics),
            new_identity: write_identity(response.identity.as_ref(), &identity, &mut response.diagnostics),
            private: response.private.into(),
            diagnostics: diagnostics(for_configuration(block, response.diagnostics)),
            ..Default::default()
        })
    }

    async fn import_inner(
        &self,
        request: wire::import_resource_state::Request,
    ) -> Result<wire::import_resource_state::Response> {
        let block = self.resource_block(&request.type_name)?;
        let ty = block.ty();
        let identity = self.identity_type(&request.type_name)?;
        let engine_request = ImportRequest {
            type_name: request.type_name.clone(),
            id: request.id,
            identity: read_identity(request.identity.as_ref(), &identity, &request.type_name)?,
            metadata: self.rpc_metadata(request.client_capabilities, None)?,
        };
        let mut response = self.server.import_resource_state(engine_request).await;
        let imported = write_some(response.state.as_ref(), &ty, &mut response.diagnostics).map(|state| {
            wire::import_resource_state::ImportedResource {
                type_name: request.type_name,
                state: Some(state),
                private: response.private.into(),
                identity: write_identity(response.identity.as_ref(), &identity, &mut response.diagnostics),
            }
        });
        Ok(wire::import_resource_state::Response {
            imported_resources: imported.into_iter().collect(),
            deferred: deferral(response.deferred),
            diagnostics: diagnostics(without_configuration(block, response.diagnostics)),
        })
    }

    fn generate_inner(
        &self,
        request: &wire::generate_resource_config::Request,
    ) -> Result<wire::generate_resource_config::Response> {
        let ty = self.resource_block(&request.type_name)?.ty();
        let state = read(request.state.as_ref(), &ty)?.unwrap_or(Value::Null);
        let config = self.server.generate_resource_config(&request.type_name, &state)?;
        let config = Some(write(&config, &ty)?);
        Ok(wire::generate_resource_config::Response { config, ..Default::default() })
    }

    async fn read_data_inner(
        &self,
        request: wire::read_data_source::Request,
    ) -> Result<wire::read_data_source::Response> {
        let block = self.data_source_block(&request.type_name)?;
        let ty = block.ty();
        let config = read_or_null(request.config.as_ref(), block)?;
        let metadata = self.rpc_metadata(request.client_capabilities, request.provider_meta.as_ref())?;
        let mut response = self.server.read_data_source(&request.type_name, config, &metadata).await;
        Ok(wire::read_data_source::Response {
            state: write_some(response.state.as_ref(), &ty, &mut response.diagnostics),
            deferred: deferral(response.deferred),
            diagnostics: diagnostics(for_configuration(block, response.diagnostics)),
        })
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
from_diagnostics!(get_functions, upgrade_resource_identity, generate_resource_config, move_resource_state);
from_diagnostics!(
    upgrade_resource_state,
    read_resource,
    plan_resource_change,
    import_resource_state,
    read_data_source
);

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
        use wire::get_metadata::{DataSourceMetadata, FunctionMetadata, ResourceMetadata};
        let provider = self.server.provider();
        let resources = provider.resources().iter().map(|(name, _)| name.clone());
        let data_sources = provider.data_sources().iter().map(|(name, _)| name.clone());
        let functions = provider.functions().iter().map(|(name, _)| name.clone());
        Ok(Response::new(wire::get_metadata::Response {
            server_capabilities: Some(capabilities()),
            resources: resources.map(|type_name| ResourceMetadata { type_name }).collect(),
            data_sources: data_sources.map(|type_name| DataSourceMetadata { type_name }).collect(),
            functions: functions.map(|name| FunctionMetadata { name }).collect(),
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
