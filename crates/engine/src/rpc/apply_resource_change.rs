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

use ferroform_value::{Object, Value};

use crate::planning::change_detection::is_object_unchanged;
use crate::provider::AnyResource;
use crate::redaction::SensitiveValues;
use crate::request::private_state::Private;
use crate::resource_identity::{ResourceIdentity, known_identity_after_failure};
use crate::rpc::checkpoint;
use crate::rpc::respond::response;
use crate::run_method::{Effect, run};
use crate::state::overlay::{self, ValueSource};
use crate::state::{fingerprint, overlay::with_placeholders};
use crate::timeouts::Operation;
use crate::{Diagnostics, ProviderServer, RequestContext, Result, RpcMetadata, contract};

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

response!(ApplyResponse, state);

impl ProviderServer {
    /// Applies a planned change of a resource.
    pub async fn apply_resource_change(&self, request: ApplyRequest) -> ApplyResponse {
        let [has_prior, has_planned] =
            [&request.prior, &request.planned].map(|it| it.as_ref().is_some_and(|it| !it.is_null()));
        // Terraform must not lose an object that existed before, even if the apply fails.
        let response = ApplyResponse {
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
        let type_name = request.type_name.clone();
        let operation = format!("the {action} of {type_name}");
        let objects = [&request.config, &request.prior, &request.planned].into_iter().flatten();
        let (resource, masked) = self.mask_request::<dyn AnyResource>(&type_name, &request.metadata, objects);
        masked
            .respond(&operation, response, async |response, sensitive| {
                let resource = resource?;
                Applying { server: self, resource: &*resource, operation: &operation, sensitive, response }
                    .apply(request)
                    .await
            })
            .await
    }
}

/// The state of one apply request.
struct Applying<'a> {
    server: &'a ProviderServer,
    resource: &'a dyn AnyResource,
    /// Part of a sentence: `the creation of cloud_server`.
    operation: &'a str,
    sensitive: &'a SensitiveValues,
    /// The response so far. It is always one that Terraform can store, because types of the provider, which are used
    /// between the phases, may panic.
    response: &'a mut ApplyResponse,
}

/// A create or an update.
struct Write {
    /// `None` for a create.
    prior: Option<Value>,
    planned: Value,
    config: Value,
    planned_identity: Option<Value>,
}

impl Applying<'_> {
    async fn apply(&mut self, request: ApplyRequest) -> Result<()> {
        let block = &self.resource.schema().block;
        let prior = request.prior.filter(|it| !it.is_null());
        let planned = request.planned.filter(|it| !it.is_null());
        let Some(planned) = planned else {
            let cx = self.context(&request.metadata, &request.planned_private)?;
            let cx = cx.with_identity(request.planned_identity.as_ref());
            return self.delete(&cx, prior.unwrap_or(Value::Null)).await;
        };
        // Only timeouts change, or values to semantically equal ones: there is nothing to do remotely.
        if prior
            .as_ref()
            .is_some_and(|prior| *prior != planned && is_object_unchanged(block, prior, &planned))
        {
            self.response.state = Some(planned);
            return Ok(());
        }
        let planned_identity = request.planned_identity.filter(|it| !it.is_null());
        // In case an error or a panic prevents the call of the method.
        if let Some(prior) = &prior {
            self.set_known_identity(planned_identity.as_ref(), prior);
        }
        let cx = self
            .context(&request.metadata, &request.planned_private)?
            .with_identity(planned_identity.as_ref());
        let config = request.config.unwrap_or(Value::Null);
        let write = Write { prior, planned, config, planned_identity };
        match self.call(&cx, &write).await {
            Some(computed) => self.finish(&cx, &write, computed).await,
            None => self.keep_recorded(&cx, &write).await,
        }
    }

    fn context(&self, metadata: &RpcMetadata, planned_private: &[u8]) -> Result<RequestContext> {
        Ok(self
            .server
            .non_deferrable_context(self.sensitive, metadata)?
            .with_private(Private::decode(planned_private)?))
    }

    async fn delete(&mut self, cx: &RequestContext, prior: Value) -> Result<()> {
        let block = &self.resource.schema().block;
        cx.set_timeout(block, Operation::Delete, &prior);
        let method = self.resource.delete(cx.clone(), prior.clone());
        let diagnostics = &mut self.response.diagnostics;
        if run(cx, self.operation, Effect::Deletes, method, diagnostics).await.is_some() {
            self.response.state = Some(Value::Null);
            self.response.identity = None;
            self.response.private.clear();
            return Ok(());
        }
        self.response.private = cx.take_private().encode();
        if !prior.is_null() {
            self.restore(cx, prior, &Value::Null);
        }
        Ok(())
    }

    /// Calls `create` or `update`, and returns the computed values; `None` if the method has failed.
    async fn call(&mut self, cx: &RequestContext, write: &Write) -> Option<Object> {
        let block = &self.resource.schema().block;
        let (operation, effect) = match write.prior {
            None => (Operation::Create, Effect::Creates),
            Some(_) => (Operation::Update, Effect::Updates),
        };
        cx.set_timeout(block, operation, &write.planned);
        cx.set_configuration(&write.config, block.ty().clone());
        let plan = overlay::with_write_only(block, &write.planned, &write.config);
        let method = match &write.prior {
            None => self.resource.create(cx.clone(), plan),
            Some(prior) => self.resource.update(cx.clone(), prior.clone(), plan),
        };
        run(cx, self.operation, effect, method, &mut self.response.diagnostics).await
    }

    /// Finishes a method that has failed: the state contains the values that it has recorded.
    async fn keep_recorded(&mut self, cx: &RequestContext, write: &Write) -> Result<()> {
        self.response.private = cx.take_private().encode();
        let object = write.prior.as_ref().unwrap_or(&write.planned).clone();
        let Some(object) = self.restore(cx, object, &write.planned).or_else(|| write.prior.clone()) else {
            return Ok(());
        };
        let prior_identity = write.planned_identity.as_ref().filter(|_| write.prior.is_some());
        self.set_known_identity(prior_identity, &object);
        if let Some(identity) = ResourceIdentity::new(self.resource, cx) {
            let diagnostics = &mut self.response.diagnostics;
            self.response.identity = identity.after_failure(prior_identity, &object, diagnostics).await;
        }
        Ok(())
    }

    /// Finishes a method that has returned its computed values.
    ///
    /// If the new state contradicts the plan, Terraform still stores it, because it describes the remote object. The
    /// error reports the violation.
    async fn finish(&mut self, cx: &RequestContext, write: &Write, computed: Object) -> Result<()> {
        let Write { prior, planned, config, planned_identity } = write;
        let block = &self.resource.schema().block;
        let object = overlay::with_computed_values(block, config, planned, computed);
        self.set_storable_state(&object);
        self.set_known_identity(planned_identity.as_ref().filter(|_| prior.is_some()), &object);
        let mut private = cx.take_private();
        fingerprint::store(block, config, &mut private);
        self.response.private = private.encode();

        let state = overlay::keep_semantically_equal(block, planned, &object, ValueSource::Method);
        let violations = contract::check_new_state(block, planned, &state);
        if let Some(identity) = ResourceIdentity::new(self.resource, cx) {
            let (known, diagnostics) = (planned_identity.as_ref(), &mut self.response.diagnostics);
            self.response.identity = match violations.is_empty() {
                true => {
                    let action = if prior.is_none() { "Create" } else { "Update" };
                    identity.after_operation(action, known, &state, diagnostics).await
                }
                false => identity.after_failure(known, &state, diagnostics).await,
            };
        }
        if violations.is_empty() {
            self.response.state = Some(state);
            return Ok(());
        }
        self.response.state = Some(with_placeholders(block, &state));
        Err(violations)
    }

    /// Sets the state to the object with the values of a checkpoint, and returns the object; `None` without a checkpoint.
    /// Adds an error for each value that cannot be restored.
    fn restore(&mut self, cx: &RequestContext, mut object: Value, planned: &Value) -> Option<Value> {
        let recorded = cx.take_checkpoint()?;
        let block = &self.resource.schema().block;
        self.response.diagnostics.extend(checkpoint::restore(block, &mut object, planned, recorded));
        self.set_storable_state(&object);
        Some(object)
    }

    /// Sets the state to the part of the object that Terraform can store.
    fn set_storable_state(&mut self, object: &Value) {
        let block = &self.resource.schema().block;
        let stored = overlay::without_write_only(block, object);
        self.response.state = Some(with_placeholders(block, &stored));
    }

    /// Sets the identity as far as it is known without the provider's method.
    fn set_known_identity(&mut self, prior: Option<&Value>, object: &Value) {
        if let Some(schema) = self.resource.identity() {
            self.response.identity = known_identity_after_failure(schema, prior, object);
        }
    }
}
