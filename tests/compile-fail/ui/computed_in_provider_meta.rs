use ferroform::{RequestCx, Known, Maybe, Model, Provider, Registry, Result};

struct Local;

impl Provider for Local {
    const ADDRESS: &'static str = "registry.terraform.io/example/local";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Local))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.provider_meta::<Metadata>();
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Metadata {
    #[attr(mixed)]
    by: Option<Team>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Team {
    #[attr(computed)]
    id: String,
}

fn main() {}
