//! Conversion of identities from and to the wire, for both protocols.
//!
//! Terraform stores an identity as JSON, which only UpgradeResourceIdentity receives, and sends it as MessagePack in
//! all other RPCs. A resource without an identity schema rejects an identity.

use ferroform_proto::tfplugin6::resource_identity_schema::IdentityAttribute;
use ferroform_proto::tfplugin6::{self as wire, ResourceIdentityData, ResourceIdentitySchema};
use ferroform_value::{Type, Value, json};

use super::Service;
use super::convert::{decode, write};
use ferroform_engine::provider::AnyResource;
use ferroform_engine::resource_identity::missing_identity_error;
use ferroform_engine::schema::{IdentitySchema, Mode};
use ferroform_engine::{Diagnostic, Diagnostics, Kind, Result};

impl Service {
    /// The type of the identity of a resource; `None` if it has none.
    pub(super) fn identity_type(&self, name: &str) -> Result<Option<IdentityType>> {
        let identity_type =
            |it: &IdentitySchema| IdentityType { version: it.version, ty: it.block.ty().clone() };
        Ok(self.server.find::<dyn AnyResource>(name)?.identity().map(identity_type))
    }

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
        self.block(Kind::Resource.named(&request.type_name))?;
        let ty = self
            .identity_type(&request.type_name)?
            .ok_or_else(|| missing_identity_error(&request.type_name))?;
        let stored = request.raw_identity.as_ref().map_or(&[][..], |it| &it.json);
        let upgraded = self.server.upgrade_resource_identity(&request.type_name, request.version, stored)?;
        // Null is encoded as well, because Terraform rejects a response without an identity.
        let upgraded_identity = Some(ResourceIdentityData { identity_data: Some(write(&upgraded, &ty.ty)?) });
        Ok(wire::upgrade_resource_identity::Response { upgraded_identity, ..Default::default() })
    }
}

/// The type of the identities of a resource.
pub(super) struct IdentityType {
    version: i64,
    ty: Type,
}

fn schema(it: &IdentitySchema) -> ResourceIdentitySchema {
    let mut identity_attributes: Vec<_> = it
        .block
        .attributes
        .iter()
        .map(|it| IdentityAttribute {
            name: it.name.to_string(),
            r#type: json::type_to_string(it.ty()).into_bytes().into(),
            required_for_import: it.mode == Mode::Required,
            optional_for_import: it.mode != Mode::Required,
            description: it.full_description(),
        })
        .collect();
    identity_attributes.sort_by(|a, b| a.name.cmp(&b.name));
    ResourceIdentitySchema { version: it.version, identity_attributes }
}

/// Decodes an optional identity.
///
/// # Errors
///
/// Returns an error that names the resource, the version and the attribute, if the identity is not of type `ty`.
pub(super) fn read_identity(
    identity: Option<&ResourceIdentityData>,
    ty: &Option<IdentityType>,
    type_name: &str,
) -> Result<Option<Value>> {
    match (identity.and_then(|it| it.identity_data.as_ref()), ty) {
        (None, _) => Ok(None),
        (Some(_), None) => Err(missing_identity_error(type_name).into()),
        (Some(identity), Some(IdentityType { version, ty })) => {
            decode(identity, ty).map(Some).map_err(|error| {
                let detail =
                    format!("The identity of {type_name} does not conform to version {version}: {error}.");
                Diagnostic::error("Unable to Convert Resource Identity").detail(detail).into()
            })
        }
    }
}

/// Encodes an optional identity.
pub(super) fn write_identity(
    identity: Option<&Value>,
    ty: &Option<IdentityType>,
    all: &mut Diagnostics,
) -> Option<ResourceIdentityData> {
    let identity_data = Some(all.ok_or_extend(write(identity?, &ty.as_ref()?.ty))?);
    Some(ResourceIdentityData { identity_data })
}
