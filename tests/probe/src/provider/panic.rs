//! The resource `probe_panic`: panics where it is told to.

use ferroform::{ApplyCx, Cx, Model, Planned, Resource, Result};
use serde::{Deserialize, Serialize};

use super::Probe;

/// Something with a mistake in it.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fragile {
    #[attr(requires_replace)]
    name: String,
    /// The operation that panics.
    panics_in: Option<String>,
}

fn go(here: &str, panics_in: Option<&str>) {
    assert!(panics_in != Some(here), "fell over in {here}");
}

impl Resource for Fragile {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Probe>, plan: Planned<Self>) -> Result<FragileComputed> {
        go("create", plan.panics_in.as_deref());
        let made = Fragile { name: plan.name, panics_in: plan.panics_in };
        cx.provider.store.write(&made.name, &made)?;
        Ok(FragileComputed {})
    }

    async fn read(cx: &Cx<Probe>, state: Self) -> Result<Option<Self>> {
        go("read", state.panics_in.as_deref());
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Probe>, _: Self, plan: Planned<Self>) -> Result<FragileComputed> {
        go("update", plan.panics_in.as_deref());
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Probe>, state: Self) -> Result<()> {
        go("delete", state.panics_in.as_deref());
        cx.provider.store.remove(&state.name)
    }
}
