#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    count: Option<u64>,
}

impl Resource for File {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<FileComputed> {
        unimplemented!()
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn main() {}
