//! State stores that are configured.

use std::fmt;
use std::sync::Arc;

use ferroform_value::Value;

use crate::provider::AnyConfiguredStateStore;
use crate::redaction::ObjectStrings;

/// A configured state store, with the settings of its later requests.
#[derive(Clone)]
pub(crate) struct ConfiguredStore {
    pub(crate) store: Arc<dyn AnyConfiguredStateStore>,
    /// The negotiated chunk size in bytes.
    pub(crate) chunk_size: usize,
    /// Its configuration, which contains the timeouts of its operations.
    pub(crate) config: Value,
    /// The sensitive values of its configuration, which no diagnostic may contain.
    pub(crate) sensitive: Arc<ObjectStrings>,
}

impl fmt::Debug for ConfiguredStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConfiguredStore").field("chunk_size", &self.chunk_size).finish_non_exhaustive()
    }
}
