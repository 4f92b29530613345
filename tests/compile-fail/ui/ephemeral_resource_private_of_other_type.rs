//! `renew` gets the private data of `open`.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{Args, EphemeralResource, Model, OpenCx, Opened, OpenedCx, Renewed, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct Token {
    #[attr(computed)]
    value: String,
}

impl EphemeralResource for Token {
    type Provider = Cloud;
    type Private = ();

    async fn open(_: &OpenCx<Self>, _: Args<Self>) -> Result<Opened<Self>> {
        Ok(Opened::new(TokenComputed { value: String::new() }, ()))
    }

    async fn renew(_: &OpenedCx<Self>, _: u64) -> Result<Renewed<Self>> {
        Ok(Renewed::new(()))
    }
}

fn main() {}
