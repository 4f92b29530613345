//! The RPCs of list resources, for both protocols.
//!
//! | engine | message |
//! |---|---|
//! | `ListEvent` | an `Event` of the stream, sent while the method runs |
//! | the limit | `limit`; zero and negative numbers mean that there is none |
//! | the object of a result | `resource_object`, only if Terraform requests it |

use ferroform_engine::diagnostic_path::for_configuration;
use ferroform_engine::provider::AnyListResource;
use ferroform_engine::{Diagnostics, Kind, ListEvent, ListRequest, Result};
use ferroform_proto::tfplugin6 as wire;
use tonic::codegen::BoxStream;

use super::Service;
use super::convert::{diagnostics, read_or_null};
use super::resource_codec::ResourceCodec;

impl Service {
    /// The results of a list, which are sent while the provider's method runs.
    pub(super) async fn list_inner(
        &self,
        request: wire::list_resource::Request,
    ) -> Result<BoxStream<wire::list_resource::Event>> {
        let block = self.block(Kind::ListResource.named(&request.type_name))?;
        let resource = ResourceCodec::new(&self.server, &request.type_name)?;
        let list = self.server.find::<dyn AnyListResource>(&request.type_name)?.clone();
        let engine_request = ListRequest {
            config: read_or_null(request.config.as_ref(), block)?,
            limit: u64::try_from(request.limit).ok().filter(|it| *it > 0),
            include_resource: request.include_resource_object,
            metadata: self.rpc_metadata(None, None)?,
            type_name: request.type_name,
        };
        let encode = move |ListEvent { identity, display_name, object, diagnostics: mut reported }| {
            wire::list_resource::Event {
                resource_object: resource.write(object.as_ref(), &mut reported),
                identity: resource.write_identity(identity.as_ref(), &mut reported),
                display_name,
                diagnostic: diagnostics(for_configuration(&list.schema().block, reported)),
            }
        };
        let list = |service: Service, events| async move {
            service.server.list_resource(engine_request, events).await;
        };
        Ok(self.respond_with_stream(list, encode))
    }
}

/// An event with only diagnostics.
pub(super) fn diagnostics_event(all: Diagnostics) -> wire::list_resource::Event {
    wire::list_resource::Event { diagnostic: diagnostics(all), ..Default::default() }
}
