//! ApplyResourceChange: creates, updates or deletes the remote object of a resource.
//!
//! The new state consists of the planned values and of the computed values that the provider's method returns. If the
//! method fails, the state depends on whether it has recorded a checkpoint:
//!
//! | method | without a checkpoint | with a checkpoint |
//! |---|---|---|
//! | `create` | no state: the resource does not exist | the planned state with the recorded values; Terraform marks it as tainted |
//! | `update` | the prior state | the prior state with the recorded values |
//! | `delete` | the prior state | the prior state with the recorded values |
//!
//! Example: `id` is computed, and `create` fails after it has recorded the id.
//!
//! ```text
//! planned state  { name = "a", id = unknown, address = unknown }
//! checkpoint     id = "i-1"
//! new state      { name = "a", id = "i-1", address = null }, with the error of the method
//! ```

use ferroform_value::{Path, Value};

use crate::planning::change_detection::is_object_unchanged;
use crate::request::private_state::Private;
use crate::resource_identity::{ResourceIdentity, known_identity_after_failure};
use crate::rpc::checkpoint;
use crate::run_method::{Effect, catch_panics, run};
use crate::schema::Block;
use crate::state::overlay::{self, ValueSource};
use crate::state::{fingerprint, overlay::with_placeholders};
use crate::timeouts::Operation;
use crate::{Diagnostics, ProviderServer, Result, RpcMetadata, contract};

/// A planned change to apply. Each value is an object of the schema, or null.
#[derive(Clone, Debug, Default)]
pub struct ApplyRequest {
    /// The resource type.
    pub type_name: String,
    /// The prior state; null for a create.
    pub prior: Option<Value>,
    /// The planned state; null for a delete.
    pub planned: Option<Value>,
    /// The configuration; null for a delete.
    pub config: Option<Value>,
    /// The planned private state.
    pub planned_private: Vec<u8>,
    /// The planned identity, as far as it is known.
    pub planned_identity: Option<Value>,
    /// The metadata of the RPC.
    pub metadata: RpcMetadata,
}

/// The result of a change.
#[derive(Clone, Debug, Default)]
pub struct ApplyResponse {
    /// The new state; null if the object does not exist.
    pub state: Option<Value>,
    /// The private state.
    pub private: Vec<u8>,
    /// The identity, if the resource has one.
    pub identity: Option<Value>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl ProviderServer {
    /// Applies a planned change of a resource.
    pub async fn apply_resource_change(&self, request: ApplyRequest) -> ApplyResponse {
        let [has_prior, has_planned] =
            [&request.prior, &request.planned].map(|it| it.as_ref().is_some_and(|it| !it.is_null()));
        // Terraform must not lose an object that existed before, even if the apply fails.
        let mut response = ApplyResponse {
            state: request.prior.clone(),
            private: request.planned_private.clone(),
            identity: request.planned_identity.clone().filter(|it| has_prior && !it.is_null()),
            diagnostics: Diagnostics::new(),
        };
        let action = match (has_prior, has_planned) {
            (_, false) => "deletion",
            (false, true) => "creation",
            (true, true) => "update",
        };
        let operation = format!("{action} of {}", request.type_name);
        let block = self.resource_block(&request.type_name);
        let objects = [&request.config, &request.prior, &request.planned].into_iter().flatten();
        let sensitive = self.sensitive_values(block, objects);
        let mut partial_state = None;
        let apply = self.apply_into(request, &operation, &mut response, &mut partial_state);
        let result = catch_panics(&format!("the {operation}"), apply).await;
        response.diagnostics.ok_or_extend(result);
        // The method has ended or recorded values, but an error, a panic or a cancellation has prevented a new state.
        if let (Some(partial_state), Some(block)) = (partial_state, block) {
            let stored = overlay::without_write_only(block, &partial_state);
            response.state = Some(with_placeholders(block, &stored));
        }
        sensitive.mask_response(block, &response.state, &mut response.diagnostics);
        response
    }

    /// Applies the change. After the method has ended, `partial_state` is set until the new state is complete: types of
    /// the provider are used in between, and they may panic.
    async fn apply_into(
        &self,
        request: ApplyRequest,
        operation: &str,
        response: &mut ApplyResponse,
        partial_state: &mut Option<Value>,
    ) -> Result<()> {
        let resource = self.resource(&request.type_name)?.clone();
        let block = &resource.schema().block;
        let prior = request.prior.filter(|it| !it.is_null());
        let planned = request.planned.filter(|it| !it.is_null());
        let config = request.config.unwrap_or(Value::Null);
        let planned_identity = request.planned_identity.filter(|it| !it.is_null());
        let operation = format!("The {operation}");
        let planned_private = || Private::decode(&request.planned_private);

        let Some(planned) = planned else {
            let cx = self.non_deferrable_context(&request.metadata)?.with_private(planned_private()?);
            cx.set_timeout(block, Operation::Delete, prior.as_ref().unwrap_or(&Value::Null));
            let method = resource.delete(cx.clone(), prior.clone().unwrap_or(Value::Null));
            let deleted = run(&cx, &operation, Effect::Writes, method, &mut response.diagnostics).await;
            if deleted.is_some() {
                response.state = Some(Value::Null);
                response.identity = None;
                response.private.clear();
            } else {
                response.private = cx.take_private().encode();
                *partial_state = prior.zip(cx.take_checkpoint()).map(|(prior, recorded)| {
                    restored(block, prior, &Value::Null, recorded, &mut response.diagnostics)
                });
            }
            return Ok(());
        };

        // Only timeouts change, or values to semantically equal ones: there is nothing to do remotely.
        if prior
            .as_ref()
            .is_some_and(|prior| *prior != planned && is_object_unchanged(block, prior, &planned))
        {
            response.state = Some(planned);
            return Ok(());
        }
        // In case an error or a panic prevents the call of the method.
        if let Some((schema, prior)) = resource.identity().zip(prior.as_ref()) {
            response.identity = known_identity_after_failure(schema, planned_identity.as_ref(), prior);
        }
        let cx = self.non_deferrable_context(&request.metadata)?.with_private(planned_private()?);
        cx.set_timeout(block, if prior.is_none() { Operation::Create } else { Operation::Update }, &planned);
        cx.set_configuration(&config, block.ty());
        let plan = overlay::with_write_only(block, &planned, &config);
        let method = match &prior {
            None => resource.create(cx.clone(), plan),
            Some(prior) => resource.update(cx.clone(), prior.clone(), plan),
        };
        let computed = run(&cx, &operation, Effect::Writes, method, &mut response.diagnostics).await;
        let mut private = cx.take_private();
        let has_succeeded = computed.is_some();
        *partial_state = match computed {
            Some(computed) => Some(overlay::with_computed_values(&planned, computed)),
            None => cx.take_checkpoint().map(|recorded| {
                let object = prior.as_ref().unwrap_or(&planned).clone();
                restored(block, object, &planned, recorded, &mut response.diagnostics)
            }),
        };
        if has_succeeded {
            fingerprint::store(block, &config, &mut private);
        }
        response.private = private.encode();
        let Some(object) = partial_state.as_ref().or(prior.as_ref()) else { return Ok(()) };
        let prior_identity = planned_identity.as_ref().filter(|_| prior.is_some());
        if let Some(schema) = resource.identity() {
            // In case a type of the provider panics below.
            response.identity = known_identity_after_failure(schema, prior_identity, object);
        }
        let identity = ResourceIdentity::new(&*resource, &cx);
        if !has_succeeded {
            if let Some(identity) = identity {
                response.identity =
                    identity.after_failure(prior_identity, object, &mut response.diagnostics).await;
            }
            return Ok(());
        }

        // If the response contradicts the plan, the state still contains the response, because it describes the remote
        // object. The error reports the violation.
        let state = overlay::keep_semantically_equal(block, &planned, object, ValueSource::Method);
        let violations = contract::check_new_state(block, &planned, &state);
        if let Some(identity) = identity {
            let (known, diagnostics) = (planned_identity.as_ref(), &mut response.diagnostics);
            response.identity = match violations.is_empty() {
                true => {
                    let action = if prior.is_none() { "Create" } else { "Update" };
                    identity.after_operation(action, known, &state, diagnostics).await
                }
                false => identity.after_failure(known, &state, diagnostics).await,
            };
        }
        *partial_state = None;
        if violations.is_empty() {
            response.state = Some(state);
            return Ok(());
        }
        response.state = Some(with_placeholders(block, &state));
        Err(violations)
    }
}

/// The object with the values of a checkpoint; it may still have unknown values. Adds an error for each value that
/// cannot be restored.
fn restored(
    block: &Block,
    mut object: Value,
    planned: &Value,
    recorded: Vec<(Path, Value)>,
    diagnostics: &mut Diagnostics,
) -> Value {
    diagnostics.extend(checkpoint::restore(block, &mut object, planned, recorded));
    object
}
