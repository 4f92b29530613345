//! The new state: what a method returned combined with the plan or the prior state, placeholders for missing values, and
//! fingerprints of write-only values.

pub mod computed_blocks;
pub mod fingerprint;
pub mod overlay;
