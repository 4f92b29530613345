//! The provider that the compile-fail programs share.

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

pub struct Cloud;

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(_: &mut Registry<Self>) {}
}
