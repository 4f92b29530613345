//! PlanResourceChange: plans a create, an update, a replacement or a destroy, in six phases.
//!
//! | phase | result | in |
//! |---|---|---|
//! | normalize | the configuration with its defaults | `normalization` |
//! | propose | the proposed new state, and the matches of elements | `planning/proposed_state.rs`, `element_matching` |
//! | modify | the plan after the provider's own `plan` method | `Planning::modify`, in this file |
//! | verify | errors for everything that Terraform would reject | `contract` |
//! | replacements | the attribute paths that require replacement | `planning/replacement.rs` |
//! | identity | the planned identity | `resource_identity.rs` |
//!
//! Example: `name` requires replacement, `size` is optional, `id` is computed and kept from the prior state, `etag` is
//! computed.
//!
//! ```text
//! prior state       { name = "a", size = 1, id = "1", etag = "x" }
//! configuration     { name = "a", size = 2 }
//! planned state     { name = "a", size = 2, id = "1", etag = unknown }
//! requires_replace  []
//! ```

use std::collections::HashSet;

use ferroform_value::{Object, Path, Value};

use crate::element_matching::{ObjectMatches, in_order_of};
use crate::normalization::Normalized;
use crate::planning::proposed_state::propose;
use crate::planning::replacement::{ChangedValues, replacements};
use crate::provider::{AnyChange, AnyResource};
use crate::redaction::SensitiveValues;
use crate::request::private_state::Private;
use crate::resource_identity::ResourceIdentity;
use crate::rpc::respond::response;
use crate::run_method::{Effect, run};
use crate::schema::{Block, ConditionContext};
use crate::state::overlay::ValueSource;
use crate::state::{fingerprint, overlay};
use crate::{Deferral, Diagnostics, Result};
use crate::{ProviderServer, RequestContext, RpcMetadata, contract};

/// A change to plan. Each value is an object of the schema, or null.
#[derive(Clone, Debug, Default)]
pub struct PlanRequest {
    /// The resource type.
    pub type_name: String,
    /// The prior state; null for a create.
    pub prior: Option<Value>,
    /// True for a destroy: the proposed new state of Terraform is null. Otherwise, the engine computes its own proposed
    /// new state.
    pub is_destroy: bool,
    /// The configuration.
    pub config: Option<Value>,
    /// The private state.
    pub prior_private: Vec<u8>,
    /// The identity, if Terraform has stored one.
    pub prior_identity: Option<Value>,
    /// The metadata of the RPC.
    pub metadata: RpcMetadata,
}

/// A planned change.
#[derive(Clone, Debug, Default)]
pub struct PlanResponse {
    /// The planned state; null for a destroy.
    pub planned: Option<Value>,
    /// The attribute paths whose change requires replacement.
    pub requires_replace: Vec<Path>,
    /// The planned private state.
    pub private: Vec<u8>,
    /// The planned identity, if it is known.
    pub identity: Option<Value>,
    /// The reason for the deferral, if the change is deferred. The plan is then a best effort.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

response!(PlanResponse, planned);

impl ProviderServer {
    /// Plans a change of a resource.
    pub async fn plan_resource_change(&self, request: PlanRequest) -> PlanResponse {
        let response = PlanResponse { private: request.prior_private.clone(), ..PlanResponse::default() };
        let type_name = request.type_name.clone();
        let operation = format!("the plan of {type_name}");
        let objects = [&request.config, &request.prior].into_iter().flatten();
        let (resource, masked) = self.mask_request::<dyn AnyResource>(&type_name, &request.metadata, objects);
        masked
            .respond(&operation, response, async |response, sensitive| {
                let resource = resource?;
                self.plan_into(&*resource, request, sensitive, response).await
            })
            .await
    }

    async fn plan_into(
        &self,
        resource: &dyn AnyResource,
        request: PlanRequest,
        sensitive: &SensitiveValues,
        response: &mut PlanResponse,
    ) -> Result<()> {
        response.deferred = self.deferral_reason(&request.metadata, true);
        // Without a configured provider, the plan follows from the schema alone.
        let can_call_methods = response.deferred.is_none() && !self.is_provider_skipped();
        let mut planning =
            Planning { server: self, resource, request, can_call_methods, sensitive, response };
        if planning.request.is_destroy { planning.plan_destroy().await } else { planning.plan_change().await }
    }
}

/// The state of one plan request.
struct Planning<'a> {
    server: &'a ProviderServer,
    resource: &'a dyn AnyResource,
    request: PlanRequest,
    /// True if the provider's methods can be called.
    can_call_methods: bool,
    sensitive: &'a SensitiveValues,
    response: &'a mut PlanResponse,
}

/// The results that the phases pass on.
struct PhaseResults {
    config: Normalized,
    prior: Value,
    /// The prior element that each element of the configuration corresponds to.
    matches: ObjectMatches,
    /// The proposed new state, before the provider's `plan` method.
    proposed: Value,
    planned: Value,
}

impl Planning<'_> {
    async fn plan_destroy(&mut self) -> Result<()> {
        let prior = self.request.prior.take().unwrap_or(Value::Null);
        self.response.identity = self.prior_identity();
        self.response.planned = Some(Value::Null);
        if let Some(cx) = self.call_plan_delete(prior).await? {
            self.response.private = cx.take_private().encode();
        }
        Ok(())
    }

    /// Plans a create or an update, phase by phase.
    async fn plan_change(&mut self) -> Result<()> {
        let private = Private::decode(&self.request.prior_private)?;
        let (config, prior) = self.normalize()?;
        let mut phases = self.propose(config, prior, &private)?;
        let cx = self.context(private)?;
        if !self.modify(&cx, &mut phases).await {
            return Ok(());
        }
        let mut violations = self.verify(&phases);
        self.find_replacements(&cx, &mut phases, &mut violations);
        self.plan_replaced_object(&phases).await?;
        self.plan_identity(&cx, &phases).await;
        self.response.planned = Some(phases.planned);
        if violations.is_empty() { Ok(()) } else { Err(violations) }
    }

    fn context(&self, private: Private) -> Result<RequestContext> {
        let cx = self.server.request_context(self.sensitive, &self.request.metadata)?;
        Ok(cx.with_private(private).with_identity(self.request.prior_identity.as_ref()))
    }

    fn block(&self) -> &Block {
        &self.resource.schema().block
    }

    fn prior_identity(&mut self) -> Option<Value> {
        self.request.prior_identity.take().filter(|it| !it.is_null())
    }

    fn requires_replacement(&self) -> bool {
        !self.response.requires_replace.is_empty()
    }

    /// Phase 1: the configuration with its defaults, and the prior state.
    fn normalize(&mut self) -> Result<(Normalized, Value)> {
        let config = self.request.config.take().unwrap_or(Value::Null);
        let prior = self.request.prior.take().unwrap_or(Value::Null);
        Ok((Normalized::of(self.block(), &config)?, prior))
    }

    /// Phase 2: the proposed new state, after the plan modifiers of attributes (`plan_with`).
    fn propose(&self, config: Normalized, prior: Value, private: &Private) -> Result<PhaseResults> {
        let block = self.block();
        let empty = Object::default();
        let with_defaults = config.with_defaults.as_object().unwrap_or(&empty);
        let with_fingerprints = fingerprint::with_fingerprints(block, &prior, private)?;
        let matches = with_fingerprints
            .as_object()
            .map(|prior| ObjectMatches::of(block, with_defaults, prior))
            .unwrap_or_default();
        let proposed = propose(block, with_defaults, &prior, &with_fingerprints, &matches)?;
        let planned = proposed.clone();
        drop(with_fingerprints);
        Ok(PhaseResults { config, prior, matches, proposed, planned })
    }

    /// Phase 3: calls the provider's `plan` method. Returns false if the method has failed, so that there is no plan.
    async fn modify(&mut self, cx: &RequestContext, phases: &mut PhaseResults) -> bool {
        if !self.can_call_plan() {
            return true;
        }
        let block = &self.resource.schema().block;
        let operation = format!("the plan of {}", self.request.type_name);
        let change = AnyChange {
            config: phases.config.for_provider(block),
            prior: phases.prior.clone(),
            plan: phases.proposed.clone(),
        };
        let method = self.resource.plan(cx.clone(), change);
        let changed = run(cx, &operation, Effect::Reads, method, &mut self.response.diagnostics).await;
        self.response.deferred = cx.allowed_deferral();
        match changed {
            Some(changed) => {
                let changed = overlay::without_write_only(block, &changed);
                let changed = overlay::restore_unknown_variants(block, &phases.proposed, changed);
                // The conversion to the Rust type of an attribute can format a value in another way. The proposed value
                // stays if the two are semantically equal.
                phases.planned =
                    overlay::keep_semantically_equal(block, &phases.proposed, &changed, ValueSource::Method);
            }
            None if self.response.deferred.is_none() => return false,
            None => {}
        }
        self.response.private = cx.take_private().encode();
        true
    }

    fn can_call_plan(&self) -> bool {
        self.resource.capabilities().plan && self.can_call_methods
    }

    /// Phase 4: checks the plan as Terraform does after the RPC. Returns an error for each value that Terraform would
    /// reject.
    fn verify(&self, phases: &PhaseResults) -> Diagnostics {
        let verify = if self.can_call_plan() { contract::check_plan } else { contract::check_proposed_plan };
        verify(self.block(), &phases.config.config, &phases.prior, &phases.planned)
    }

    /// Phase 5: the paths that require replacement, by the schema and by the provider's `plan` method.
    fn find_replacements(
        &mut self,
        cx: &RequestContext,
        phases: &mut PhaseResults,
        violations: &mut Diagnostics,
    ) {
        let block = &self.resource.schema().block;
        let reordered;
        let planned = match self.can_call_plan() {
            true => {
                // The matches refer to the elements of sets by their indexes in the proposed new state.
                reordered = in_order_of(block, &phases.proposed, phases.planned.clone());
                &reordered
            }
            false => &phases.planned,
        };
        let Normalized { config, with_defaults, .. } = &phases.config;
        let change = ChangedValues { config, with_defaults, prior: &phases.prior, planned };
        let context = ConditionContext { provider: cx.provider(), clock: cx.clock() };
        let can_update = self.resource.capabilities().update;
        let mut paths = replacements(block, change, &phases.matches, can_update, context);
        let mut known: HashSet<Path> = paths.iter().cloned().collect();
        paths.extend(cx.take_replacement_paths().into_iter().filter(|it| known.insert(it.clone())));
        if !phases.prior.is_null() {
            violations.extend(contract::check_replacements(block, &phases.prior, &phases.planned, &paths));
        }
        self.response.requires_replace = paths;
    }

    /// A replacement destroys the prior object, but Terraform makes no separate plan of that destroy, so `plan_delete`
    /// is called here. The planned private state is that of the new object, so private state that `plan_delete` stores
    /// is dropped.
    async fn plan_replaced_object(&mut self, phases: &PhaseResults) -> Result<()> {
        if !phases.prior.is_null() && self.requires_replacement() {
            self.call_plan_delete(phases.prior.clone()).await?;
        }
        Ok(())
    }

    /// Calls the `plan_delete` method of the resource, if it has one. Returns the context of the call.
    async fn call_plan_delete(&mut self, prior: Value) -> Result<Option<RequestContext>> {
        if !self.resource.capabilities().plan_delete || !self.can_call_methods {
            return Ok(None);
        }
        let private = Private::decode(&self.request.prior_private)?;
        let cx = self.context(private)?;
        let operation = format!("the destroy plan of {}", self.request.type_name);
        let method = self.resource.plan_delete(cx.clone(), prior);
        run(&cx, &operation, Effect::Reads, method, &mut self.response.diagnostics).await;
        self.response.deferred = self.response.deferred.or(cx.allowed_deferral());
        Ok(Some(cx))
    }

    /// Phase 6: the identity of the planned object, as far as it is known.
    async fn plan_identity(&mut self, cx: &RequestContext, phases: &PhaseResults) {
        let prior_identity = self.prior_identity();
        if let Some(identity) = ResourceIdentity::new(self.resource, cx) {
            let replaces = self.requires_replacement();
            let PhaseResults { prior, planned, .. } = phases;
            let diagnostics = &mut self.response.diagnostics;
            self.response.identity =
                identity.planned(prior_identity.as_ref(), prior, planned, replaces, diagnostics).await;
        }
    }
}
