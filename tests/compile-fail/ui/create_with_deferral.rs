//! A create is planned already, so it cannot be deferred.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{ApplyCx, Deferral, Model, Planned, ReadCx, Resource, Result};

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
