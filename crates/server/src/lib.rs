//! The plugin server: from the start of the process to its end. The only module that knows gRPC and TLS.
//!
//! [`serve`] does what HashiCorp's plugin library does for the provider's side: it checks that a host
//! started the process, agrees on a protocol, opens a socket, prints the handshake line, and serves until
//! the host ends it. What it does not do: brokered connections (providers have none), and taking over the
//! process's stdout, which the host drains.

mod body;
mod debug;
mod environment;
mod error;
mod executor;
mod handshake;
mod listen;
pub mod log;
mod protocol;
mod server;
mod service;
mod service_context;
mod services;
mod standard_streams;
mod start;
mod tls;

pub use self::protocol::{MAX_MESSAGE, Protocol};
pub use self::service::Service;
pub use self::service_context::ServiceContext;
pub use self::start::{Plugin, serve};
pub use ferroform_engine::Stopper;
