//! A checkpoint has the computed attributes of the resource that is created.

use ferroform::{ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result};

struct Cloud;

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Disk>("cloud_disk");
    }
}

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
