//! A replacement for HashiCorp's `tls` provider: private keys, certificate requests and certificates.

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

/// The provider.
#[derive(Debug)]
pub struct Tls;

impl Provider for Tls {
    const ADDRESS: &'static str = "registry.terraform.io/hashicorp/tls";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Tls))
    }

    fn register(_: &mut Registry<Self>) {}
}
