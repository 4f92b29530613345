//! A replacement for HashiCorp's `time` provider: points in time that are stored in the state.

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

/// The provider.
#[derive(Debug)]
pub struct Time;

impl Provider for Time {
    const ADDRESS: &'static str = "registry.terraform.io/hashicorp/time";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Time))
    }

    fn register(_: &mut Registry<Self>) {}
}
