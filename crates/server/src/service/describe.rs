//! The response to GetProviderSchema, in both protocols.

use ferroform_proto::tfplugin6::get_provider_schema::Response;

use super::Service;
use super::convert::diagnostics;
use super::schema::encode;
use super::v6::capabilities;
use crate::protocol::Protocol;
use crate::provider_messages::add_schema;
use ferroform_engine::Kind;
use ferroform_engine::provider::AnyResource;

/// True if the protocol has messages for objects of the kind.
pub(super) fn is_served(kind: Kind, protocol: Protocol) -> bool {
    protocol == Protocol::V6 || kind.is_in_protocol_5()
}

impl Service {
    /// All schemas in this protocol, or the errors in the provider's definition. The response of protocol 5 has the
    /// same fields.
    ///
    /// A provider may have thousands of types. Each schema is created, checked, encoded and dropped before the next
    /// one, so that the response contains bytes, which take about a tenth of the memory of the messages.
    pub(super) fn schemas(&self, protocol: Protocol) -> Response {
        let mut errors = self.server.name_errors();
        let mut response = Response::default();
        self.server.for_each_schema(|owner, schema, schema_errors| {
            errors.extend(schema_errors);
            if !is_served(owner.kind, protocol) {
                return;
            }
            let resource =
                (owner.kind == Kind::Resource).then(|| self.server.find::<dyn AnyResource>(owner.name));
            let resource = resource.and_then(Result::ok).map(|it| &**it);
            let bytes = encode(protocol, owner, &schema, resource, &mut errors);
            add_schema(&mut response, owner, bytes);
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
