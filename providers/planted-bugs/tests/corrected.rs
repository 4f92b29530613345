//! The same providers without their bugs.

/// Whether the code of a module is the mistake, or its correction.
pub const PLANTED: bool = false;

#[path = "bugs/mod.rs"]
pub mod bugs;
