#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{ApplyCx, Config, Model, Planned, ReadCx, RequestCx, Resource, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(computed)]
    id: String,
}

impl Resource for File {
    type Provider = Cloud;

    async fn validate(_: &RequestCx, config: Config<Self>) -> Result<()> {
        let _: &str = &config.path;
        Ok(())
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<FileComputed> {
        Ok(FileComputed { id: plan.path })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn main() {}
