//! A checkpoint has the computed attributes of the resource that is created.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    name: String,
    #[attr(computed)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    #[attr(computed)]
    address: String,
}

impl Resource for Disk {
    type Provider = Cloud;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<DiskComputed> {
        cx.checkpoint(MachineComputed { address: "10.0.0.1".into() });
        Ok(DiskComputed { id: plan.name })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn main() {}
