//! `bench_slow`: a resource whose creation blocks its thread.

use std::thread;
use std::time::Duration;

use ferroform::{ApplyCx, Cx, Model, Planned, Resource, Result};

use crate::Bench;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Slow {
    milliseconds: u64,
    #[attr(computed)]
    id: String,
}

impl Resource for Slow {
    type Provider = Bench;

    async fn create(_: &ApplyCx<Bench>, plan: Planned<Self>) -> Result<SlowComputed> {
        thread::sleep(Duration::from_millis(plan.milliseconds));
        Ok(SlowComputed { id: "slow".into() })
    }

    async fn read(_: &Cx<Bench>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Bench>, _: Self) -> Result<()> {
        Ok(())
    }
}
