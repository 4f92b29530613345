use ferroform::{
    ApplyCx, Config, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result,
};

struct Local;

impl Provider for Local {
    const ADDRESS: &'static str = "registry.terraform.io/example/local";
    type Config = ();

    async fn configure(_: &RequestCx, _: Config<()>) -> Result<Maybe<Self>> {
        Ok(Known(Local))
    }

    fn register(_: &mut Registry<Self>) {}
}

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    count: Option<u64>,
}

impl Resource for File {
    type Provider = Local;

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
