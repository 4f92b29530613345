//! The practitioner sets all attributes of an action, which has no result.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{Action, Args, InvokeCx, Model, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct Restart {
    machine_id: String,
    #[attr(computed)]
    restarted_at: String,
}

impl Action for Restart {
    type Provider = Cloud;

    async fn invoke(_: &InvokeCx<Self>, _: Args<Self>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
