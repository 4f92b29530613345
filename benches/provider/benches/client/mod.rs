//! The parts of requests that all benchmarks use.

use ferroform::value::{Type, Value, msgpack};
use ferroform_proto::tfplugin6::{DynamicValue, configure_provider};
use plugin_client::Channel;

/// Configures the provider, which has no attributes.
pub(crate) async fn configure(channel: &Channel) {
    let config = wire(&Value::Object(Default::default()), &Type::object::<&str>([]));
    let request = configure_provider::Request { config: Some(config), ..Default::default() };
    let response = channel.provider().configure_provider(request).await.unwrap().into_inner();
    assert!(response.diagnostics.is_empty());
}

/// Encodes a value.
pub(crate) fn wire(value: &Value, ty: &Type) -> DynamicValue {
    DynamicValue { msgpack: msgpack::encode(value, ty).unwrap().into(), ..Default::default() }
}
