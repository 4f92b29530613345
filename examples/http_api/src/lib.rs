//! The provider of the tutorial, which manages the users of a directory through an HTTP API.

mod client;
mod error;
mod provider;
mod user;
mod users;

pub use client::Client;
