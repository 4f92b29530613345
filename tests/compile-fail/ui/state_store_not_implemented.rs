//! A registered state store implements the trait.

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

struct Cloud;

struct Bucket;

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.state_store::<Bucket>("cloud_bucket");
    }
}

fn main() {}
