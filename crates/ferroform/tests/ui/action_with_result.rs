//! An action returns no values.

use ferroform::{Action, Args, InvokeCx, Known, Maybe, Model, Provider, Registry, RequestCx, Result};

struct Cloud;

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

#[derive(Model, Clone, Debug, PartialEq)]
struct Restart {
    machine_id: String,
}

impl Action for Restart {
    type Provider = Cloud;

    async fn invoke(_: &InvokeCx<Self>, args: Args<Self>) -> Result<String> {
        Ok(args.machine_id)
    }
}

fn main() {}
