//! The schema of a provider: of a binary, or of a file with the output of `terraform providers schema -json`.
//!
//! ```text
//! provider binary ──▶ binary ──▶ wire ──┐
//!                                       ├─▶ model
//! JSON file, stdin ──▶ source ──────────┘
//! ```

pub(crate) mod binary;
pub(crate) mod model;
pub(crate) mod source;
pub(crate) mod types;
mod wire;
