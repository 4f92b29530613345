use ferroform::{RequestCx, Config, Known, Maybe, Model, Provider, Registry, Result};

struct Local;

impl Provider for Local {
    const ADDRESS: &'static str = "registry.terraform.io/example/local";
    type Config = Settings;

    async fn configure(_: &RequestCx, _: Config<Settings>) -> Result<Maybe<Self>> {
        Ok(Known(Local))
    }

    fn register(_: &mut Registry<Self>) {}
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    #[attr(computed)]
    id: String,
}

fn main() {}
