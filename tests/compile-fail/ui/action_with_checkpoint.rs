//! The context of an invocation has no checkpoints, because there is no state.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{Action, Args, InvokeCx, Model, Result, path};

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
