//! The context of an invocation has no checkpoints, because there is no state.

use ferroform::{Action, Args, InvokeCx, Known, Maybe, Model, Provider, Registry, RequestCx, Result, path};

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

    async fn invoke(cx: &InvokeCx<Self>, _: Args<Self>) -> Result<()> {
        cx.checkpoint_at(path!(machine_id), &7);
        Ok(())
    }
}

fn main() {}
