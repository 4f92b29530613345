//! The RPCs of the provider's configuration, of managed resources and of data sources, for both protocols: each decodes its
//! request, calls the engine, and encodes the response.
//!
//! Example: PlanResourceChange.
//!
//! 1. `plan_inner` looks up the schema of the resource type and decodes the MessagePack values `config` and
//!    `prior_state` of the request with its type. `proposed_new_state` is not decoded, because the engine only needs to
//!    know whether it is null.
//! 2. The engine plans.
//! 3. The planned state is encoded with the same type, and the paths of `requires_replace` become `AttributePath`
//!    messages.

use ferroform_engine::diagnostic_path::{for_configuration, without_configuration};
use ferroform_engine::{ApplyRequest, ImportRequest, MoveRequest, PlanRequest, ReadRequest, RpcMetadata};
use ferroform_engine::{Diagnostics, Kind, Owner, Result};
use ferroform_proto::tfplugin6 as wire;
use ferroform_value::Value;

use super::Service;
use super::convert::{diagnostics, is_set, path, read_or_null, write, write_some};
use super::rpc_metadata::deferral;

impl Service {
    pub(super) async fn upgrade_inner(
        &self,
        request: wire::upgrade_resource_state::Request,
    ) -> Result<wire::upgrade_resource_state::Response> {
        let resource = self.resource(&request.type_name)?;
        let Some(stored) = request.raw_state else { return Ok(Default::default()) };
        let (state, mut reported) =
            self.server.upgrade_resource_state(&request.type_name, request.version, &stored.json).await;
        Ok(wire::upgrade_resource_state::Response {
            upgraded_state: resource.write(state.as_ref(), &mut reported),
            diagnostics: diagnostics(without_configuration(resource.block(), reported)),
        })
    }

    pub(super) async fn move_inner(
        &self,
        request: wire::move_resource_state::Request,
    ) -> Result<wire::move_resource_state::Response> {
        let resource = self.resource(&request.target_type_name)?;
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
            target_state: resource.write(response.state.as_ref(), &mut response.diagnostics),
            target_private: response.private.into(),
            target_identity: resource.write_identity(response.identity.as_ref(), &mut response.diagnostics),
            diagnostics: diagnostics(without_configuration(resource.block(), response.diagnostics)),
        })
    }

    pub(super) async fn configure_inner(
        &self,
        request: wire::configure_provider::Request,
    ) -> Result<Diagnostics> {
        let block = self.block(Owner::PROVIDER)?;
        let config = read_or_null(request.config.as_ref(), block)?;
        let version = Some(request.terraform_version).filter(|it| !it.is_empty()).map(Into::into);
        let metadata = RpcMetadata {
            terraform_version: version,
            ..self.rpc_metadata(request.client_capabilities, None)?
        };
        Ok(for_configuration(block, self.server.configure_provider(config, &metadata).await))
    }

    pub(super) async fn read_inner(
        &self,
        request: wire::read_resource::Request,
    ) -> Result<wire::read_resource::Response> {
        let resource = self.resource(&request.type_name)?;
        let engine_request = ReadRequest {
            state: resource.read(request.current_state.as_ref())?,
            private: request.private.to_vec(),
            identity: resource.read_identity(request.current_identity.as_ref())?,
            metadata: self.rpc_metadata(request.client_capabilities, request.provider_meta.as_ref())?,
            type_name: request.type_name,
        };
        let mut response = self.server.read_resource(engine_request).await;
        Ok(wire::read_resource::Response {
            new_state: resource.write(response.state.as_ref(), &mut response.diagnostics),
            new_identity: resource.write_identity(response.identity.as_ref(), &mut response.diagnostics),
            private: response.private.into(),
            deferred: deferral(response.deferred),
            diagnostics: diagnostics(without_configuration(resource.block(), response.diagnostics)),
        })
    }

    pub(super) async fn plan_inner(
        &self,
        request: wire::plan_resource_change::Request,
    ) -> Result<wire::plan_resource_change::Response> {
        let resource = self.resource(&request.type_name)?;
        let engine_request = PlanRequest {
            prior: resource.read(request.prior_state.as_ref())?,
            is_destroy: !is_set(request.proposed_new_state.as_ref()),
            config: resource.read(request.config.as_ref())?,
            prior_private: request.prior_private.to_vec(),
            prior_identity: resource.read_identity(request.prior_identity.as_ref())?,
            metadata: self.rpc_metadata(request.client_capabilities, request.provider_meta.as_ref())?,
            type_name: request.type_name,
        };
        let mut response = self.server.plan_resource_change(engine_request).await;
        Ok(wire::plan_resource_change::Response {
            planned_state: resource.write(response.planned.as_ref(), &mut response.diagnostics),
            requires_replace: response.requires_replace.iter().map(path).collect(),
            planned_private: response.private.into(),
            planned_identity: resource.write_identity(response.identity.as_ref(), &mut response.diagnostics),
            deferred: deferral(response.deferred),
            diagnostics: diagnostics(for_configuration(resource.block(), response.diagnostics)),
            ..Default::default()
        })
    }

    pub(super) async fn apply_inner(
        &self,
        request: wire::apply_resource_change::Request,
    ) -> Result<wire::apply_resource_change::Response> {
        let resource = self.resource(&request.type_name)?;
        let engine_request = ApplyRequest {
            prior: resource.read(request.prior_state.as_ref())?,
            planned: resource.read(request.planned_state.as_ref())?,
            config: resource.read(request.config.as_ref())?,
            planned_private: request.planned_private.to_vec(),
            planned_identity: resource.read_identity(request.planned_identity.as_ref())?,
            metadata: self.rpc_metadata(None, request.provider_meta.as_ref())?,
            type_name: request.type_name,
        };
        let mut response = self.server.apply_resource_change(engine_request).await;
        Ok(wire::apply_resource_change::Response {
            new_state: resource.write(response.state.as_ref(), &mut response.diagnostics),
            new_identity: resource.write_identity(response.identity.as_ref(), &mut response.diagnostics),
            private: response.private.into(),
            diagnostics: diagnostics(for_configuration(resource.block(), response.diagnostics)),
            ..Default::default()
        })
    }

    pub(super) async fn import_inner(
        &self,
        request: wire::import_resource_state::Request,
    ) -> Result<wire::import_resource_state::Response> {
        let resource = self.resource(&request.type_name)?;
        let engine_request = ImportRequest {
            type_name: request.type_name.clone(),
            id: request.id,
            identity: resource.read_identity(request.identity.as_ref())?,
            metadata: self.rpc_metadata(request.client_capabilities, None)?,
        };
        let mut response = self.server.import_resource_state(engine_request).await;
        let imported = resource.write(response.state.as_ref(), &mut response.diagnostics).map(|state| {
            wire::import_resource_state::ImportedResource {
                type_name: request.type_name,
                state: Some(state),
                private: response.private.into(),
                identity: resource.write_identity(response.identity.as_ref(), &mut response.diagnostics),
            }
        });
        Ok(wire::import_resource_state::Response {
            imported_resources: imported.into_iter().collect(),
            deferred: deferral(response.deferred),
            diagnostics: diagnostics(without_configuration(resource.block(), response.diagnostics)),
        })
    }

    pub(super) async fn generate_inner(
        &self,
        request: wire::generate_resource_config::Request,
    ) -> Result<wire::generate_resource_config::Response> {
        let resource = self.resource(&request.type_name)?;
        let state = resource.read(request.state.as_ref())?.unwrap_or(Value::Null);
        let config = self.server.generate_resource_config(&request.type_name, &state)?;
        let config = Some(write(&config, resource.block().ty())?);
        Ok(wire::generate_resource_config::Response { config, ..Default::default() })
    }

    pub(super) async fn read_data_inner(
        &self,
        request: wire::read_data_source::Request,
    ) -> Result<wire::read_data_source::Response> {
        let block = self.block(Kind::DataSource.named(&request.type_name))?;
        let ty = block.ty();
        let config = read_or_null(request.config.as_ref(), block)?;
        let metadata = self.rpc_metadata(request.client_capabilities, request.provider_meta.as_ref())?;
        let mut response = self.server.read_data_source(&request.type_name, config, &metadata).await;
        Ok(wire::read_data_source::Response {
            state: write_some(response.state.as_ref(), ty, &mut response.diagnostics),
            deferred: deferral(response.deferred),
            diagnostics: diagnostics(for_configuration(block, response.diagnostics)),
        })
    }
}
