//! The RPCs of ephemeral resources, for both protocols.
//!
//! | engine | message |
//! |---|---|
//! | the values of `OpenResponse` | `result`: a `DynamicValue` of the schema's type |
//! | private data | `private`: bytes; absent if there are none |
//! | the time of the renewal | `renew_at`: a `Timestamp` |

use std::time::{SystemTime, UNIX_EPOCH};

use ferroform_engine::diagnostic_path::{for_configuration, without_configuration};
use ferroform_engine::{Kind, Result};
use ferroform_proto::Timestamp;
use ferroform_proto::tfplugin6 as wire;
use tonic::codegen::Bytes;

use super::Service;
use super::convert::{diagnostics, read_or_null, write_some};
use super::rpc_metadata::deferral;

impl Service {
    pub(super) async fn open_ephemeral_inner(
        &self,
        request: wire::open_ephemeral_resource::Request,
    ) -> Result<wire::open_ephemeral_resource::Response> {
        let block = self.block(Kind::EphemeralResource.named(&request.type_name))?;
        let config = read_or_null(request.config.as_ref(), block)?;
        let metadata = self.rpc_metadata(request.client_capabilities, None)?;
        let mut response = self.server.open_ephemeral_resource(&request.type_name, config, &metadata).await;
        Ok(wire::open_ephemeral_resource::Response {
            result: write_some(response.result.as_ref(), block.ty(), &mut response.diagnostics),
            private: private(response.private),
            renew_at: response.renew_at.map(timestamp),
            deferred: deferral(response.deferred),
            diagnostics: diagnostics(for_configuration(block, response.diagnostics)),
        })
    }

    pub(super) async fn renew_ephemeral_inner(
        &self,
        request: wire::renew_ephemeral_resource::Request,
    ) -> Result<wire::renew_ephemeral_resource::Response> {
        let block = self.block(Kind::EphemeralResource.named(&request.type_name))?;
        let sent = request.private.unwrap_or_default().to_vec();
        let response = self.server.renew_ephemeral_resource(&request.type_name, sent).await;
        Ok(wire::renew_ephemeral_resource::Response {
            private: private(response.private),
            renew_at: response.renew_at.map(timestamp),
            diagnostics: diagnostics(without_configuration(block, response.diagnostics)),
        })
    }

    pub(super) async fn close_ephemeral_inner(
        &self,
        request: wire::close_ephemeral_resource::Request,
    ) -> Result<ferroform_engine::Diagnostics> {
        let block = self.block(Kind::EphemeralResource.named(&request.type_name))?;
        let sent = request.private.unwrap_or_default().to_vec();
        let reported = self.server.close_ephemeral_resource(&request.type_name, sent).await;
        Ok(without_configuration(block, reported))
    }
}

fn private(bytes: Vec<u8>) -> Option<Bytes> {
    if bytes.is_empty() { None } else { Some(bytes.into()) }
}

/// Encodes a time. A time before the Unix epoch is clamped to the epoch.
fn timestamp(time: SystemTime) -> Timestamp {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp {
        seconds: i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        nanos: i32::try_from(since.subsec_nanos()).unwrap_or(0),
    }
}
