use ferroform::{
    ApplyCx, Known, Maybe, Model, Moves, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result,
};

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
