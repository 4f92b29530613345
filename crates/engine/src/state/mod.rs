//! The new state: the values that a method returned with the plan or the prior state, placeholders for missing values,
//! stored values that an upgrade keeps, and fingerprints of write-only values.

pub mod fingerprint;
pub mod overlay;
pub(crate) mod stored_values;
