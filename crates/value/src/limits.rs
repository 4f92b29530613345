//! Limits of all decoders.

/// The maximum nesting of values and types in an input. The sender determines the nesting of a value of the type `any`,
/// and each level requires stack space.
pub(crate) const MAX_DEPTH: u32 = 256;
