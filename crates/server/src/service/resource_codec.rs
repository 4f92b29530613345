//! Decodes and encodes the states and identities in the messages about a resource type.
//!
//! Terraform stores an identity as JSON, which only UpgradeResourceIdentity receives, and sends it as MessagePack in
//! all other RPCs. A resource without an identity schema rejects an identity.

use std::sync::Arc;

use ferroform_engine::panics::catch_schema_panics;
use ferroform_engine::provider::AnyResource;
use ferroform_engine::resource_identity::missing_identity_error;
use ferroform_engine::schema::{Block, IdentitySchema};
use ferroform_engine::type_mismatch::message_with_path;
use ferroform_engine::{Diagnostic, Diagnostics, ProviderServer, Result};
use ferroform_proto::tfplugin6::{DynamicValue, ResourceIdentityData};
use ferroform_value::Value;

use super::convert::{decode, read, write, write_some};

/// A resource type, whose schemas determine the types of the values in its messages.
pub(super) struct ResourceCodec {
    type_name: String,
    resource: Arc<dyn AnyResource>,
}

impl ResourceCodec {
    /// The codec of a resource type.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such resource type, or if the creation of its schema panics.
    pub(super) fn new(server: &ProviderServer, type_name: &str) -> Result<ResourceCodec> {
        let resource = server.find::<dyn AnyResource>(type_name)?.clone();
        catch_schema_panics(|| Ok(resource.schema()))?;
        Ok(ResourceCodec { type_name: type_name.to_owned(), resource })
    }

    /// The root block of the schema.
    pub(super) fn block(&self) -> &Block {
        &self.resource.schema().block
    }

    /// The identity schema.
    ///
    /// # Errors
    ///
    /// Returns an error if the resource has none.
    pub(super) fn identity(&self) -> Result<&IdentitySchema> {
        Ok(self.resource.identity().ok_or_else(|| missing_identity_error(&self.type_name))?)
    }

    /// Decodes an optional state.
    pub(super) fn read(&self, value: Option<&DynamicValue>) -> Result<Option<Value>> {
        read(value, self.block().ty())
    }

    /// Encodes an optional state. If it cannot be encoded, adds an error.
    pub(super) fn write(&self, value: Option<&Value>, all: &mut Diagnostics) -> Option<DynamicValue> {
        write_some(value, self.block().ty(), all)
    }

    /// Decodes an optional identity.
    ///
    /// # Errors
    ///
    /// Returns an error that names the resource, the version and the attribute, if the identity does not conform to its
    /// schema.
    pub(super) fn read_identity(&self, identity: Option<&ResourceIdentityData>) -> Result<Option<Value>> {
        let Some(identity) = identity.and_then(|it| it.identity_data.as_ref()) else { return Ok(None) };
        let IdentitySchema { version, block, .. } = self.identity()?;
        decode(identity, block.ty()).map(Some).map_err(|error| {
            let detail = format!(
                "The identity of {} does not conform to version {version}: {}.",
                self.type_name,
                message_with_path(&error)
            );
            Diagnostic::error("Unable to Convert Resource Identity").detail(detail).into()
        })
    }

    /// Encodes an optional identity. If it cannot be encoded, adds an error.
    pub(super) fn write_identity(
        &self,
        identity: Option<&Value>,
        all: &mut Diagnostics,
    ) -> Option<ResourceIdentityData> {
        let ty = self.resource.identity()?.block.ty();
        let identity_data = Some(all.ok_or_extend(write(identity?, ty))?);
        Some(ResourceIdentityData { identity_data })
    }
}
