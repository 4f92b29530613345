//! The resource `probe_origin`: computed values and defaults from the environment.

use ferroform::defaults::env;
use ferroform::{ApplyCx, Model, Planned, Resource, Result};

use super::super::Probe;
use super::methods::state_only_methods;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Origin {
    name: String,
    note: Option<String>,
    #[attr(optional, computed)]
    chosen: String,
    #[attr(optional, computed, use_state_for_unknown)]
    kept: String,
    /// Recomputed by each update.
    #[attr(computed)]
    computed: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(default_with = env("FERROFORM_MATRIX"))]
    around: Option<String>,
    #[attr(default_with = env("FERROFORM_MATRIX_NEEDED"))]
    needed: String,
}

impl Origin {
    fn computed_values(plan: Planned<Self>, revision: &str) -> OriginComputed {
        let value = || format!("{revision} {}", plan.name);
        OriginComputed {
            chosen: plan.chosen.unwrap_or_else(value),
            kept: plan.kept.unwrap_or_else(value),
            computed: plan.computed.unwrap_or_else(value),
            id: plan.id.unwrap_or_else(value),
        }
    }
}

impl Resource for Origin {
    type Provider = Probe;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<OriginComputed> {
        Ok(Origin::computed_values(plan, "created"))
    }

    async fn update(_: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<OriginComputed> {
        Ok(Origin::computed_values(plan, "updated"))
    }

    state_only_methods!();
}
