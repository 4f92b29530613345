//! The RPCs of actions, for both protocols.
//!
//! | engine | message |
//! |---|---|
//! | a progress message | an `Event` of the stream with `progress`, sent while the method runs |
//! | the diagnostics of the invocation | the last `Event`, with `completed` |

use std::future::pending;

use ferroform_engine::concurrency::run_until::run_until;
use ferroform_engine::diagnostic_path::for_configuration;
use ferroform_engine::{Diagnostics, Kind, Result};
use ferroform_proto::tfplugin6::{self as wire, invoke_action::event};
use tokio::sync::mpsc;

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

    /// Invokes an action, and sends its progress messages while it runs. Returns its errors and warnings.
    pub(super) async fn invoke_action_inner(
        &self,
        request: wire::invoke_action::Request,
        events: &mpsc::Sender<wire::invoke_action::Event>,
    ) -> Result<Diagnostics> {
        let block = self.block(Kind::Action.named(&request.action_type))?;
        let config = read_or_null(request.config.as_ref(), block)?;
        let metadata = self.rpc_metadata(request.client_capabilities, None)?;
        let (sender, mut messages) = mpsc::channel(1);
        let invocation = self.server.invoke_action(&request.action_type, config, &metadata, sender);
        // A message is taken only if it can be sent at once, so that none is lost when the method ends.
        let forwarding = async {
            while let Ok(permit) = events.reserve().await {
                let Some(message) = messages.recv().await else { break };
                permit.send(progress(message));
            }
            pending().await
        };
        // The invocation never ends without a result, because the forwarding never ends.
        let reported = run_until(invocation, forwarding).await.unwrap_or_default();
        while let Ok(message) = messages.try_recv() {
            // An error means that Terraform has ended the request.
            let _ = events.send(progress(message)).await;
        }
        Ok(for_configuration(block, reported))
    }
}

fn progress(message: String) -> wire::invoke_action::Event {
    event_of(event::Type::Progress(event::Progress { message }))
}

/// The last event of an invocation.
pub(super) fn completed(all: Diagnostics) -> wire::invoke_action::Event {
    event_of(event::Type::Completed(event::Completed { diagnostics: diagnostics(all) }))
}

fn event_of(content: event::Type) -> wire::invoke_action::Event {
    wire::invoke_action::Event { r#type: Some(content) }
}
