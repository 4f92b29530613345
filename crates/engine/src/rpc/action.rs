//! PlanAction and InvokeAction.
//!
//! An action is an operation without a state, such as restarting a server. Terraform validates its configuration, plans
//! it, and invokes it. The plan stores no values; the provider can only report errors and warnings, or defer the action.
//!
//! An invocation reports its progress while it runs:
//!
//! ```text
//! method                                        Terraform
//! cx.progress("Draining …").await    ────▶      Action aws_x.y (triggered by …) progress: Draining …
//! cx.progress("Restarting …").await  ────▶      …, once Terraform has received the first message
//! return Err(…)                      ────▶      the errors
//! ```
//!
//! The invocation is canceled like the creation of a resource, because it may change remote objects: see
//! [`run_method`](crate::run_method).

use ferroform_value::Value;
use tokio::sync::mpsc;

use crate::normalization;
use crate::provider::AnyAction;
use crate::request::progress::{ActionEvent, Progress};
use crate::rpc::respond::response;
use crate::run_method::{Effect, run};
use crate::timeouts::Operation;
use crate::{Deferral, Diagnostics, ProviderServer, RpcMetadata};

/// The result of planning an action.
#[derive(Clone, Debug, Default)]
pub struct PlanActionResponse {
    /// The reason for the deferral, if the action is deferred.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

response!(PlanActionResponse);

impl ProviderServer {
    /// Plans the invocation of an action with this configuration, which may have unknown values.
    pub async fn plan_action(
        &self,
        type_name: &str,
        config: Value,
        metadata: &RpcMetadata,
    ) -> PlanActionResponse {
        let operation = format!("the plan of {type_name}");
        let (action, masked) = self.mask_request::<dyn AnyAction>(type_name, metadata, [&config]);
        masked
            .respond(&operation, PlanActionResponse::default(), async |response, sensitive| {
                let action = action?;
                response.deferred = self.deferral_reason(metadata, true);
                if response.deferred.is_some() || !action.has_plan() || self.is_provider_skipped() {
                    return Ok(());
                }
                let config = normalization::with_defaults(&action.schema().block, &config)?;
                let cx = self.request_context(sensitive, metadata)?;
                let method = action.plan(cx.clone(), config);
                run(&cx, &operation, Effect::Reads, method, &mut response.diagnostics).await;
                response.deferred = cx.allowed_deferral();
                Ok(())
            })
            .await
    }

    /// Invokes an action with this configuration. Sends an event for each progress message while the method runs, and
    /// the errors and warnings at the end. The method waits while the channel is full.
    pub async fn invoke_action(
        &self,
        type_name: &str,
        config: Value,
        metadata: &RpcMetadata,
        events: mpsc::Sender<ActionEvent>,
    ) {
        let operation = format!("the invocation of {type_name}");
        let (action, masked) = self.mask_request::<dyn AnyAction>(type_name, metadata, [&config]);
        let invoked = masked.respond(&operation, Diagnostics::new(), async |diagnostics, sensitive| {
            let action = action?;
            let block = &action.schema().block;
            let config = normalization::with_defaults(block, &config)?;
            sensitive.add(block, &config);
            let cx = self.non_deferrable_context(sensitive, metadata)?;
            cx.set_progress(Progress::new(&events, sensitive.clone()));
            cx.set_timeout(block, Operation::Invoke, &config);
            let method = action.invoke(cx.clone(), config);
            run(&cx, &operation, Effect::Invokes, method, diagnostics).await;
            Ok(())
        });
        let completed = ActionEvent::Completed(invoked.await);
        // An error means that Terraform has ended the RPC.
        let _ = events.send(completed).await;
    }
}
