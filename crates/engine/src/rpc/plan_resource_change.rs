//! PlanResourceChange.

use std::collections::HashSet;

use ferroform_value::{Path, Value};

use crate::identity::Identified;
use crate::planning::defaults::{self, Which};
use crate::planning::merge::merge;
use crate::planning::order;
use crate::planning::replace::replacements;
use crate::provider::{AnyChange, AnyResource};
use crate::request::private_state::Private;
use crate::run_method::{Effect, guarded, run};
use crate::schema::Schema;
use crate::state::fingerprint;
use crate::state::overlay;
use crate::state::overlay::After;
use crate::{Caller, ProviderServer, contract};
use crate::{Deferral, Diagnostics, RequestContext, Result};

/// What is to be planned. Each value is an object of the schema, or null.
#[derive(Clone, Debug, Default)]
pub struct PlanRequest {
    /// The resource.
    pub type_name: String,
    /// The object as it is; null where it is to be created.
    pub prior: Option<Value>,
    /// What core proposes; null where the object is to be destroyed. That is all that is used of it.
    pub proposed: Option<Value>,
    /// The configuration.
    pub config: Option<Value>,
    /// What the provider keeps beside the state.
    pub prior_private: Vec<u8>,
    /// What the object is known by, where that is in the state.
    pub prior_identity: Option<Value>,
    /// What comes along.
    pub caller: Caller,
}

/// The plan.
#[derive(Clone, Debug, Default)]
pub struct PlanResponse {
    /// The object as it will be; null where it will be gone.
    pub planned: Option<Value>,
    /// The changes that need a new object.
    pub requires_replace: Vec<Path>,
    /// What the provider keeps beside the state.
    pub private: Vec<u8>,
    /// What the object will be known by, where that is known.
    pub identity: Option<Value>,
    /// Why the change is put off, where it is; the plan is then as good as it can be made now.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl ProviderServer {
    /// Plans a change of a resource.
    pub async fn plan(&self, request: PlanRequest) -> PlanResponse {
        let mut response = PlanResponse { private: request.prior_private.clone(), ..PlanResponse::default() };
        let secrets = self.secrets(&request.type_name, [&request.config, &request.prior]);
        let what = format!("the plan of {}", request.type_name);
        let done = guarded(&what, self.plan_into(request, &mut response)).await;
        response.diagnostics.take(done);
        secrets.mask(&mut response.diagnostics);
        response
    }

    async fn plan_into(&self, request: PlanRequest, response: &mut PlanResponse) -> Result<()> {
        let resource = self.resource(&request.type_name)?.clone();
        let Schema { block, .. } = resource.schema();
        let prior = request.prior.unwrap_or(Value::Null);
        let identity = request.prior_identity.filter(|it| !it.is_null());
        response.deferred = self.put_off(&request.caller, true);
        // Without a provider the plan is what the schema says.
        let alone = response.deferred.is_some() || self.passes_over();
        if request.proposed.is_none_or(|it| it.is_null()) {
            response.identity = identity;
            response.planned = Some(Value::Null);
            if resource.abilities().plan_delete && !alone {
                let call = self.call(&request.caller)?.with_private(Private::decode(&request.prior_private)?);
                plan_delete(&*resource, &call, &request.type_name, prior, response).await;
                response.private = call.take_private().encode();
            }
            return Ok(());
        }
        let private = Private::decode(&request.prior_private)?;
        let config = block.object_of(&request.config.unwrap_or(Value::Null));
        let config = crate::planning::blocks::prepared(block, config);
        let given = defaults::fill(block, &config, Which::Given)?;
        let full = defaults::fill(block, &given, Which::All)?;
        let Value::Object(object) = &*full else { return Ok(()) };
        let marked = fingerprint::mark(block, &prior, &private)?;
        let mut planned = merge(block, object, &prior, &marked)?;

        let call = self.call(&request.caller)?.with_private(private);
        let is_changed = resource.abilities().plan && !alone;
        let merged = is_changed.then(|| planned.clone());
        if is_changed {
            let what = format!("The plan of {}", request.type_name);
            let change =
                AnyChange { config: Value::clone(&given), prior: prior.clone(), plan: planned.clone() };
            let answer = resource.plan(call.clone(), change);
            let changed = run(&call, &what, Effect::Reads, answer, &mut response.diagnostics).await;
            response.deferred = call.allowed_deferral();
            match changed {
                // A type may print what it has read in another way: what means the same stays as it was.
                Some(changed) => {
                    let changed = overlay::without_write_only(block, &changed);
                    let changed = overlay::reopen(block, &planned, changed);
                    planned = overlay::keep_same(block, &planned, &changed, After::Change);
                }
                None if response.deferred.is_none() => return Ok(()),
                None => {}
            }
            response.private = call.take_private().encode();
        }
        let judge = if is_changed { contract::plan } else { contract::merged };
        let mut broken = judge(block, &config, &prior, &planned);
        let in_place = resource.abilities().update;
        let ordered = merged.map(|it| order::like(block, &it, planned.clone()));
        let ordered = ordered.as_ref().unwrap_or(&planned);
        response.requires_replace = replacements(block, &config, &full, &prior, ordered, in_place);
        let mut known: HashSet<Path> = response.requires_replace.iter().cloned().collect();
        let more: Vec<Path> = call.take_replace();
        let more = more.into_iter().filter(|it| known.insert(it.clone()));
        response.requires_replace.extend(more);
        if !prior.is_null() {
            broken.extend(contract::replacements(block, &prior, &planned, &response.requires_replace));
        }
        // A replacement destroys too, and core asks of it in no other call. What is kept beside the state from here on
        // is the new object's.
        let destroys = !prior.is_null() && !response.requires_replace.is_empty();
        if destroys && resource.abilities().plan_delete && !alone {
            let call = self.call(&request.caller)?.with_private(Private::decode(&request.prior_private)?);
            plan_delete(&*resource, &call, &request.type_name, prior.clone(), response).await;
        }
        if let Some(it) = Identified::new(&*resource, &call) {
            let replaces = !response.requires_replace.is_empty();
            let identity =
                it.planned(identity.as_ref(), &prior, &planned, replaces, &mut response.diagnostics);
            response.identity = identity.await;
        }
        response.planned = Some(planned);
        if broken.is_empty() { Ok(()) } else { Err(broken) }
    }
}

/// Asks the author about the destruction of the object.
async fn plan_delete(
    resource: &dyn AnyResource,
    call: &RequestContext,
    type_name: &str,
    object: Value,
    response: &mut PlanResponse,
) {
    let what = format!("The plan to destroy {type_name}");
    let answer = resource.plan_delete(call.clone(), object);
    run(call, &what, Effect::Reads, answer, &mut response.diagnostics).await;
    response.deferred = response.deferred.or(call.allowed_deferral());
}
