//! The resource `probe_slow`: made at once, ready much later.

use std::time::Duration;

use ferroform::{ApplyCx, Cx, Model, Planned, Resource, Result, path};
use serde::{Deserialize, Serialize};

use super::Probe;

/// Longer than any test.
const WAIT: Duration = Duration::from_secs(300);

/// Something that takes its time.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Slow {
    #[attr(requires_replace)]
    name: String,
    /// Waits until it is ready.
    #[attr(default = true)]
    wait: bool,
    /// Blocks its thread meanwhile, as a synchronous client does.
    #[attr(default = false)]
    stubborn: bool,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// Not known before it is ready.
    #[attr(computed)]
    address: String,
}

impl Resource for Slow {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Probe>, plan: Planned<Self>) -> Result<SlowComputed> {
        let id = format!("slow/{}", plan.name);
        let mut made = Slow {
            name: plan.name,
            wait: plan.wait,
            stubborn: plan.stubborn,
            id: id.clone(),
            address: String::new(),
        };
        cx.provider.store.write(&made.name, &made)?;
        cx.checkpoint_at(path!(id), &id);
        tracing::info!("made, but not ready");
        match (plan.wait, plan.stubborn) {
            (true, true) => std::thread::sleep(WAIT),
            (true, false) => tokio::time::sleep(WAIT).await,
            (false, _) => {}
        }
        made.address = "10.0.0.1".into();
        cx.provider.store.write(&made.name, &made)?;
        Ok(made.into())
    }

    async fn read(cx: &Cx<Probe>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(_: &ApplyCx<Probe>, prior: Self, _: Planned<Self>) -> Result<SlowComputed> {
        Ok(prior.into())
    }

    async fn delete(cx: &ApplyCx<Probe>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}
