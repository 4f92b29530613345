//! The RPCs of list resources, for both protocols.
//!
//! | engine | message |
//! |---|---|
//! | `ListEvent` | an `Event` of the stream, sent while the method runs |
//! | the limit | `limit`; zero and negative numbers mean that there is none |
//! | the object of a result | `resource_object`, only if Terraform requests it |

use std::future::pending;

use ferroform_engine::concurrency::run_until::run_until;
use ferroform_engine::diagnostic_path::for_configuration;
use ferroform_engine::{Diagnostics, Kind, ListEvent, ListRequest, Result};
use ferroform_proto::tfplugin6 as wire;
use tokio::sync::mpsc;

use super::Service;
use super::convert::{diagnostics, read_or_null, write_some};
use super::identity_message::write_identity;

impl Service {
    /// Sends the results of a list while the provider's method runs.
    pub(super) async fn list_inner(
        &self,
        request: wire::list_resource::Request,
        events: &mpsc::Sender<wire::list_resource::Event>,
    ) -> Result<()> {
        let block = self.block(Kind::ListResource.named(&request.type_name))?;
        let ty = self.server.block(Kind::Resource.named(&request.type_name))?.ty();
        let identity = self.identity_type(&request.type_name)?;
        let engine_request = ListRequest {
            config: read_or_null(request.config.as_ref(), block)?,
            limit: u64::try_from(request.limit).ok().filter(|it| *it > 0),
            include_resource: request.include_resource_object,
            metadata: self.rpc_metadata(None, None)?,
            type_name: request.type_name,
        };
        let (sender, mut results) = mpsc::channel(1);
        let forwarding = async move {
            while let Some(ListEvent { identity: id, display_name, object, diagnostics: mut reported }) =
                results.recv().await
            {
                let event = wire::list_resource::Event {
                    resource_object: write_some(object.as_ref(), &ty, &mut reported),
                    identity: write_identity(id.as_ref(), &identity, &mut reported),
                    display_name,
                    diagnostic: diagnostics(for_configuration(block, reported)),
                };
                if events.send(event).await.is_err() {
                    return;
                }
            }
        };
        // The list ends the forwarding, because it drops the sender. The end of the forwarding cancels the list.
        let listing = async {
            self.server.list_resource(engine_request, sender).await;
            pending().await
        };
        run_until(forwarding, listing).await;
        Ok(())
    }
}

/// An event with only diagnostics.
pub(super) fn diagnostics_event(all: Diagnostics) -> wire::list_resource::Event {
    wire::list_resource::Event { diagnostic: diagnostics(all), ..Default::default() }
}
