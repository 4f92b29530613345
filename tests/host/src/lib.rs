//! As much of a host as tests and benches need: it starts a plugin, shakes hands and calls.
//!
//! It trusts nothing that it has not checked, as Terraform does; what goes wrong is a panic, for that is how a test
//! fails.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

mod certificate;
mod plugin;

pub use certificate::Identity;
pub use plugin::{Channel, Folder, Handshake, Io, Plugin, Setup, origin, sockets};
