use ferroform::{Args, RequestCx, Config, Cx, DataSource, Known, Maybe, Model, Provider, Registry, Result};

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
    #[attr(computed)]
    depends_on: String,
}

impl DataSource for File {
    type Provider = Local;

    async fn read(_: &Cx<Local>, _: Args<Self>) -> Result<FileComputed> {
        unimplemented!()
    }
}

fn main() {}
