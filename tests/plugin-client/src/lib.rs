//! The client side of the plugin protocol, for tests and benchmarks: starts a plugin, performs the handshake and
//! calls RPCs.
//!
//! Like Terraform, it verifies everything that the plugin sends. An error is a panic, because it fails a test.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod certificate;
mod plugin;
mod state_store;

pub use certificate::Identity;
pub use plugin::{Channel, Directory, Handshake, Io, Plugin, Setup, origin, sockets};
pub use state_store::{Errors, StateStore};
