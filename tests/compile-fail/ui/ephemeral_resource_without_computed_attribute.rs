//! `open` returns all computed attributes.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{Args, EphemeralResource, Model, OpenCx, Opened, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct Token {
    #[attr(computed)]
    value: String,
}

impl EphemeralResource for Token {
    type Provider = Cloud;
    type Private = ();

    async fn open(_: &OpenCx<Self>, _: Args<Self>) -> Result<Opened<Self>> {
        Ok(Opened::new(TokenComputed {}, ()))
    }
}

fn main() {}
