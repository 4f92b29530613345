//! The RPCs of actions, for both protocols.
//!
//! | engine | message |
//! |---|---|
//! | a progress message | an `Event` of the stream with `progress`, sent while the method runs |
//! | the diagnostics of the invocation | the last `Event`, with `completed` |

use ferroform_engine::diagnostic_path::for_configuration;
use ferroform_engine::provider::AnyAction;
use ferroform_engine::{ActionEvent, Diagnostics, Kind, Result};
use ferroform_proto::tfplugin6::{self as wire, invoke_action::event};
use tonic::codegen::BoxStream;

use super::Service;
use super::convert::{diagnostics, read_or_null};
use super::rpc_metadata::deferral;

impl Service {
    pub(super) async fn plan_action_inner(
        &self,
        request: wire::plan_action::Request,
    ) -> Result<wire::plan_action::Response> {
        let block = self.block(Kind::Action.named(&request.action_type))?;
        let config = read_or_null(request.config.as_ref(), block)?;
        let metadata = self.rpc_metadata(request.client_capabilities, None)?;
        let response = self.server.plan_action(&request.action_type, config, &metadata).await;
        Ok(wire::plan_action::Response {
            deferred: deferral(response.deferred),
            diagnostics: diagnostics(for_configuration(block, response.diagnostics)),
        })
    }

    /// The progress messages of an invocation, which are sent while it runs, and its errors and warnings.
    pub(super) async fn invoke_action_inner(
        &self,
        request: wire::invoke_action::Request,
    ) -> Result<BoxStream<wire::invoke_action::Event>> {
        let block = self.block(Kind::Action.named(&request.action_type))?;
        let config = read_or_null(request.config.as_ref(), block)?;
        let metadata = self.rpc_metadata(request.client_capabilities, None)?;
        let action = self.server.find::<dyn AnyAction>(&request.action_type)?.clone();
        let encode = move |event| match event {
            ActionEvent::Progress(message) => event_of(event::Type::Progress(event::Progress { message })),
            ActionEvent::Completed(reported) => {
                completed(for_configuration(&action.schema().block, reported))
            }
        };
        let invoke = |service: Service, events| async move {
            service.server.invoke_action(&request.action_type, config, &metadata, events).await;
        };
        Ok(self.respond_with_stream(invoke, encode))
    }
}

/// The last event of an invocation.
pub(super) fn completed(all: Diagnostics) -> wire::invoke_action::Event {
    event_of(event::Type::Completed(event::Completed { diagnostics: diagnostics(all) }))
}

fn event_of(content: event::Type) -> wire::invoke_action::Event {
    wire::invoke_action::Event { r#type: Some(content) }
}
