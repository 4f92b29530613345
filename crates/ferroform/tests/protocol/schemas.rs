//! Schemas and server capabilities over a real connection.

use std::collections::BTreeMap;
use std::env;
use std::process::ExitCode;

use ferroform::{
    ApplyCx, Config, Known, Maybe, Model, Planned, Protocol, Provider, ReadCx, Registry, RequestCx, Resource,
    Result,
};
use ferroform_proto::tfplugin6::schema::nested_block::NestingMode;
use ferroform_proto::tfplugin6::{
    ClientCapabilities, DynamicValue, ServerCapabilities, StringKind, get_metadata, get_provider_schema,
    validate_resource_config,
};
use ferroform_proto::{Message as _, tfplugin6};

use crate::plugin::without_tls;

/// Environment variable that makes the plugin process serve this provider.
const SCHEMAS: &str = "TRANSPORT_TEST_SCHEMAS";

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    env::var_os(SCHEMAS)?;
    Some(ferroform::serve_protocols::<Cloud>(&[Protocol::V5, Protocol::V6]))
}

struct Cloud;

impl Provider for Cloud {
    const ADDRESS: &'static str = "registry.terraform.io/acme/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Server>("cloud_server");
    }
}

/// A `server`.
#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    /// *Plain*.
    #[attr(plain_description)]
    name: String,
    #[attr(block, optional, computed)]
    endpoint: Vec<Endpoint>,
    #[attr(block, min_items = 1, max_items = 3)]
    disk: Vec<Disk>,
    #[attr(block, min_items = 1)]
    route: BTreeMap<String, Disk>,
    #[attr(block, deprecated = "Use disk.")]
    boot: Disk,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Endpoint {
    #[attr(computed)]
    id: String,
}

/// A disk.
#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    #[attr(write_only, deprecated = "Leave it out.")]
    key: Option<String>,
}

impl Resource for Server {
    type Provider = Cloud;

    async fn validate(cx: &RequestCx, _: Config<Self>) -> Result<()> {
        if cx.is_write_only_allowed() {
            cx.warn("Write-only");
        }
        Ok(())
    }

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<ServerComputed> {
        Ok(ServerComputed { endpoint: Vec::new() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

pub(crate) async fn schema_has_blocks_and_descriptions() {
    let (_plugin, handshake) = without_tls().env(SCHEMAS, "").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let response =
        channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
    assert_eq!(response.diagnostics, []);
    let block =
        tfplugin6::Schema::decode(&response.resource_schemas["cloud_server"][..]).unwrap().block.unwrap();
    assert_eq!((block.description.as_str(), block.description_kind()), ("A `server`.", StringKind::Markdown));
    assert!(!block.computed);
    let name = &block.attributes[0];
    // The resource has no `update`.
    let described = "*Plain*. Changing it replaces the resource.";
    assert_eq!((name.description.as_str(), name.description_kind()), (described, StringKind::Plain));
    let nested: Vec<_> = block
        .block_types
        .iter()
        .map(|it| {
            let block = it.block.clone().unwrap();
            (
                it.type_name.as_str(),
                it.nesting(),
                it.min_items,
                it.max_items,
                block.computed,
                block.deprecated,
            )
        })
        .collect();
    assert_eq!(
        nested,
        [
            ("endpoint", NestingMode::List, 0, 0, true, false),
            ("disk", NestingMode::List, 1, 3, false, false),
            ("route", NestingMode::Map, 0, 0, false, false),
            ("boot", NestingMode::Single, 1, 1, false, true),
        ]
    );
    let boot = block.block_types[3].block.clone().unwrap();
    assert_eq!(boot.deprecation_message, "Use disk.");
    let described = "A disk. Changing it replaces the resource.";
    assert_eq!(boot.description, described, "that of the struct, where the field has none");
    let key = &boot.attributes[0];
    assert_eq!((key.write_only, key.deprecation_message.as_str()), (true, "Leave it out."));
}

/// An older client, a client that supports write-only attributes, and a client that supports computed blocks.
pub(crate) async fn server_capabilities_are_announced() {
    let (_plugin, handshake) = without_tls().env(SCHEMAS, "").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let summaries = |client_capabilities: Option<ClientCapabilities>| {
        let json = r#"{"name":"a","endpoint":[],"disk":[{"key":"k"}],"route":{"a":{"key":null}},"boot":{"key":null}}"#;
        let request = validate_resource_config::Request {
            type_name: "cloud_server".into(),
            config: Some(DynamicValue { json: json.as_bytes().to_vec().into(), ..DynamicValue::default() }),
            client_capabilities,
        };
        let mut provider = channel.provider();
        async move {
            let response = provider.validate_resource_config(request).await.unwrap().into_inner();
            response.diagnostics.into_iter().map(|it| it.summary).collect::<Vec<_>>()
        }
    };
    let client = |write_only: bool, blocks: bool| {
        Some(ClientCapabilities {
            write_only_attributes_allowed: write_only,
            computed_blocks_allowed: blocks,
            ..ClientCapabilities::default()
        })
    };
    let deprecated = ["Attribute Deprecated", "Block Deprecated"];
    assert_eq!(summaries(client(true, true)).await, [&deprecated[..], &["Write-only"]].concat());
    assert_eq!(
        summaries(client(true, false)).await,
        [&deprecated[..], &["Write-only", "Computed Block Not Allowed"]].concat()
    );
    assert_eq!(
        summaries(None).await,
        [&["WriteOnly Attribute Not Allowed"], &deprecated[..], &["Computed Block Not Allowed"]].concat()
    );
    let all = Some(ServerCapabilities {
        plan_destroy: true,
        get_provider_schema_optional: true,
        move_resource_state: true,
        generate_resource_config: true,
    });
    let mut client = channel.provider();
    let metadata = client.get_metadata(get_metadata::Request {}).await.unwrap().into_inner();
    assert_eq!(metadata.server_capabilities, all);
    let schema = client.get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
    assert_eq!(schema.server_capabilities, all);
}

pub(crate) async fn computed_blocks_are_rejected_under_protocol_5() {
    let (_plugin, handshake) =
        without_tls().env(SCHEMAS, "").env("PLUGIN_PROTOCOL_VERSIONS", "5").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let mut client = channel.provider_5();
    let response = client.get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
    let details: Vec<_> = response.diagnostics.into_iter().map(|it| it.detail).collect();
    assert_eq!(
        details,
        [
            "In resource cloud_server, endpoint: protocol 5 does not support computed blocks. Serve protocol 6 only. This is a bug in the provider; please report it to its authors."
        ]
    );
}
