//! `state_only!` implements `read`, `update` and `delete`.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{ApplyCx, Model, Planned, Resource, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct Number {
    #[attr(computed)]
    result: u64,
}

impl Resource for Number {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<NumberComputed> {
        Ok(NumberComputed { result: 4 })
    }

    ferroform::state_only!(read, import, delete);
}

fn main() {}
