//! Schema versions and state upgrades: version 1 stores the retention in seconds, version 0 stored a string such
//! as `4d`.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use ferroform::{
    ApplyCx, Context, Diagnostics, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx,
    Resource, Result, path,
};

fn main() -> ExitCode {
    ferroform::serve::<Queues>()
}

/// The service: the retention of each queue in seconds.
static SERVICE: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());

struct Queues;

impl Provider for Queues {
    const ADDRESS: &'static str = "registry.terraform.io/example/queues";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Queues))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Queue>("queues_queue");
    }
}

/// A queue, as version 0 of the schema stored it. The model of an old version must not change.
#[derive(Model, Clone, Debug, PartialEq)]
struct QueueV0 {
    name: String,
    /// The retention, such as `4d`.
    retention: String,
}

/// A queue.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = QueueV0)]
struct Queue {
    /// Name of the queue.
    #[attr(requires_replace)]
    name: String,
    /// How long the queue keeps a message, in seconds.
    retention_seconds: u64,
}

/// The state upgrade. Implement `From` instead if the conversion cannot fail.
impl TryFrom<QueueV0> for Queue {
    type Error = Diagnostics;

    fn try_from(old: QueueV0) -> Result<Queue> {
        let days: u64 = old
            .retention
            .strip_suffix('d')
            .unwrap_or(&old.retention)
            .parse()
            .context("Invalid Retention in State")
            .at(path!(retention))?;
        Ok(Queue { name: old.name, retention_seconds: days * 24 * 60 * 60 })
    }
}

impl Resource for Queue {
    type Provider = Queues;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<QueueComputed> {
        SERVICE.lock().unwrap_or_else(PoisonError::into_inner).insert(plan.name, plan.retention_seconds);
        Ok(QueueComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let retention = SERVICE.lock().unwrap_or_else(PoisonError::into_inner).get(&state.name).copied();
        Ok(retention.map(|retention_seconds| Queue { retention_seconds, ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<QueueComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        SERVICE.lock().unwrap_or_else(PoisonError::into_inner).remove(&state.name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ferroform_testing::{Action, Harness, config};

    use super::*;

    #[test]
    fn state_of_version_0_is_upgraded_and_its_plan_is_empty() {
        let mut queue = Harness::start::<Queues>(config! {}).resource("queues_queue");
        queue.upgrade_state(0, r#"{"name": "jobs", "retention": "4d"}"#);
        assert_eq!(queue.state().get::<u64>(path!(retention_seconds)), 345_600);
        let plan = queue.plan(config! { name = "jobs", retention_seconds = 345_600 });
        assert_eq!(plan.action, Action::NoOp);
    }

    #[test]
    fn error_of_a_state_upgrade_names_the_attribute() {
        let mut queue = Harness::start::<Queues>(config! {}).resource("queues_queue");
        let error =
            queue.try_upgrade_state(0, r#"{"name": "jobs", "retention": "long"}"#).error().to_string();
        assert!(error.contains("retention"), "{error}");
    }

    #[test]
    fn provider_violates_no_invariant() {
        ferroform_testing::check_provider::<Queues>();
    }
}
