//! The resource `probe_panic`: its methods panic as configured.

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
use serde::{Deserialize, Serialize};

use super::Probe;

/// An object whose methods panic.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fragile {
    #[attr(requires_replace)]
    name: String,
    /// The operation that panics.
    panics_in: Option<String>,
}

fn panic_in(method: &str, panics_in: Option<&str>) {
    assert!(panics_in != Some(method), "the method {method} panics");
}

impl Resource for Fragile {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<FragileComputed> {
        panic_in("create", plan.panics_in.as_deref());
        let object = Fragile { name: plan.name, panics_in: plan.panics_in };
        cx.provider.store.write(&object.name, &object)?;
        Ok(FragileComputed {})
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        panic_in("read", state.panics_in.as_deref());
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<FragileComputed> {
        panic_in("update", plan.panics_in.as_deref());
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        panic_in("delete", state.panics_in.as_deref());
        cx.provider.store.remove(&state.name)
    }
}
