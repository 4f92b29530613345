//! Deferral, provider metadata and timeouts over a real connection.

use std::process::ExitCode;
use std::time::Duration;

use ferroform::value::{Type, Value, msgpack};
use ferroform::{
    ApplyCx, Args, Config, Cx, DataCx, DataSource, Deferral, Maybe, Model, Planned, Protocol, Provider,
    ReadCx, Registry, RequestCx, Resource, Result, Timeouts, path,
};
use ferroform_proto::tfplugin6::{self as wire, ClientCapabilities, Deferred, DynamicValue, deferred};
use ferroform_proto::{Message as _, tfplugin5};
use wire::{
    apply_resource_change, configure_provider, get_provider_schema, import_resource_state,
    plan_resource_change, read_data_source, read_resource, validate_resource_config,
};

use crate::plugin::{Channel, Plugin, without_tls};

/// Environment variable that makes the plugin process serve this provider.
const SERVED: &str = "TRANSPORT_TEST_DEFERRAL";

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    std::env::var_os(SERVED)?;
    Some(ferroform::serve_protocols::<Garden>(&[Protocol::V5, Protocol::V6]))
}

struct Garden;

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    location: Option<String>,
}

/// The provider metadata of a module.
#[derive(Model, Clone, Debug, PartialEq)]
struct Meta {
    gardener: Option<String>,
}

impl Provider for Garden {
    const ADDRESS: &'static str = "example.com/test/garden";
    type Config = Settings;

    async fn configure(cx: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        if cx.terraform_version() != Some("1.99.0") {
            cx.warn("an unknown Terraform version");
        }
        if !cx.is_deferral_allowed() {
            cx.warn("deferral is not supported");
        }
        Ok(config.location.map(|_| Garden))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.provider_meta::<Meta>().resource::<Tree>("garden_tree").data_source::<Bird>("garden_bird");
    }
}

fn gardener(cx: &Cx<Garden>) -> Result<String> {
    let name = cx.provider_meta::<Meta>()?.and_then(|it| it.gardener.known()).flatten();
    Ok(name.unwrap_or_else(|| "none".into()))
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Tree {
    kind: String,
    #[attr(computed)]
    planted_by: String,
    #[attr(block, timeouts(create = "1h"))]
    timeouts: Option<Timeouts>,
}

impl Resource for Tree {
    type Provider = Garden;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<TreeComputed> {
        let planted_by = gardener(cx)?;
        cx.checkpoint_at(path!(planted_by), &planted_by);
        if plan.kind == "oak" {
            cx.sleep(Duration::from_secs(3600)).await?;
        }
        Ok(TreeComputed { planted_by })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        if state.kind == "seed" {
            return Err(cx.defer(Deferral::AbsentPrerequisite));
        }
        Ok(Some(Tree { planted_by: gardener(cx)?, ..state }))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }

    async fn import(cx: &ReadCx<Self>, _: String) -> Result<Self> {
        Err(cx.defer(Deferral::Other))
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Bird {
    #[attr(computed)]
    fed_by: String,
}

impl DataSource for Bird {
    type Provider = Garden;

    async fn read(cx: &DataCx<Self>, _: Args<Self>) -> Result<BirdComputed> {
        Ok(BirdComputed { fed_by: gardener(cx)? })
    }
}

fn ty() -> Type {
    let timeouts = Type::object([("create", Type::String)]);
    Type::object([("kind", Type::String), ("planted_by", Type::String), ("timeouts", timeouts)])
}

fn send(value: &Value, ty: &Type) -> Option<DynamicValue> {
    Some(DynamicValue { msgpack: msgpack::encode(value, ty).unwrap().into(), ..DynamicValue::default() })
}

fn receive(value: Option<DynamicValue>, ty: &Type) -> Value {
    msgpack::decode(&value.unwrap().msgpack, ty).unwrap()
}

fn tree(kind: &str, planted_by: Value) -> Value {
    Value::object([("kind", kind.into()), ("planted_by", planted_by), ("timeouts", Value::Null)])
}

fn meta(name: &str) -> Option<DynamicValue> {
    send(&Value::object([("gardener", name.into())]), &Type::object([("gardener", Type::String)]))
}

fn capabilities(deferral_allowed: bool) -> Option<ClientCapabilities> {
    Some(ClientCapabilities { deferral_allowed, ..Default::default() })
}

fn deferred_because(reason: deferred::Reason) -> Option<Deferred> {
    Some(Deferred { reason: reason.into() })
}

fn messages(all: &[wire::Diagnostic]) -> String {
    all.iter().map(|it| format!("{}: {}", it.summary, it.detail)).collect::<Vec<_>>().join("\n")
}

/// Starts and configures the plugin with a protocol version.
async fn garden(protocol: &str, location: Value, deferral: bool) -> (Plugin, Channel) {
    let setup = without_tls().env(SERVED, "1").env("PLUGIN_PROTOCOL_VERSIONS", protocol);
    let (plugin, handshake) = setup.start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let request = configure_provider::Request {
        config: send(&Value::object([("location", location)]), &Type::object([("location", Type::String)])),
        client_capabilities: capabilities(deferral),
        terraform_version: "1.99.0".into(),
    };
    let response = match protocol {
        "5" => channel.provider_5().configure_provider(request).await.unwrap().into_inner(),
        _ => channel.provider().configure_provider(request).await.unwrap().into_inner(),
    };
    assert_eq!(messages(&response.diagnostics), if deferral { "" } else { "deferral is not supported: " });
    (plugin, channel)
}

fn create(kind: &str) -> plan_resource_change::Request {
    let config = send(&tree(kind, Value::Null), &ty());
    plan_resource_change::Request {
        type_name: "garden_tree".into(),
        prior_state: send(&Value::Null, &ty()),
        proposed_new_state: config.clone(),
        config,
        ..Default::default()
    }
}

fn read(kind: &str) -> read_resource::Request {
    read_resource::Request {
        type_name: "garden_tree".into(),
        current_state: send(&tree(kind, "me".into()), &ty()),
        ..Default::default()
    }
}

fn import() -> import_resource_state::Request {
    import_resource_state::Request { type_name: "garden_tree".into(), id: "x".into(), ..Default::default() }
}

fn bird() -> read_data_source::Request {
    let ty = Type::object([("fed_by", Type::String)]);
    read_data_source::Request {
        type_name: "garden_bird".into(),
        config: send(&Value::object([("fed_by", Value::Null)]), &ty),
        ..Default::default()
    }
}

pub(crate) async fn unknown_configuration_is_deferred() {
    let unconfigured = deferred_because(deferred::Reason::ProviderConfigUnknown);
    for protocol in ["5", "6"] {
        let (_plugin, channel) = garden(protocol, Value::UNKNOWN, true).await;
        let plan = plan_resource_change::Request { client_capabilities: capabilities(true), ..create("fir") };
        let read = read_resource::Request { client_capabilities: capabilities(true), ..read("fir") };
        let import = import_resource_state::Request { client_capabilities: capabilities(true), ..import() };
        let bird = read_data_source::Request { client_capabilities: capabilities(true), ..bird() };
        let (plan, read, import, bird) = if protocol == "5" {
            let mut protocol_5_client = channel.provider_5();
            (
                protocol_5_client.plan_resource_change(plan).await.unwrap().into_inner(),
                protocol_5_client.read_resource(read).await.unwrap().into_inner(),
                protocol_5_client.import_resource_state(import).await.unwrap().into_inner(),
                protocol_5_client.read_data_source(bird).await.unwrap().into_inner(),
            )
        } else {
            let mut six = channel.provider();
            (
                six.plan_resource_change(plan).await.unwrap().into_inner(),
                six.read_resource(read).await.unwrap().into_inner(),
                six.import_resource_state(import).await.unwrap().into_inner(),
                six.read_data_source(bird).await.unwrap().into_inner(),
            )
        };
        assert_eq!((plan.deferred, messages(&plan.diagnostics)), (unconfigured, String::new()));
        assert_eq!(receive(plan.planned_state, &ty()), tree("fir", Value::UNKNOWN));
        assert_eq!((read.deferred, messages(&read.diagnostics)), (unconfigured, String::new()));
        assert_eq!(receive(read.new_state, &ty()), tree("fir", "me".into()));
        assert_eq!((import.deferred, messages(&import.diagnostics)), (unconfigured, String::new()));
        let [imported] = import.imported_resources.try_into().unwrap();
        assert_eq!(
            (imported.type_name.as_str(), receive(imported.state, &ty())),
            ("garden_tree", Value::UNKNOWN)
        );
        assert_eq!((bird.deferred, messages(&bird.diagnostics)), (unconfigured, String::new()));
        assert!(receive(bird.state, &Type::object([("fed_by", Type::String)])).is_unknown());
    }
}

pub(crate) async fn deferral_without_support_is_an_error() {
    let (_plugin, channel) = garden("6", Value::UNKNOWN, false).await;
    let mut six = channel.provider();
    let bird = six.read_data_source(bird()).await.unwrap().into_inner();
    assert_eq!(bird.deferred, None);
    assert!(messages(&bird.diagnostics).starts_with("Provider Not Configured: "), "{bird:?}");
    // The plan calls no method of the provider.
    let plan = six.plan_resource_change(create("fir")).await.unwrap().into_inner();
    assert_eq!((plan.deferred, messages(&plan.diagnostics)), (None, String::new()));
}

pub(crate) async fn method_defers_its_operation() {
    let (_plugin, channel) = garden("6", "here".into(), true).await;
    let mut six = channel.provider();
    let request = read_resource::Request { client_capabilities: capabilities(true), ..read("seed") };
    let response = six.read_resource(request).await.unwrap().into_inner();
    assert_eq!(
        (response.deferred, messages(&response.diagnostics)),
        (deferred_because(deferred::Reason::AbsentPrereq), String::new())
    );
    assert_eq!(receive(response.new_state, &ty()), tree("seed", "me".into()));
    let request = import_resource_state::Request { client_capabilities: capabilities(true), ..import() };
    let response = six.import_resource_state(request).await.unwrap().into_inner();
    assert_eq!(
        (response.deferred, response.imported_resources.len()),
        (deferred_because(deferred::Reason::Unknown), 1)
    );
    // A client that sends no capabilities does not support deferral.
    let response = six.read_resource(read("seed")).await.unwrap().into_inner();
    assert_eq!(response.deferred, None);
    assert!(
        messages(&response.diagnostics).starts_with("Deferral Not Supported: The read of garden_tree"),
        "{response:?}"
    );
}

pub(crate) async fn provider_meta_is_received() {
    for protocol in ["5", "6"] {
        let (_plugin, channel) = garden(protocol, "here".into(), true).await;
        let plan = create("fir");
        let apply = apply_resource_change::Request {
            type_name: plan.type_name,
            prior_state: plan.prior_state,
            config: plan.config,
            planned_state: send(&tree("fir", Value::UNKNOWN), &ty()),
            provider_meta: meta("ann"),
            ..Default::default()
        };
        let read = read_resource::Request { provider_meta: meta("bob"), ..read("fir") };
        let bird = read_data_source::Request { provider_meta: meta("cid"), ..bird() };
        let (schema, created, read, bird) = if protocol == "5" {
            let mut protocol_5_client = channel.provider_5();
            let schema = protocol_5_client
                .get_provider_schema(get_provider_schema::Request {})
                .await
                .unwrap()
                .into_inner();
            let meta = tfplugin5::Schema::decode(schema.provider_meta).unwrap();
            let schema = meta.block.map(|it| it.attributes[0].name.clone());
            (
                schema,
                protocol_5_client.apply_resource_change(apply).await.unwrap().into_inner(),
                protocol_5_client.read_resource(read).await.unwrap().into_inner(),
                protocol_5_client.read_data_source(bird).await.unwrap().into_inner(),
            )
        } else {
            let mut six = channel.provider();
            let schema = six.get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
            let meta = wire::Schema::decode(schema.provider_meta).unwrap();
            let schema = meta.block.map(|it| it.attributes[0].name.clone());
            (
                schema,
                six.apply_resource_change(apply).await.unwrap().into_inner(),
                six.read_resource(read).await.unwrap().into_inner(),
                six.read_data_source(bird).await.unwrap().into_inner(),
            )
        };
        assert_eq!(schema.as_deref(), Some("gardener"));
        assert_eq!(receive(created.new_state, &ty()), tree("fir", "ann".into()));
        assert_eq!(receive(read.new_state, &ty()), tree("fir", "bob".into()));
        let found = receive(bird.state, &Type::object([("fed_by", Type::String)]));
        assert_eq!(found, Value::object([("fed_by", "cid".into())]));
    }
}

pub(crate) async fn deadline_interrupts_method() {
    let (_plugin, channel) = garden("6", "here".into(), true).await;
    let mut six = channel.provider();
    let with = |planted_by: Value, time: &str| {
        let timeouts = Value::object([("create", time.into())]);
        let object = [("kind", "oak".into()), ("planted_by", planted_by), ("timeouts", timeouts)];
        send(&Value::object(object), &ty())
    };
    let validation_request = |time: &str| validate_resource_config::Request {
        type_name: "garden_tree".into(),
        config: with(Value::Null, time),
        client_capabilities: capabilities(true),
    };
    let response = six.validate_resource_config(validation_request("soon")).await.unwrap().into_inner();
    assert!(messages(&response.diagnostics).contains("A duration such as \"30m\""), "{response:?}");
    let path = response.diagnostics[0].attribute.as_ref().unwrap();
    assert_eq!(path.steps.len(), 2, "{path:?}");

    let apply = apply_resource_change::Request {
        type_name: "garden_tree".into(),
        prior_state: send(&Value::Null, &ty()),
        planned_state: with(Value::UNKNOWN, "300ms"),
        config: with(Value::Null, "300ms"),
        provider_meta: meta("ann"),
        ..Default::default()
    };
    let response = six.apply_resource_change(apply).await.unwrap().into_inner();
    let error = messages(&response.diagnostics);
    // On a loaded machine, the method can be interrupted later than after 300 ms.
    let start = "Operation Timed Out: The creation of garden_tree timed out after ";
    let end = "The object is tainted, so the next apply replaces it.\n\n\
        To increase the timeout, configure for example: timeouts { create = \"600ms\" }";
    assert!(error.starts_with(start) && error.ends_with(end), "{error}");
    let state = receive(response.new_state, &ty());
    assert_eq!(state.attribute("planted_by"), Some(&"ann".into()));
}
