//! The provider type, to which each resource refers.

/// The provider.
pub struct Bench;
