//! A drop-in replacement for HashiCorp's `http` provider, which sends HTTP requests.

mod client;
mod data_source;
mod no_proxy;
mod proxy;
mod redirect;
mod response;
mod retry;
mod tls;

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

use crate::data_source::Response;

/// The provider, which has no configuration.
#[derive(Debug)]
pub struct Http;

impl Provider for Http {
    const ADDRESS: &'static str = "registry.terraform.io/hashicorp/http";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Http))
    }

    fn register(registry: &mut Registry<Self>) {
        // Like in the original, the name has no prefix.
        registry.data_source::<Response>("http");
    }
}

#[cfg(test)]
#[path = "../tests/server/mod.rs"]
mod server;
#[cfg(test)]
mod tests;
