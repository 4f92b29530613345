//! `bench_slow`: a resource whose creation blocks its thread.

use std::thread;
use std::time::Duration;

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

use crate::Bench;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Slow {
    milliseconds: u64,
    #[attr(computed)]
    id: String,
}

impl Resource for Slow {
    type Provider = Bench;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SlowComputed> {
        thread::sleep(Duration::from_millis(plan.milliseconds));
        Ok(SlowComputed { id: "slow".into() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}
