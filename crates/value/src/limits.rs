//! Limits of all decoders.

/// The maximum nesting of values and types in an input. The sender chooses the nesting of a value of the type `any`, and
/// every level needs stack.
pub(crate) const MAX_DEPTH: u32 = 256;
