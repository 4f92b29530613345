//! A registered list resource implements the trait.

use ferroform::{ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result};

struct Cloud;

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Machine>("cloud_machine").list_resource::<Machines>("cloud_machine");
    }
}

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

fn main() {}
