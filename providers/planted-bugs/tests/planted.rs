//! The providers with their bugs.

/// Whether the code of a module is the mistake, or its correction.
pub const PLANTED: bool = true;

#[path = "bugs/mod.rs"]
pub mod bugs;
