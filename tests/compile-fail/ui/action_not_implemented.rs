//! A registered action implements the trait.

use ferroform::{Known, Maybe, Model, Provider, Registry, RequestCx, Result};

struct Cloud;

#[derive(Model, Clone, Debug, PartialEq)]
struct Restart {
    machine_id: String,
}

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.action::<Restart>("cloud_restart");
    }
}

fn main() {}
