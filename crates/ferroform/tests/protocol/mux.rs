//! Two providers in one process, with a real client.

use std::env;
use std::process::ExitCode;

use ferroform::value::{Type, Value, msgpack};
use ferroform::{
    Args, Config, DataCx, DataSource, Known, Maybe, Model, Mux, Provider, Registry, RequestCx, Result,
};
use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::{
    DynamicValue, Schema, configure_provider, get_metadata, get_provider_schema, read_data_source,
    stop_provider,
};

use crate::plugin::without_tls;

/// Environment variable: `two` providers, or the `same` one twice. It makes the plugin process serve them.
const PROVIDERS: &str = "TRANSPORT_TEST_MUX";

/// The `main` of the plugin process, if it serves these providers.
pub(crate) fn main() -> Option<ExitCode> {
    Some(match env::var(PROVIDERS).ok()?.as_str() {
        "same" => Mux::new::<Small>().provider::<Small>().serve(),
        _ => Mux::new::<Small>().provider::<Large>().serve(),
    })
}

#[derive(Model, Clone, Debug, PartialEq)]
struct SmallConfig {
    /// Another description is no difference.
    region: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct LargeConfig {
    region: Option<String>,
    profile: Option<String>,
}

struct Small(Option<String>);

impl Provider for Small {
    const ADDRESS: &'static str = "example.com/test/small";
    type Config = SmallConfig;

    async fn configure(_: &RequestCx, config: Config<SmallConfig>) -> Result<Maybe<Self>> {
        Ok(config.region.map(Small))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.data_source::<Region>("small_region");
    }
}

struct Large(Option<String>);

impl Provider for Large {
    const ADDRESS: &'static str = "example.com/test/large";
    type Config = LargeConfig;

    async fn configure(_: &RequestCx, config: Config<LargeConfig>) -> Result<Maybe<Self>> {
        if config.profile == Known(Some("none".to_owned())) {
            return Err(ferroform::Diagnostic::error("No Such Profile").into());
        }
        Ok(config.profile.map(Large))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.data_source::<Profile>("large_profile");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Region {
    #[attr(computed)]
    name: Option<String>,
}

impl DataSource for Region {
    type Provider = Small;

    async fn read(cx: &DataCx<Self>, _: Args<Self>) -> Result<RegionComputed> {
        Ok(RegionComputed { name: cx.provider.0.clone() })
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Profile {
    #[attr(computed)]
    name: Option<String>,
}

impl DataSource for Profile {
    type Provider = Large;

    async fn read(cx: &DataCx<Self>, _: Args<Self>) -> Result<ProfileComputed> {
        Ok(ProfileComputed { name: cx.provider.0.clone() })
    }
}

fn configuration(region: &str, profile: &str) -> configure_provider::Request {
    let ty = Type::object([("region", Type::String), ("profile", Type::String)]);
    let config = Value::object([("region", region.into()), ("profile", profile.into())]);
    let msgpack = msgpack::encode(&config, &ty).unwrap().into();
    let config = Some(DynamicValue { msgpack, ..Default::default() });
    configure_provider::Request { config, ..Default::default() }
}

pub(crate) async fn each_provider_gets_its_types_and_its_configuration() {
    let (mut plugin, handshake) = without_tls().env(PROVIDERS, "two").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let mut provider = channel.provider();

    let schemas = provider.get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
    assert_eq!(schemas.diagnostics, []);
    let mut names: Vec<_> = schemas.data_source_schemas.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["large_profile", "small_region"]);
    let block = Schema::decode(schemas.provider).unwrap().block.unwrap();
    assert_eq!(block.attributes.len(), 2);

    let metadata = provider.get_metadata(get_metadata::Request {}).await.unwrap().into_inner();
    assert_eq!(metadata.data_sources.len(), 2);
    assert_eq!(metadata.server_capabilities, schemas.server_capabilities);

    let rejected = provider.configure_provider(configuration("eu", "none")).await.unwrap().into_inner();
    assert_eq!(rejected.diagnostics.len(), 1, "{rejected:?}");
    let configured = provider.configure_provider(configuration("eu", "admin")).await.unwrap().into_inner();
    assert_eq!(configured.diagnostics, []);

    let ty = Type::object([("name", Type::String)]);
    let config = msgpack::encode(&Value::object([("name", Value::Null)]), &ty).unwrap();
    for (type_name, expected) in [("small_region", "eu"), ("large_profile", "admin")] {
        let config = Some(DynamicValue { msgpack: config.clone().into(), ..Default::default() });
        let request = read_data_source::Request { type_name: type_name.into(), config, ..Default::default() };
        let response = provider.read_data_source(request).await.unwrap().into_inner();
        assert_eq!(response.diagnostics, []);
        let state = msgpack::decode(&response.state.unwrap().msgpack, &ty).unwrap();
        assert_eq!(state, Value::object([("name", expected.into())]));
    }

    let request = read_data_source::Request { type_name: "other_type".into(), ..Default::default() };
    let response = provider.read_data_source(request).await.unwrap().into_inner();
    assert_eq!(response.diagnostics.len(), 1, "{response:?}");
    let stopped = provider.stop_provider(stop_provider::Request {}).await.unwrap().into_inner();
    assert_eq!(stopped.error, "");
    assert!(plugin.end(channel).await.success());
}

pub(crate) async fn type_of_two_providers_is_an_error() {
    let (mut plugin, handshake) = without_tls().env(PROVIDERS, "same").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let request = get_provider_schema::Request {};
    let schemas = channel.provider().get_provider_schema(request).await.unwrap().into_inner();
    let [diagnostic] = &schemas.diagnostics[..] else { panic!("{:?}", schemas.diagnostics) };
    assert_eq!(diagnostic.summary, "Invalid Provider Server Combination");
    let expected = "The data source type \"small_region\" is served by example.com/test/small and by \
                    example.com/test/small. ";
    assert!(diagnostic.detail.starts_with(expected), "{}", diagnostic.detail);
    assert!(schemas.data_source_schemas.is_empty());
    assert!(plugin.end(channel).await.success());
}
