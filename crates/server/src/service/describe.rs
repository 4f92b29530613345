//! The schemas of everything, for either protocol.

use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::get_provider_schema::Response;

use super::Service;
use super::convert::diagnostics;
use super::message::Message;
use super::schema::Writer;
use super::v6::capabilities;
use crate::Protocol;
use crate::pages::Pages;
use ferroform_engine::Diagnostics;
use ferroform_engine::Owner;

impl Service {
    /// All schemas in that protocol: the answer. Each is checked and written while it is at hand, and dropped. Nothing
    /// but errors where there is one.
    pub(super) fn schemas(&self, protocol: Protocol) -> Pages {
        let mut found = self.server.name_faults();
        let mut all = Pages::default();
        let mut out = Message::default();
        self.server.each_judged(|owner, schema, faults| {
            found.extend(faults);
            let mut writer = Writer::new(protocol, owner, &mut found);
            match owner {
                Owner::Provider => out.long_message(1, |out| writer.schema(schema, out)),
                Owner::Meta => out.long_message(5, |out| writer.schema(schema, out)),
                Owner::Resource(name) => out.entry(2, name, |out| writer.schema(schema, out)),
                Owner::DataSource(name) => out.entry(3, name, |out| writer.schema(schema, out)),
            }
            all.push(out.written());
            out.clear();
        });
        if found.has_error() {
            all = Pages::default();
        }
        // Messages that follow each other are one.
        all.push(&rest(found).encode_to_vec());
        all
    }
}

/// What stands in the answer beside the schemas.
fn rest(found: Diagnostics) -> Response {
    Response {
        server_capabilities: Some(capabilities()),
        diagnostics: diagnostics(found),
        ..Response::default()
    }
}
