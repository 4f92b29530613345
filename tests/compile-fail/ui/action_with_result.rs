//! An action returns no values.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{Action, Args, InvokeCx, Model, Result};

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
