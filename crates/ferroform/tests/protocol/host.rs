//! Starts this program again as a plugin.

pub(crate) use plugin_host::{Channel, Folder, Handshake, Identity, Plugin, Setup, origin, sockets};

use crate::provider;

/// With nothing in the environment but what makes it a plugin.
pub(crate) fn bare() -> Setup {
    Setup::of(std::env::current_exe().unwrap()).env(provider::PROTOCOLS, "5,6")
}

/// As a host does, without TLS.
pub(crate) fn plain() -> Setup {
    bare().hosted()
}

/// As a host with this certificate does.
pub(crate) fn tls(identity: &Identity) -> Setup {
    bare().trusting(identity)
}
