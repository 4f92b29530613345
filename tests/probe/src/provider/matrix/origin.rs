//! The resource `probe_origin`: values that the provider or the environment may choose.

use ferroform::defaults::env;
use ferroform::{ApplyCx, Model, Planned, Resource, Result};

use super::super::Probe;
use super::methods::only_in_the_state;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Origin {
    name: String,
    note: Option<String>,
    #[attr(optional, computed)]
    chosen: String,
    #[attr(optional, computed, use_state_for_unknown)]
    kept: String,
    /// Made anew by each update.
    #[attr(computed)]
    made: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(default_with = env("FERROFORM_MATRIX"))]
    around: Option<String>,
    #[attr(default_with = env("FERROFORM_MATRIX_NEEDED"))]
    needed: String,
}

impl Origin {
    fn made(plan: Planned<Self>, revision: &str) -> OriginComputed {
        let own = || format!("{revision} {}", plan.name);
        OriginComputed {
            chosen: plan.chosen.unwrap_or_else(own),
            kept: plan.kept.unwrap_or_else(own),
            made: plan.made.unwrap_or_else(own),
            id: plan.id.unwrap_or_else(own),
        }
    }
}

impl Resource for Origin {
    type Provider = Probe;

    async fn create(_: &ApplyCx<Probe>, plan: Planned<Self>) -> Result<OriginComputed> {
        Ok(Origin::made(plan, "created"))
    }

    async fn update(_: &ApplyCx<Probe>, _: Self, plan: Planned<Self>) -> Result<OriginComputed> {
        Ok(Origin::made(plan, "updated"))
    }

    only_in_the_state!();
}
