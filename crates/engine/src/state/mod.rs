//! What the new state holds: the result of a method over the plan, checkpoints, fingerprints of write-only values.
pub mod blocks;
pub mod fingerprint;
pub mod overlay;
