//! The resource `probe_slow`: `create` creates the object, and waits for a long time until it is ready.

use std::thread;
use std::time::Duration;

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result, Timeouts, path};
use serde::{Deserialize, Serialize};

use super::Probe;

/// How long `create` waits. An interrupted method without a checkpoint can continue for 20 seconds. So if the
/// checkpoint did not end `create` immediately, `create` would succeed.
const WAIT: Duration = Duration::from_secs(15);

/// More than the threads of the runtime that runs spawned tasks.
const TASKS: usize = 16;

/// An object that takes a long time to become ready.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Slow {
    #[attr(requires_replace)]
    name: String,
    /// Whether `create` waits until the object is ready.
    #[attr(default = true)]
    wait: bool,
    /// Whether `create` blocks its thread while it waits, as a synchronous client does.
    #[attr(default = false)]
    blocking: bool,
    /// Whether `create` spawns tasks that block every thread of their runtime.
    #[attr(default = false)]
    blocking_tasks: bool,
    /// The milliseconds for which `create` blocks its thread before it creates the object.
    delay: Option<u64>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// Unknown until the object is ready.
    #[attr(computed)]
    address: String,
    #[serde(skip)]
    #[attr(block, timeouts(create))]
    timeouts: Option<Timeouts>,
}

impl Resource for Slow {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SlowComputed> {
        tracing::info!("creating");
        thread::sleep(Duration::from_millis(plan.delay.unwrap_or(0)));
        let id = format!("slow/{}", plan.name);
        let mut object = Slow {
            name: plan.name,
            wait: plan.wait,
            blocking: plan.blocking,
            blocking_tasks: plan.blocking_tasks,
            delay: plan.delay,
            id: id.clone(),
            address: String::new(),
            timeouts: None,
        };
        cx.provider.store.write(&object.name, &object)?;
        cx.checkpoint_at(path!(id), &id);
        if plan.blocking_tasks {
            for _ in 0..TASKS {
                tokio::spawn(async {
                    loop {
                        thread::park();
                    }
                });
            }
        }
        tracing::info!("created, but not ready");
        match (plan.wait, plan.blocking) {
            (true, true) => thread::sleep(WAIT),
            (true, false) => tokio::time::sleep(WAIT).await,
            (false, _) => {}
        }
        object.address = "10.0.0.1".into();
        cx.provider.store.write(&object.name, &object)?;
        Ok(object.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<SlowComputed> {
        Ok(prior.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}
