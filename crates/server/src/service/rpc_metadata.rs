//! Conversion of RPC metadata and deferrals.

use ferroform_proto::tfplugin6::{ClientCapabilities, Deferred, DynamicValue, deferred};

use super::Service;
use super::convert::read;
use crate::log::annotate;
use ferroform_engine::RpcMetadata;
use ferroform_engine::{Deferral, Result};

impl Service {
    /// The metadata of an RPC. If the provider has no schema of `provider_meta`, Terraform sends none.
    pub(super) fn rpc_metadata(
        &self,
        client: Option<ClientCapabilities>,
        meta: Option<&DynamicValue>,
    ) -> Result<RpcMetadata> {
        let meta = match self.server.provider().provider_meta() {
            Some(schema) => read(meta, schema.block.ty())?,
            None => None,
        };
        let deferral_allowed = client.is_some_and(|it| it.deferral_allowed);
        Ok(RpcMetadata { deferral_allowed, provider_meta: meta, ..RpcMetadata::default() })
    }
}

/// Encodes the reason for a deferral.
pub(super) fn deferral(reason: Option<Deferral>) -> Option<Deferred> {
    use deferred::Reason;
    let reason = match reason? {
        Deferral::ConfigUnknown => Reason::ResourceConfigUnknown,
        Deferral::ProviderConfigUnknown => Reason::ProviderConfigUnknown,
        Deferral::AbsentPrerequisite => Reason::AbsentPrereq,
        // `Other`, and a reason that a later protocol version may add.
        _ => Reason::Unknown,
    };
    annotate("tf_deferred_reason", reason.as_str_name());
    Some(Deferred { reason: reason.into() })
}
