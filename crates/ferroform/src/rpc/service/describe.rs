//! The schemas of everything, for either protocol.

use std::collections::BTreeMap;

use ferroform_proto::Bytes;

use super::Service;
use super::schema::Writer;
use crate::engine::Owner;
use crate::{Diagnostics, Protocol};

/// Each as the bytes of a message `Schema`. Nothing but errors where there is one.
#[derive(Default)]
pub(super) struct Schemas {
    pub(super) provider: Bytes,
    pub(super) meta: Bytes,
    pub(super) resources: BTreeMap<String, Bytes>,
    pub(super) data_sources: BTreeMap<String, Bytes>,
    pub(super) found: Diagnostics,
}

impl Service {
    /// All schemas in that protocol. Each is checked and written while it is at hand, and dropped.
    pub(super) fn schemas(&self, protocol: Protocol) -> Schemas {
        let mut all = Schemas { found: self.server.name_faults(), ..Schemas::default() };
        self.server.each_schema(|owner, schema| {
            all.found.extend(self.server.schema_faults(owner, schema));
            let bytes = Bytes::from(Writer::new(protocol, owner, &mut all.found).schema(schema));
            match owner {
                Owner::Provider => all.provider = bytes,
                Owner::Meta => all.meta = bytes,
                Owner::Resource(name) => drop(all.resources.insert(name.to_owned(), bytes)),
                Owner::DataSource(name) => drop(all.data_sources.insert(name.to_owned(), bytes)),
            }
        });
        if all.found.has_error() { Schemas { found: all.found, ..Schemas::default() } } else { all }
    }
}
