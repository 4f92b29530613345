//! To come.

pub mod rpc;
