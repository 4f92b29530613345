//! A provider that is built at run time has the same schema on the wire as a typed provider.

use std::env;
use std::process::ExitCode;

use ferroform::Protocol;
use ferroform_proto::tfplugin6::{get_provider_schema, get_resource_identity_schemas};
use ferroform_proto::{Message as _, tfplugin6};

use crate::full_provider;
use crate::plugin::without_tls;

/// Environment variable that makes the plugin process serve this provider, in the form that the value names.
const FORM: &str = "TRANSPORT_TEST_FORM";

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    let form = env::var(FORM).ok()?;
    Some(match form.as_str() {
        "raw" => ferroform::serve_raw(full_provider::raw::provider(), &[Protocol::V6]),
        _ => ferroform::serve::<full_provider::typed::Cloud>(),
    })
}

pub(crate) async fn typed_and_runtime_provider_have_the_same_schema() {
    let mut responses = Vec::new();
    for form in ["typed", "raw"] {
        let (_plugin, handshake) = without_tls().env(FORM, form).start_and_handshake().await;
        let channel = handshake.connect_without_tls().await;
        let mut provider = channel.provider();
        let schemas =
            provider.get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
        let known_by = get_resource_identity_schemas::Request {};
        let identities = provider.get_resource_identity_schemas(known_by).await.unwrap().into_inner();
        assert_eq!(schemas.diagnostics, []);
        let machine = tfplugin6::Schema::decode(&schemas.resource_schemas["cloud_machine"][..]).unwrap();
        responses.push((machine, schemas, identities));
    }
    let [typed, raw] = <[_; 2]>::try_from(responses).unwrap();
    // The parts are compared before the complete message, because their differences are easier to read.
    assert_eq!(typed.0, raw.0);
    assert_eq!(typed.2, raw.2);
    assert_eq!(typed.1, raw.1);
}
