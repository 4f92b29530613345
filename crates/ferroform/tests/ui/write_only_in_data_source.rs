use ferroform::{Args, Config, DataCx, DataSource, Known, Maybe, Model, Provider, Registry, RequestCx, Result};

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
    #[attr(write_only)]
    key: Option<String>,
}

impl DataSource for File {
    type Provider = Local;

    async fn read(_: &DataCx<Self>, _: Args<Self>) -> Result<FileComputed> {
        unimplemented!()
    }
}

fn main() {}
