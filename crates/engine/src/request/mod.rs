//! What surrounds one RPC: the request context that methods of the provider receive, and what the client can do.

pub mod around;
pub mod context;
pub mod deferral;
pub mod private_state;
