//! A struct without the derive is reported as such, and not as one with a forbidden attribute.

use ferroform::{EphemeralResource, Known, Maybe, Provider, Registry, RequestCx, Result};

struct Cloud;

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(_: &mut Registry<Self>) {}
}

struct Token;

impl EphemeralResource for Token {
    type Provider = Cloud;
    type Private = ();
}

fn main() {}
