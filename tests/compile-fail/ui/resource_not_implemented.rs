use ferroform::{RequestCx, Config, Known, Maybe, Model, Provider, Registry, Result};

struct Local;

impl Provider for Local {
    const ADDRESS: &'static str = "registry.terraform.io/example/local";
    type Config = ();

    async fn configure(_: &RequestCx, _: Config<()>) -> Result<Maybe<Self>> {
        Ok(Known(Local))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<File>("local_file");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(computed)]
    id: String,
}



fn main() {}
