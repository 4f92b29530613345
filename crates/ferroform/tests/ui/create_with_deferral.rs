//! A create is planned already, so it cannot be deferred.

use ferroform::{ApplyCx, Deferral, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result};

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

impl Resource for Disk {
    type Provider = Cloud;

    async fn create(cx: &ApplyCx<Self>, _: Planned<Self>) -> Result<DiskComputed> {
        Err(cx.defer(Deferral::AbsentPrerequisite))
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn main() {}
