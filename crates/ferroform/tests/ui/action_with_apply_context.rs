//! The context of an invocation has no checkpoints, because there is no state.

use ferroform::{Action, ApplyCx, Args, Known, Maybe, Model, Provider, Registry, RequestCx, Result};

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

    async fn invoke(_: &ApplyCx<Self>, _: Args<Self>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
