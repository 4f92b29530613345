//! The RPCs of resource identities, for both protocols.

use ferroform_proto::tfplugin6::resource_identity_schema::IdentityAttribute;
use ferroform_proto::tfplugin6::{self as wire, ResourceIdentityData, ResourceIdentitySchema};
use ferroform_value::json;

use super::Service;
use super::convert::write;
use ferroform_engine::Result;
use ferroform_engine::provider::AnyResource;
use ferroform_engine::schema::{IdentitySchema, Mode};

impl Service {
    pub(super) fn identity_schemas(&self) -> wire::get_resource_identity_schemas::Response {
        // Errors in identity schemas are reported by GetProviderSchema, which Terraform always calls.
        let all = self.server.provider().definitions().of_kind::<dyn AnyResource>();
        let identity_schemas = all.filter_map(|(name, it)| Some((name.to_owned(), schema(it.identity()?))));
        wire::get_resource_identity_schemas::Response {
            identity_schemas: identity_schemas.collect(),
            ..Default::default()
        }
    }

    pub(super) async fn upgrade_identity_inner(
        &self,
        request: wire::upgrade_resource_identity::Request,
    ) -> Result<wire::upgrade_resource_identity::Response> {
        let resource = self.resource(&request.type_name)?;
        let ty = resource.identity()?.block.ty();
        let stored = request.raw_identity.as_ref().map_or(&[][..], |it| &it.json);
        let upgraded = self.server.upgrade_resource_identity(&request.type_name, request.version, stored)?;
        // Null is encoded as well, because Terraform rejects a response without an identity.
        let upgraded_identity = Some(ResourceIdentityData { identity_data: Some(write(&upgraded, ty)?) });
        Ok(wire::upgrade_resource_identity::Response { upgraded_identity, ..Default::default() })
    }
}

fn schema(it: &IdentitySchema) -> ResourceIdentitySchema {
    let mut identity_attributes: Vec<_> = it
        .block
        .attributes()
        .iter()
        .map(|it| IdentityAttribute {
            name: it.name().to_string(),
            r#type: json::type_to_string(it.ty()).into_bytes().into(),
            required_for_import: it.mode() == Mode::Required,
            optional_for_import: it.mode() != Mode::Required,
            description: it.full_description(),
        })
        .collect();
    identity_attributes.sort_by(|a, b| a.name.cmp(&b.name));
    ResourceIdentitySchema { version: it.version, identity_attributes }
}
