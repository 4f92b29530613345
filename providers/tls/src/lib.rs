//! A drop-in replacement for HashiCorp's `tls` provider, which creates private keys, certificate signing requests (CSRs) and
//! certificates.

mod cert_request;
mod certificate;
mod distinguished_name;
mod fetch;
mod issuance;
mod key;
mod locally_signed_cert;
#[path = "../../http/src/no_proxy.rs"]
mod no_proxy;
mod pem;
mod private_key;
mod proxy;
mod public_key;
mod self_signed_cert;
mod subject;
mod usage;

use ferroform::validators::size_at_most;
use ferroform::{Config, Known, Maybe, Model, Provider, Registry, RequestCx, Result};
use sha1::{Digest as _, Sha1};

use crate::cert_request::CertRequest;
use crate::certificate::CertificateChain;
use crate::locally_signed_cert::LocallySignedCert;
use crate::private_key::{EphemeralPrivateKey, PrivateKeyResource};
use crate::proxy::{Proxy, ProxySelector};
use crate::public_key::PublicKey;
use crate::self_signed_cert::SelfSignedCert;

/// The provider. Its proxy configuration can be unknown during a plan, because only `tls_certificate` uses it.
#[derive(Debug)]
pub struct Tls {
    proxy: Maybe<ProxySelector>,
}

/// The provider configuration.
#[derive(Model, Clone, Debug, PartialEq)]
pub struct Settings {
    /// The proxy between the provider and the servers whose certificates it reads.
    #[attr(block, validate = size_at_most(1))]
    proxy: Vec<Proxy>,
}

impl Provider for Tls {
    const ADDRESS: &'static str = "registry.terraform.io/hashicorp/tls";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        let settings = Settings::from_config(config)?;
        let proxy = settings.map(|it| proxy::create_selector(it.proxy.first())).transpose_result()?;
        Ok(Known(Tls { proxy }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<PrivateKeyResource>("tls_private_key")
            .resource::<CertRequest>("tls_cert_request")
            .resource::<SelfSignedCert>("tls_self_signed_cert")
            .resource::<LocallySignedCert>("tls_locally_signed_cert")
            .data_source::<PublicKey>("tls_public_key")
            .data_source::<CertificateChain>("tls_certificate")
            .ephemeral_resource::<EphemeralPrivateKey>("tls_private_key")
            .ephemeral_resource::<PublicKey>("tls_public_key");
    }
}

/// Computes the hexadecimal SHA1 checksum that is the ID of many objects. As in the original, leading and trailing white space
/// is ignored, even in binary data.
fn checksum(mut bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return String::new();
    }
    let is_space = |it: &[u8]| std::str::from_utf8(it).is_ok_and(|it| it.trim().is_empty());
    while let Some(length) = (1..=3).find(|&it| bytes.get(..it).is_some_and(is_space)) {
        bytes = &bytes[length..];
    }
    while let Some(length) = (1..=3).find(|&it| bytes.len() >= it && is_space(&bytes[bytes.len() - it..])) {
        bytes = &bytes[..bytes.len() - length];
    }
    hex(&Sha1::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

#[cfg(test)]
mod tests;
