//! ApplyResourceChange: create, update, delete.

use ferroform_value::{Path, Value};

use crate::planning::effective_change::is_effectively_equal;
use crate::request::private_state::Private;
use crate::resource_identity::{Identified, left_so_far};
use crate::rpc::checkpoint;
use crate::run_method::{Effect, guarded, run};
use crate::schema::Block;
use crate::state::fingerprint;
use crate::state::overlay;
use crate::state::overlay::After;
use crate::timeouts::Operation;
use crate::{Caller, ProviderServer, contract};
use crate::{Diagnostics, Result};

/// What is to be applied. Each value is an object of the schema, or null.
#[derive(Clone, Debug, Default)]
pub struct ApplyRequest {
    /// The resource.
    pub type_name: String,
    /// The object as it is; null where it is to be created.
    pub prior: Option<Value>,
    /// The object as planned; null where it is to be deleted.
    pub planned: Option<Value>,
    /// The configuration; null where the object is to be deleted.
    pub config: Option<Value>,
    /// What the provider planned to keep beside the state.
    pub planned_private: Vec<u8>,
    /// What the object is or will be known by, where that is known.
    pub planned_identity: Option<Value>,
    /// What comes along.
    pub caller: Caller,
}

/// What became of it.
#[derive(Clone, Debug, Default)]
pub struct ApplyResponse {
    /// The object as it is now; null where it is gone.
    pub state: Option<Value>,
    /// What the provider keeps beside the state.
    pub private: Vec<u8>,
    /// What the object is known by, where the resource has an identity.
    pub identity: Option<Value>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl ProviderServer {
    /// Applies a planned change of a resource.
    pub async fn apply(&self, request: ApplyRequest) -> ApplyResponse {
        let [existed, stays] =
            [&request.prior, &request.planned].map(|it| it.as_ref().is_some_and(|it| !it.is_null()));
        let mut response = ApplyResponse {
            // Whatever happens, what existed before is not forgotten.
            state: request.prior.clone(),
            private: request.planned_private.clone(),
            identity: request.planned_identity.clone().filter(|it| existed && !it.is_null()),
            diagnostics: Diagnostics::new(),
        };
        let doing = match (existed, stays) {
            (_, false) => "deletion",
            (false, true) => "creation",
            (true, true) => "update",
        };
        let what = format!("{doing} of {}", request.type_name);
        let type_name = request.type_name.clone();
        let secrets = self.secrets(&type_name, [&request.config, &request.prior, &request.planned]);
        let mut left = None;
        let work = self.apply_into(request, &what, &mut response, &mut left);
        let done = guarded(&format!("the {what}"), work).await;
        response.diagnostics.take(done);
        // What the method has made or kept, where no state came of it: an error, a panic or a cancellation.
        if let Some(left) = left
            && let Ok(resource) = self.resource(&type_name)
        {
            let block = &resource.schema().block;
            response.state = Some(overlay::settle(block, &overlay::without_write_only(block, &left)));
        }
        secrets.mask(&mut response.diagnostics);
        response
    }

    /// Puts into `left` what exists once the method has come back, and takes it out again where it has become the
    /// state. Types of the author's are asked in between, and they may panic.
    async fn apply_into(
        &self,
        request: ApplyRequest,
        what: &str,
        response: &mut ApplyResponse,
        left: &mut Option<Value>,
    ) -> Result<()> {
        let resource = self.resource(&request.type_name)?.clone();
        let block = &resource.schema().block;
        let prior = request.prior.filter(|it| !it.is_null());
        let planned = request.planned.filter(|it| !it.is_null());
        let config = request.config.unwrap_or(Value::Null);
        let identity = request.planned_identity.filter(|it| !it.is_null());
        let what = format!("The {what}");

        let Some(planned) = planned else {
            let call =
                self.call_now(&request.caller)?.with_private(Private::decode(&request.planned_private)?);
            call.limit(block, Operation::Delete, prior.as_ref().unwrap_or(&Value::Null));
            let answer = resource.delete(call.clone(), prior.clone().unwrap_or(Value::Null));
            let done = run(&call, &what, Effect::Writes, answer, &mut response.diagnostics).await;
            if done.is_some() {
                response.state = Some(Value::Null);
                response.identity = None;
                response.private.clear();
            } else {
                response.private = call.take_private().encode();
                *left = prior.zip(call.take_checkpoint()).map(|(prior, kept)| {
                    restored(block, prior, &Value::Null, kept, &mut response.diagnostics)
                });
            }
            return Ok(());
        };

        // An update that nobody makes.
        if prior
            .as_ref()
            .is_some_and(|prior| *prior != planned && is_effectively_equal(block, prior, &planned))
        {
            response.state = Some(planned);
            return Ok(());
        }
        // In case something goes wrong before the provider is asked.
        if let Some((schema, prior)) = resource.identity().zip(prior.as_ref()) {
            response.identity = left_so_far(schema, identity.as_ref(), prior);
        }
        let call = self.call_now(&request.caller)?.with_private(Private::decode(&request.planned_private)?);
        let operation = if prior.is_none() { Operation::Create } else { Operation::Update };
        call.limit(block, operation, &planned);
        call.configured(&config, block.ty());
        let full = overlay::with_write_only(block, &planned, &config);
        let answer = match &prior {
            None => resource.create(call.clone(), full),
            Some(prior) => resource.update(call.clone(), prior.clone(), full),
        };
        let computed = run(&call, &what, Effect::Writes, answer, &mut response.diagnostics).await;
        let mut private = call.take_private();
        let is_done = computed.is_some();
        // Inputs from the plan, computed values from the answer; else what a checkpoint had kept of it.
        *left = match computed {
            Some(computed) => Some(overlay::fill(&planned, computed)),
            None => call.take_checkpoint().map(|kept| {
                let object = prior.as_ref().unwrap_or(&planned).clone();
                restored(block, object, &planned, kept, &mut response.diagnostics)
            }),
        };
        if is_done {
            fingerprint::remember(block, &config, &mut private);
        }
        response.private = private.encode();
        let Some(object) = left.as_ref().or(prior.as_ref()) else { return Ok(()) };
        let known_by = identity.as_ref();
        let before = known_by.filter(|_| prior.is_some());
        if let Some(schema) = resource.identity() {
            // As above.
            response.identity = left_so_far(schema, before, object);
        }
        let identified = Identified::new(&*resource, &call);
        if !is_done {
            if let Some(it) = identified {
                response.identity = it.left(before, object, &mut response.diagnostics).await;
            }
            return Ok(());
        }

        // Where plan and answer disagree the answer is kept all the same, for it says what exists now; the error says
        // what is wrong.
        let state = overlay::keep_same(block, &planned, object, After::Change);
        let broken = contract::result(block, &planned, &state);
        if let Some(it) = identified {
            let doing = if prior.is_none() { "Create" } else { "Update" };
            response.identity = match broken.is_empty() {
                true => it.after(doing, known_by, &state, &mut response.diagnostics).await,
                false => it.left(known_by, &state, &mut response.diagnostics).await,
            };
        }
        *left = None;
        if broken.is_empty() {
            response.state = Some(state);
            return Ok(());
        }
        response.state = Some(overlay::settle(block, &state));
        Err(broken)
    }
}

/// The object with what a checkpoint had kept, which may still have unknown parts.
fn restored(
    block: &Block,
    mut object: Value,
    planned: &Value,
    kept: Vec<(Path, Value)>,
    found: &mut Diagnostics,
) -> Value {
    found.extend(checkpoint::restore(block, &mut object, planned, kept));
    object
}
