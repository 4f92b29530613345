use ferroform::{RequestCx, ApplyCx, Cx, Known, Maybe, Model, Moves, Planned, Provider, Registry, Resource, Result};

struct Local;

impl Provider for Local {
    const ADDRESS: &'static str = "example.com/test/local";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Local))
    }

    fn register(_: &mut Registry<Self>) {}
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Old {
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
}

impl Resource for File {
    type Provider = Local;

    async fn create(_: &ApplyCx<Local>, _: Planned<Self>) -> Result<FileComputed> {
        Ok(FileComputed {})
    }

    async fn read(_: &Cx<Local>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Local>, _: Self) -> Result<()> {
        Ok(())
    }

    fn moves(moves: &mut Moves<Self>) {
        moves.from_type::<Old>("local_old");
    }
}

fn main() {}
