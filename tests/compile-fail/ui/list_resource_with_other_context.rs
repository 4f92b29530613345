//! `list` sends its results with a `ListCx`.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{ApplyCx, Args, Cx, ListResource, Model, Planned, ReadCx, Resource, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    #[attr(identity, requires_replace)]
    name: String,
}

impl Resource for Machine {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<MachineComputed> {
        Ok(MachineComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Machines {
    prefix: Option<String>,
}

impl ListResource for Machines {
    type Resource = Machine;

    async fn list(_: &Cx<Cloud>, _: Args<Self>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
