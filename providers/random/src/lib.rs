//! A replacement for HashiCorp's `random` provider: random values that stay the same until their arguments change.

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

/// The provider.
#[derive(Debug)]
pub struct Random;

impl Provider for Random {
    const ADDRESS: &'static str = "registry.terraform.io/hashicorp/random";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Random))
    }

    fn register(_: &mut Registry<Self>) {}
}
