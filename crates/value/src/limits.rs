//! Limits of all decoders.

/// The maximum nesting of values and types in an input. The sender determines the nesting of a value of the type `any`,
/// and each level requires stack space.
pub(crate) const MAX_DEPTH: u32 = 256;

/// The maximum number of elements and attributes of a value, at all depths. [`ElementBudget`](crate::element_budget)
/// counts them.
///
/// An element of one byte in the input becomes a [`Value`](crate::Value) of 32 bytes, of which an RPC has several
/// copies. Without this limit, a message of 200 MB requires more than 4 GB of memory. `DESIGN.md` compares the limit
/// with the number of elements that Terraform itself can process.
pub(crate) const MAX_ELEMENTS: usize = 4_000_000;
