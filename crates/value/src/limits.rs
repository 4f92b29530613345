//! Limits that all readers share.

/// How deep values and types may be nested in what others send. Where a type is `any` the depth is the
/// sender's choice, and every level costs stack.
pub(crate) const MAX_DEPTH: u32 = 256;
