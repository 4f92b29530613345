//! `renew` gets the private data of `open`.

use ferroform::{
    Args, EphemeralResource, Known, Maybe, Model, OpenCx, Opened, OpenedCx, Provider, Registry, Renewed, RequestCx,
    Result,
};

struct Cloud;

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(_: &mut Registry<Self>) {}
}

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
