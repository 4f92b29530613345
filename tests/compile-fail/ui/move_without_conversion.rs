#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{ApplyCx, Model, Moves, Planned, ReadCx, Resource, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct Old {
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
}

impl Resource for File {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<FileComputed> {
        Ok(FileComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }

    fn moves(moves: &mut Moves<Self>) {
        moves.from_type::<Old>("local_old");
    }
}

fn main() {}
