//! The plugin server: handshake, TLS, gRPC services, executor and logging. The only crate that depends on gRPC and TLS.
//!
//! [`serve`] implements the provider's side of HashiCorp's plugin library: it checks that Terraform started the
//! process, negotiates a protocol version, opens a socket, prints the handshake line, and serves RPCs until
//! Terraform ends the process. Two parts of the library are not supported: brokered connections, which providers do
//! not use, and redirecting the stdout of the process, which Terraform reads directly.

mod body;
#[cfg(feature = "client")]
pub mod client;
mod debug;
mod environment;
mod error;
mod executor;
mod handshake;
mod listen;
pub mod log;
mod mux;
mod protocol;
mod protocol_5;
mod provider_messages;
#[cfg(feature = "client")]
mod reattach;
mod rpcs;
mod schema_translation;
mod server;
mod service;
mod service_context;
mod services;
mod signals;
mod standard_streams;
mod start;
mod tls;

pub use self::protocol::{MAX_MESSAGE, Protocol};
#[cfg(feature = "client")]
pub use self::reattach::ReattachServer;
pub use self::service::Service;
pub use self::service_context::ServiceContext;
pub use self::start::{CombinedProvider, CreateProvider, Plugin, serve};
pub use ferroform_engine::Stopper;
