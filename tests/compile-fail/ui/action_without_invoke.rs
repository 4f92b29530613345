//! The only required method of an action is `invoke`.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{Action, Model};

#[derive(Model, Clone, Debug, PartialEq)]
struct Restart {
    machine_id: String,
}

impl Action for Restart {
    type Provider = Cloud;
}

fn main() {}
