//! PlanResourceChange, in six phases.
//!
//! | phase | makes | in |
//! |---|---|---|
//! | normalize | the configuration with its defaults | `planning/normalize.rs` |
//! | propose | the proposed new state, and which prior element each element is | `planning/proposed_state.rs`, `element_matching` |
//! | modify | what the provider's own `plan` makes of it | |
//! | verify | errors for what Terraform would reject | `contract` |
//! | replacements | the paths that require replacement | `planning/replacement.rs` |
//! | identity | the planned identity | `identity.rs` |

use std::collections::HashSet;

use ferroform_value::{Object, Path, Value};

use crate::element_matching::{ObjectMatches, in_order_of};
use crate::planning::normalize::Normalized;
use crate::planning::proposed_state::propose;
use crate::planning::replacement::{Change, replacements};
use crate::provider::{AnyChange, AnyResource};
use crate::request::private_state::Private;
use crate::resource_identity::Identified;
use crate::run_method::{Effect, guarded, run};
use crate::schema::Block;
use crate::state::overlay::After;
use crate::state::{fingerprint, overlay};
use crate::{Caller, ProviderServer, RequestContext, contract};
use crate::{Deferral, Diagnostics, Result};

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
        response.deferred = self.put_off(&request.caller, true);
        // Without a provider the plan is what the schema says.
        let has_provider = response.deferred.is_none() && !self.passes_over();
        let mut planning = Planning { server: self, resource: &*resource, request, has_provider, response };
        if planning.request.proposed.as_ref().is_none_or(Value::is_null) {
            planning.destroy().await
        } else {
            planning.change().await
        }
    }
}

/// One plan.
struct Planning<'a> {
    server: &'a ProviderServer,
    resource: &'a dyn AnyResource,
    request: PlanRequest,
    /// Whether the provider's own methods can be called.
    has_provider: bool,
    response: &'a mut PlanResponse,
}

/// What the phases of a plan hand on.
struct Phases {
    config: Normalized,
    prior: Value,
    /// Which prior element each element of the configuration corresponds to.
    matches: ObjectMatches,
    /// The plan before the provider's own method has changed it.
    proposed: Value,
    planned: Value,
}

impl Planning<'_> {
    async fn destroy(&mut self) -> Result<()> {
        let prior = self.request.prior.take().unwrap_or(Value::Null);
        self.response.identity = self.prior_identity();
        self.response.planned = Some(Value::Null);
        if let Some(call) = self.plan_destruction(prior).await? {
            self.response.private = call.take_private().encode();
        }
        Ok(())
    }

    /// Plans a creation or an update, phase by phase.
    async fn change(&mut self) -> Result<()> {
        let private = Private::decode(&self.request.prior_private)?;
        let (config, prior) = self.normalize()?;
        let mut phases = self.propose(config, prior, &private)?;
        let call = self.server.call(&self.request.caller)?.with_private(private);
        if !self.modify(&call, &mut phases).await {
            return Ok(());
        }
        let mut broken = self.verify(&phases);
        self.replacements(&call, &mut phases, &mut broken);
        self.plan_replaced(&phases).await?;
        self.identity(&call, &phases).await;
        self.response.planned = Some(phases.planned);
        if broken.is_empty() { Ok(()) } else { Err(broken) }
    }

    fn block(&self) -> &Block {
        &self.resource.schema().block
    }

    fn prior_identity(&mut self) -> Option<Value> {
        self.request.prior_identity.take().filter(|it| !it.is_null())
    }

    fn replaces(&self) -> bool {
        !self.response.requires_replace.is_empty()
    }

    /// The configuration with its defaults, and the prior object.
    fn normalize(&mut self) -> Result<(Normalized, Value)> {
        let config = self.request.config.take().unwrap_or(Value::Null);
        let prior = self.request.prior.take().unwrap_or(Value::Null);
        Ok((Normalized::of(self.block(), &config)?, prior))
    }

    /// The proposed new state, with what the functions of `plan_with` plan.
    fn propose(&self, config: Normalized, prior: Value, private: &Private) -> Result<Phases> {
        let block = self.block();
        let empty = Object::default();
        let full = config.full.as_object().unwrap_or(&empty);
        let marked = fingerprint::mark(block, &prior, private)?;
        let matches =
            marked.as_object().map(|prior| ObjectMatches::of(block, full, prior)).unwrap_or_default();
        let proposed = propose(block, full, &prior, &marked, &matches)?;
        let planned = proposed.clone();
        drop(marked);
        Ok(Phases { config, prior, matches, proposed, planned })
    }

    /// What the provider's own `plan` makes of it. False where that has failed: then there is no plan.
    async fn modify(&mut self, call: &RequestContext, phases: &mut Phases) -> bool {
        if !self.calls_plan() {
            return true;
        }
        let block = &self.resource.schema().block;
        let what = format!("The plan of {}", self.request.type_name);
        let change = AnyChange {
            config: phases.config.for_provider(block),
            prior: phases.prior.clone(),
            plan: phases.proposed.clone(),
        };
        let changed = self.resource.plan(call.clone(), change);
        let changed = run(call, &what, Effect::Reads, changed, &mut self.response.diagnostics).await;
        self.response.deferred = call.allowed_deferral();
        match changed {
            Some(changed) => {
                let changed = overlay::without_write_only(block, &changed);
                let changed = overlay::reopen(block, &phases.proposed, changed);
                // A type may print what it has read in another spelling: a semantically equal value stays as it was.
                phases.planned = overlay::keep_same(block, &phases.proposed, &changed, After::Change);
            }
            None if self.response.deferred.is_none() => return false,
            None => {}
        }
        self.response.private = call.take_private().encode();
        true
    }

    fn calls_plan(&self) -> bool {
        self.resource.abilities().plan && self.has_provider
    }

    /// What Terraform would reject.
    fn verify(&self, phases: &Phases) -> Diagnostics {
        let verify = if self.calls_plan() { contract::plan } else { contract::merged };
        verify(self.block(), &phases.config.config, &phases.prior, &phases.planned)
    }

    /// The paths that require replacement: by the schema, and by the provider's own `plan`.
    fn replacements(&mut self, call: &RequestContext, phases: &mut Phases, broken: &mut Diagnostics) {
        let block = &self.resource.schema().block;
        let in_order;
        let planned = match self.calls_plan() {
            true => {
                in_order = in_order_of(block, &phases.proposed, phases.planned.clone());
                &in_order
            }
            false => &phases.planned,
        };
        let Normalized { config, full, .. } = &phases.config;
        let change = Change { config, full, prior: &phases.prior, planned };
        let mut paths = replacements(block, change, &phases.matches, self.resource.abilities().update);
        let mut known: HashSet<Path> = paths.iter().cloned().collect();
        paths.extend(call.take_replace().into_iter().filter(|it| known.insert(it.clone())));
        if !phases.prior.is_null() {
            broken.extend(contract::replacements(block, &phases.prior, &phases.planned, &paths));
        }
        self.response.requires_replace = paths;
    }

    /// A replacement destroys too, and Terraform asks for that in no other call. What is stored in private state from here
    /// on is the new object's.
    async fn plan_replaced(&mut self, phases: &Phases) -> Result<()> {
        if !phases.prior.is_null() && self.replaces() {
            self.plan_destruction(phases.prior.clone()).await?;
        }
        Ok(())
    }

    /// Calls the provider's `plan_delete`, where it has one.
    async fn plan_destruction(&mut self, prior: Value) -> Result<Option<RequestContext>> {
        if !self.resource.abilities().plan_delete || !self.has_provider {
            return Ok(None);
        }
        let private = Private::decode(&self.request.prior_private)?;
        let call = self.server.call(&self.request.caller)?.with_private(private);
        let what = format!("The plan to destroy {}", self.request.type_name);
        let done = self.resource.plan_delete(call.clone(), prior);
        run(&call, &what, Effect::Reads, done, &mut self.response.diagnostics).await;
        self.response.deferred = self.response.deferred.or(call.allowed_deferral());
        Ok(Some(call))
    }

    /// The identity of the planned object, as far as it is known.
    async fn identity(&mut self, call: &RequestContext, phases: &Phases) {
        let prior_identity = self.prior_identity();
        if let Some(it) = Identified::new(self.resource, call) {
            let replaces = self.replaces();
            let Phases { prior, planned, .. } = phases;
            let found = &mut self.response.diagnostics;
            self.response.identity =
                it.planned(prior_identity.as_ref(), prior, planned, replaces, found).await;
        }
    }
}
