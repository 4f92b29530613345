use ferroform::{ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result};

struct Local;

impl Provider for Local {
    const ADDRESS: &'static str = "example.com/test/local";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Local))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<File>("local_file");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity = FileIdentity)]
struct File {
    #[attr(requires_replace)]
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct FileIdentity {
    machine: String,
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
}

fn main() {}
