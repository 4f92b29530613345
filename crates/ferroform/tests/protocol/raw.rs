//! A provider that is built at run time has the same schema on the wire as a typed provider.

use std::env;
use std::process::ExitCode;

use ferroform::Protocol;
use ferroform_proto::tfplugin6::{get_provider_schema, get_resource_identity_schemas};
use ferroform_proto::{Message as _, tfplugin6};

use crate::full_provider;
use crate::host::plain;

/// Set in the environment of a plugin: it is this provider, in this form.
const FORM: &str = "TRANSPORT_TEST_FORM";

/// The plugin's `main`, when this process is one.
pub(crate) fn main() -> Option<ExitCode> {
    let form = env::var(FORM).ok()?;
    Some(match form.as_str() {
        "raw" => ferroform::serve_raw(full_provider::raw::provider(), &[Protocol::V6]),
        _ => ferroform::serve::<full_provider::typed::Cloud>(),
    })
}

pub(crate) async fn typed_and_raw_provider_have_the_same_schema() {
    let mut said = Vec::new();
    for form in ["typed", "raw"] {
        let (_plugin, shake) = plain().env(FORM, form).shake().await;
        let channel = shake.connect_plainly().await;
        let mut provider = channel.provider();
        let schemas =
            provider.get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
        let known_by = get_resource_identity_schemas::Request {};
        let identities = provider.get_resource_identity_schemas(known_by).await.unwrap().into_inner();
        assert_eq!(schemas.diagnostics, []);
        let machine = tfplugin6::Schema::decode(&schemas.resource_schemas["cloud_machine"][..]).unwrap();
        said.push((machine, schemas, identities));
    }
    let [typed, raw] = <[_; 2]>::try_from(said).unwrap();
    // The whole as bytes too, but what differs is told best of the parts.
    assert_eq!(typed.0, raw.0);
    assert_eq!(typed.2, raw.2);
    assert_eq!(typed.1, raw.1);
}
