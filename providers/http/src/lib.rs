//! A replacement for HashiCorp's `http` provider: responses of HTTP servers.

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

/// The provider.
#[derive(Debug)]
pub struct Http;

impl Provider for Http {
    const ADDRESS: &'static str = "registry.terraform.io/hashicorp/http";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Http))
    }

    fn register(_: &mut Registry<Self>) {}
}
