//! The client side of the plugin protocol: starts a provider binary as Terraform does, and calls its RPCs.
//!
//! [`PluginCommand::start`] performs the handshake with mutual TLS, for providers that are written in any language.
//! [`Plugin::client`] returns the generated gRPC client of protocol 6, which also works with protocol 5 providers.

mod channel;
mod command;
mod error;
mod guard;
mod handshake;
mod lines;
mod schemas;
mod tls;

pub use self::channel::Channel;
pub use self::command::{Plugin, PluginCommand};
pub use self::error::{PluginError, PluginErrorKind};
pub use self::schemas::{decode_function, decode_identity, decode_schema, decode_schemas};
pub use crate::protocol_5::ProviderChannel;
