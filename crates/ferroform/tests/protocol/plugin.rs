//! Starts this program again as a plugin process.

pub(crate) use plugin_client::{Channel, Directory, Handshake, Identity, Plugin, Setup, origin, sockets};

use crate::provider;

/// Returns a plugin process without the environment variables of Terraform, apart from the protocols to serve.
pub(crate) fn without_terraform() -> Setup {
    Setup::of(std::env::current_exe().unwrap()).env(provider::PROTOCOLS, "5,6")
}

/// Returns a plugin process with Terraform's environment, without TLS.
pub(crate) fn without_tls() -> Setup {
    without_terraform().started_by_terraform()
}

/// Returns a plugin process with Terraform's environment and this client certificate.
pub(crate) fn with_tls(identity: &Identity) -> Setup {
    without_terraform().with_client_certificate(identity)
}
