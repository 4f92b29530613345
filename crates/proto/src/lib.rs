//! Messages and services of Terraform's plugin protocol, versions 5 and 6, and of the plugin library
//! that carries it. Knows nothing of what they mean.
//!
//! Generated from `proto/*.proto` by `cargo xtask proto`, and committed. A message of protocol 5 that has
//! the wire form of its counterpart in protocol 6 *is* that one: [`tfplugin5`] holds only what differs.

macro_rules! generated {
    ($(#[$about:meta])* $name:ident = $file:literal) => {
        $(#[$about])*
        #[allow(missing_docs, unreachable_pub, clippy::all)]
        pub mod $name {
            include!(concat!("generated/", $file, ".rs"));
        }
    };
}

generated!(
    /// Protocol 6, and the messages that both protocols share.
    tfplugin6 = "tfplugin6"
);
generated!(
    /// Protocol 5, as far as it differs from protocol 6.
    tfplugin5 = "tfplugin5"
);
generated!(
    /// The services of the plugin library: broker, controller and stdio.
    plugin = "plugin"
);
generated!(
    /// gRPC's health service.
    health = "grpc.health.v1"
);

mod by_hand;

pub use crate::by_hand::Timestamp;
