//! The type of the provider, to which each resource refers.

/// The provider.
pub struct Bench;
