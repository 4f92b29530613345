//! The type of the provider, to which each resource and data source refers.

/// The provider, which has no configuration.
pub struct Local;
