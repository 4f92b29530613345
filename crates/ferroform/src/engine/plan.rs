//! PlanResourceChange.

use std::collections::HashSet;

use ferroform_value::{Path, Value};

use super::merge::merge;
use super::replace::replacements;
use super::run::{Effect, run};
use super::{Server, contract, overlay};
use crate::private::Private;
use crate::raw::AnyChange;
use crate::schema::Schema;
use crate::{Diagnostics, Result};

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
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl Server {
    /// Plans a change of a resource.
    pub async fn plan(&self, request: PlanRequest) -> PlanResponse {
        let mut response = PlanResponse { private: request.prior_private.clone(), ..PlanResponse::default() };
        let secrets = self.secrets(&request.type_name, [&request.config, &request.prior]);
        if let Err(more) = self.plan_into(request, &mut response).await {
            response.diagnostics.extend(more);
        }
        secrets.mask(&mut response.diagnostics);
        response
    }

    async fn plan_into(&self, request: PlanRequest, response: &mut PlanResponse) -> Result<()> {
        let resource = self.resource(&request.type_name)?.clone();
        let Schema { block, .. } = resource.schema();
        let prior = request.prior.unwrap_or(Value::Null);
        if request.proposed.is_none_or(|it| it.is_null()) {
            response.planned = Some(Value::Null);
            if resource.abilities().plan_delete {
                let call = self.call().with_private(Private::decode(&request.prior_private)?);
                let what = format!("The plan to destroy {}", request.type_name);
                let answer = resource.plan_delete(call.clone(), prior);
                run(&call, &what, Effect::Reads, answer, &mut response.diagnostics).await;
            }
            return Ok(());
        }
        let private = Private::decode(&request.prior_private)?;
        let config = super::configure::object_of(block, &request.config.unwrap_or(Value::Null));
        let config = super::blocks::prepared(block, config);
        let Value::Object(object) = &config else { return Ok(()) };
        let mut planned = merge(block, object, prior.as_object());

        let call = self.call().with_private(private);
        if resource.abilities().plan {
            let what = format!("The plan of {}", request.type_name);
            let change = AnyChange { config: config.clone(), prior: prior.clone(), plan: planned.clone() };
            let answer = resource.plan(call.clone(), change);
            match run(&call, &what, Effect::Reads, answer, &mut response.diagnostics).await {
                // A type may print what it has read in another way: what means the same stays as it was.
                Some(changed) => {
                    let changed = overlay::without_write_only(block, &changed);
                    planned = overlay::keep_same(block, &planned, &changed);
                }
                None => return Ok(()),
            }
            response.private = call.take_private().encode();
        }
        let broken = contract::plan(block, &config, &prior, &planned);
        let in_place = resource.abilities().update;
        response.requires_replace = replacements(block, &config, &prior, &planned, in_place);
        let mut known: HashSet<Path> = response.requires_replace.iter().cloned().collect();
        let more = call.take_replace().into_iter().filter(|it| known.insert(it.clone()));
        response.requires_replace.extend(more);
        response.planned = Some(planned);
        if broken.is_empty() { Ok(()) } else { Err(broken) }
    }
}
