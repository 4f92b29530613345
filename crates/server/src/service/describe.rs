//! The response to GetProviderSchema, in both protocols.

use ferroform_proto::tfplugin6::ActionSchema;
use ferroform_proto::tfplugin6::get_provider_schema::Response;

use super::Service;
use super::convert::diagnostics;
use super::schema::SchemaEncoder;
use super::v6::capabilities;
use crate::protocol::Protocol;
use ferroform_engine::Owner;

impl Service {
    /// All schemas in this protocol, or the errors in the provider's definition. The response of protocol 5 has the
    /// same fields.
    ///
    /// A provider may have thousands of types. Each schema is created, checked, encoded and dropped before the next
    /// one, so that the response contains bytes, which take about a tenth of the memory of the messages.
    pub(super) fn schemas(&self, protocol: Protocol) -> Response {
        let mut errors = self.server.name_errors();
        let mut response = Response::default();
        let mut buffer = Vec::new();
        self.server.for_each_schema(|owner, schema, schema_errors| {
            errors.extend(schema_errors);
            if matches!(owner, Owner::StateStore(_)) && protocol == Protocol::V5 {
                // Protocol 5 has no state stores.
                return;
            }
            let patterns = match owner {
                Owner::Resource(name) => {
                    self.server.resource(name).map_or(&[][..], |it| it.import_patterns())
                }
                _ => &[],
            };
            let description = schema.block.description_with_import_ids(patterns);
            let encoder = SchemaEncoder { protocol, owner, description: &description, errors: &mut errors };
            let bytes = encoder.encode(&schema, &mut buffer);
            match owner {
                Owner::Provider => response.provider = bytes,
                Owner::ProviderMeta => response.provider_meta = bytes,
                Owner::Resource(name) => drop(response.resource_schemas.insert(name.to_owned(), bytes)),
                Owner::ListResource(name) => {
                    drop(response.list_resource_schemas.insert(name.to_owned(), bytes))
                }
                Owner::DataSource(name) => drop(response.data_source_schemas.insert(name.to_owned(), bytes)),
                Owner::EphemeralResource(name) => {
                    drop(response.ephemeral_resource_schemas.insert(name.to_owned(), bytes));
                }
                Owner::Action(name) => {
                    drop(response.action_schemas.insert(name.to_owned(), ActionSchema { schema: bytes }));
                }
                Owner::StateStore(name) => drop(response.state_store_schemas.insert(name.to_owned(), bytes)),
            }
        });
        response.functions = self.functions();
        if errors.has_error() {
            response = Response::default();
        }
        response.server_capabilities = Some(capabilities());
        response.diagnostics = diagnostics(errors);
        response
    }
}
