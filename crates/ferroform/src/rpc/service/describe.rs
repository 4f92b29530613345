//! The schemas of everything, for either protocol.

use std::collections::BTreeMap;

use ferroform_proto::Bytes;

use super::Service;
use super::message::Message;
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
        let mut found = self.server.name_faults();
        // One after the other in one piece of memory, of which each is a part then.
        let mut out = Message::default();
        let mut ends = Vec::new();
        self.server.each_schema(|owner, schema| {
            found.extend(self.server.schema_faults(owner, schema));
            Writer::new(protocol, owner, &mut found).schema(schema, &mut out);
            ends.push((owner, out.len()));
        });
        if found.has_error() {
            return Schemas { found, ..Schemas::default() };
        }
        let mut all = Schemas { found, ..Schemas::default() };
        let mut rest = out.into_bytes();
        let mut before = 0;
        for (owner, end) in ends {
            let bytes = rest.split_to(end - before);
            before = end;
            match owner {
                Owner::Provider => all.provider = bytes,
                Owner::Meta => all.meta = bytes,
                Owner::Resource(name) => drop(all.resources.insert(name.to_owned(), bytes)),
                Owner::DataSource(name) => drop(all.data_sources.insert(name.to_owned(), bytes)),
            }
        }
        all
    }
}
