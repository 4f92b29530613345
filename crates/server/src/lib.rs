//! The plugin server: from the start of the process to its end. The only module that knows gRPC and TLS.
//!
//! [`serve`] does what HashiCorp's plugin library does for the provider's side: it checks that a host
//! started the process, agrees on a protocol, opens a socket, prints the handshake line, and serves until
//! the host ends it. What it does not do: brokered connections (providers have none), and taking over the
//! process's stdout, which the host drains.

mod body;
mod call;
mod debug;
mod error;
mod handshake;
mod lead;
mod listen;
pub mod log;
mod server;
mod service;
mod services;
mod start;
#[cfg(unix)]
mod stream;
mod tls;
mod worker;

pub use self::call::cancellation;
pub use self::service::Service;
pub use self::start::{Plugin, serve};
pub use self::worker::{Gone, Messages, stream};
pub use ferroform_engine::Stopper;

/// The protocols that a provider can serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// For hosts before Terraform 1.0; without nested attributes.
    V5,
    /// For all others.
    V6,
}

/// The largest message, in both directions: as large as the host accepts.
pub const MAX_MESSAGE: usize = 256 << 20;
