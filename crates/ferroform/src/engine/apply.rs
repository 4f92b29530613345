//! ApplyResourceChange: create, update, delete.

use ferroform_value::Value;

use super::identity::Identified;
use super::overlay::After;
use super::run::{Effect, run};
use super::same::is_same;
use super::{Caller, Server, contract, fingerprint, overlay};
use crate::private::Private;
use crate::schema::Block;
use crate::timeouts::Operation;
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

impl Server {
    /// Applies a planned change of a resource.
    pub async fn apply(&self, request: ApplyRequest) -> ApplyResponse {
        let existed = request.prior.as_ref().is_some_and(|it| !it.is_null());
        let mut response = ApplyResponse {
            // Whatever happens, what existed before is not forgotten.
            state: request.prior.clone(),
            private: request.planned_private.clone(),
            identity: request.planned_identity.clone().filter(|it| existed && !it.is_null()),
            diagnostics: Diagnostics::new(),
        };
        let secrets = self.secrets(&request.type_name, [&request.config, &request.prior, &request.planned]);
        if let Err(more) = self.apply_into(request, &mut response).await {
            response.diagnostics.extend(more);
        }
        secrets.mask(&mut response.diagnostics);
        response
    }

    async fn apply_into(&self, request: ApplyRequest, response: &mut ApplyResponse) -> Result<()> {
        let resource = self.resource(&request.type_name)?.clone();
        let block = &resource.schema().block;
        let prior = request.prior.filter(|it| !it.is_null());
        let planned = request.planned.filter(|it| !it.is_null());
        let config = request.config.unwrap_or(Value::Null);
        let call = self.call_now(&request.caller)?.with_private(Private::decode(&request.planned_private)?);
        let name = &request.type_name;

        let Some(planned) = planned else {
            let what = format!("The deletion of {name}");
            call.limit(block, Operation::Delete, prior.as_ref().unwrap_or(&Value::Null));
            let answer = resource.delete(call.clone(), prior.clone().unwrap_or(Value::Null));
            let done = run(&call, &what, Effect::Writes, answer, &mut response.diagnostics).await;
            if done.is_some() {
                response.state = Some(Value::Null);
                response.identity = None;
                response.private.clear();
            } else if let Some(kept) = call.take_checkpoint() {
                let half = |it| restored(block, it, &Value::Null, kept, &mut response.diagnostics);
                response.state = prior.map(half).map(|it| overlay::settle(block, &it));
            }
            return Ok(());
        };

        // An update that nobody makes.
        if prior.as_ref().is_some_and(|prior| *prior != planned && is_same(block, prior, &planned)) {
            response.state = Some(planned);
            return Ok(());
        }
        let operation = if prior.is_none() { Operation::Create } else { Operation::Update };
        call.limit(block, operation, &planned);
        call.configured(&config, block.ty());
        let full = overlay::with_write_only(block, &planned, &config);
        let (what, answer) = match &prior {
            None => (format!("The creation of {name}"), resource.create(call.clone(), full)),
            Some(prior) => {
                (format!("The update of {name}"), resource.update(call.clone(), prior.clone(), full))
            }
        };
        let computed = run(&call, &what, Effect::Writes, answer, &mut response.diagnostics).await;
        let mut private = call.take_private();
        if computed.is_some() {
            fingerprint::remember(block, &config, &mut private);
        }
        response.private = private.encode();
        let identified = Identified::new(&*resource, &call);
        let Some(computed) = computed else {
            // An error, a panic or a cancellation: what a checkpoint had kept, else what was before.
            if let Some(kept) = call.take_checkpoint() {
                let before = prior.as_ref().unwrap_or(&planned).clone();
                let half = restored(block, before, &planned, kept, &mut response.diagnostics);
                response.identity = response.identity.take().or_else(|| identified?.so_far(&half));
                response.state = Some(overlay::settle(block, &half));
            }
            return Ok(());
        };

        // Inputs from the plan, computed values from the answer. Where the two disagree the answer is kept all the
        // same, for it says what exists now; the error says what is wrong.
        let answered = overlay::fill(&planned, computed);
        let state = overlay::without_write_only(
            block,
            &overlay::keep_same(block, &planned, &answered, After::Change),
        );
        let broken = contract::result(block, &planned, &state);
        if let Some(it) = identified {
            let doing = if prior.is_none() { "Create" } else { "Update" };
            let before = request.planned_identity.filter(|it| !it.is_null());
            response.identity = match broken.is_empty() {
                true => it.after(doing, before.as_ref(), &state, &mut response.diagnostics).await,
                false => before.or_else(|| it.so_far(&state)),
            };
        }
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
    kept: Vec<(ferroform_value::Path, Value)>,
    found: &mut Diagnostics,
) -> Value {
    found.extend(overlay::restore(block, &mut object, planned, kept));
    overlay::without_write_only(block, &object)
}
