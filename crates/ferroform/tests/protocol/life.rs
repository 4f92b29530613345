//! Deferral, provider metadata and timeouts over a real connection.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use ferroform::value::{Type, Value, msgpack};
use ferroform::{
    ApplyCx, Args, Config, Cx, DataSource, Deferral, Maybe, Model, Planned, Protocol, Provider, Registry,
    RequestCx, Resource, Result, Timeouts, path,
};
use ferroform_proto::tfplugin6::{self as wire, ClientCapabilities, Deferred, DynamicValue, deferred};
use ferroform_proto::{Message as _, tfplugin5};
use wire::{
    apply_resource_change, configure_provider, get_provider_schema, import_resource_state,
    plan_resource_change, read_data_source, read_resource, validate_resource_config,
};

use crate::host::{Channel, Plugin, origin, plain};

/// Set in the environment of a plugin that is this provider.
const SERVED: &str = "TRANSPORT_TEST_LIFE";

/// The plugin's `main`, when this process is this provider.
pub(crate) fn main() -> Option<ExitCode> {
    std::env::var_os(SERVED)?;
    Some(ferroform::serve_protocols::<Garden>(&[Protocol::V5, Protocol::V6]))
}

struct Garden;

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    place: Option<String>,
}

/// What a module can say.
#[derive(Model, Clone, Debug, PartialEq)]
struct Meta {
    gardener: Option<String>,
}

impl Provider for Garden {
    const ADDRESS: &'static str = "example.com/test/garden";
    type Config = Settings;

    async fn configure(cx: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        if cx.terraform_version() != Some("1.99.0") {
            cx.warn("an unknown host");
        }
        if !cx.deferral_allowed() {
            cx.warn("nothing can wait");
        }
        Ok(config.place.map(|_| Garden))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.meta::<Meta>().resource::<Tree>("garden_tree").data_source::<Bird>("garden_bird");
    }
}

fn gardener(cx: &Cx<Garden>) -> Result<String> {
    let name = cx.meta::<Meta>()?.and_then(|it| it.gardener.known()).flatten();
    Ok(name.unwrap_or_else(|| "nobody".into()))
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

    async fn create(cx: &ApplyCx<Garden>, plan: Planned<Self>) -> Result<TreeComputed> {
        let planted_by = gardener(cx.as_cx())?;
        cx.checkpoint_at(path!(planted_by), &planted_by);
        if plan.kind == "oak" {
            cx.sleep(Duration::from_secs(3600)).await?;
        }
        Ok(TreeComputed { planted_by })
    }

    async fn read(cx: &Cx<Garden>, state: Self) -> Result<Option<Self>> {
        if state.kind == "seed" {
            return Err(cx.defer(Deferral::AbsentPrerequisite));
        }
        Ok(Some(Tree { planted_by: gardener(cx)?, ..state }))
    }

    async fn delete(_: &ApplyCx<Garden>, _: Self) -> Result<()> {
        Ok(())
    }

    async fn import(cx: &Cx<Garden>, _: String) -> Result<Self> {
        Err(cx.defer(Deferral::Unknown))
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Bird {
    #[attr(computed)]
    fed_by: String,
}

impl DataSource for Bird {
    type Provider = Garden;

    async fn read(cx: &Cx<Garden>, _: Args<Self>) -> Result<BirdComputed> {
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

fn may_wait(deferral_allowed: bool) -> Option<ClientCapabilities> {
    Some(ClientCapabilities { deferral_allowed, ..Default::default() })
}

fn because(reason: deferred::Reason) -> Option<Deferred> {
    Some(Deferred { reason: reason.into() })
}

fn said(all: &[wire::Diagnostic]) -> String {
    all.iter().map(|it| format!("{}: {}", it.summary, it.detail)).collect::<Vec<_>>().join("\n")
}

/// The plugin on a protocol, configured.
async fn garden(protocol: &str, place: Value, deferral: bool) -> (Plugin, Channel) {
    let setup = plain().env(SERVED, "1").env("PLUGIN_PROTOCOL_VERSIONS", protocol);
    let (plugin, shake) = setup.shake().await;
    let channel = shake.connect_plainly().await;
    let request = configure_provider::Request {
        config: send(&Value::object([("place", place)]), &Type::object([("place", Type::String)])),
        client_capabilities: may_wait(deferral),
        terraform_version: "1.99.0".into(),
    };
    let answer = match protocol {
        "5" => five(&channel).configure(request).await.unwrap().into_inner(),
        _ => channel.provider().configure_provider(request).await.unwrap().into_inner(),
    };
    assert_eq!(said(&answer.diagnostics), if deferral { "" } else { "nothing can wait: " });
    (plugin, channel)
}

fn five(channel: &Channel) -> tfplugin5::provider_client::ProviderClient<Channel> {
    tfplugin5::provider_client::ProviderClient::with_origin(channel.clone(), origin())
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
    let unconfigured = because(deferred::Reason::ProviderConfigUnknown);
    for protocol in ["5", "6"] {
        let (_plugin, channel) = garden(protocol, Value::UNKNOWN, true).await;
        let plan = plan_resource_change::Request { client_capabilities: may_wait(true), ..create("fir") };
        let read = read_resource::Request { client_capabilities: may_wait(true), ..read("fir") };
        let import = import_resource_state::Request { client_capabilities: may_wait(true), ..import() };
        let bird = read_data_source::Request { client_capabilities: may_wait(true), ..bird() };
        let (plan, read, import, bird) = if protocol == "5" {
            let mut five = five(&channel);
            (
                five.plan_resource_change(plan).await.unwrap().into_inner(),
                five.read_resource(read).await.unwrap().into_inner(),
                five.import_resource_state(import).await.unwrap().into_inner(),
                five.read_data_source(bird).await.unwrap().into_inner(),
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
        assert_eq!((plan.deferred, said(&plan.diagnostics)), (unconfigured, String::new()));
        assert_eq!(receive(plan.planned_state, &ty()), tree("fir", Value::UNKNOWN));
        assert_eq!((read.deferred, said(&read.diagnostics)), (unconfigured, String::new()));
        assert_eq!(receive(read.new_state, &ty()), tree("fir", "me".into()));
        assert_eq!((import.deferred, said(&import.diagnostics)), (unconfigured, String::new()));
        let [imported] = import.imported_resources.try_into().unwrap();
        assert_eq!(
            (imported.type_name.as_str(), receive(imported.state, &ty())),
            ("garden_tree", Value::UNKNOWN)
        );
        assert_eq!((bird.deferred, said(&bird.diagnostics)), (unconfigured, String::new()));
        assert!(receive(bird.state, &Type::object([("fed_by", Type::String)])).is_unknown());
    }
}

pub(crate) async fn deferral_without_support_is_an_error() {
    let (_plugin, channel) = garden("6", Value::UNKNOWN, false).await;
    let mut six = channel.provider();
    let bird = six.read_data_source(bird()).await.unwrap().into_inner();
    assert_eq!(bird.deferred, None);
    assert!(said(&bird.diagnostics).starts_with("Provider Not Configured: "), "{bird:?}");
    // No method of the author's is needed.
    let plan = six.plan_resource_change(create("fir")).await.unwrap().into_inner();
    assert_eq!((plan.deferred, said(&plan.diagnostics)), (None, String::new()));
}

pub(crate) async fn method_defers_its_operation() {
    let (_plugin, channel) = garden("6", "here".into(), true).await;
    let mut six = channel.provider();
    let request = read_resource::Request { client_capabilities: may_wait(true), ..read("seed") };
    let done = six.read_resource(request).await.unwrap().into_inner();
    assert_eq!(
        (done.deferred, said(&done.diagnostics)),
        (because(deferred::Reason::AbsentPrereq), String::new())
    );
    assert_eq!(receive(done.new_state, &ty()), tree("seed", "me".into()));
    let request = import_resource_state::Request { client_capabilities: may_wait(true), ..import() };
    let done = six.import_resource_state(request).await.unwrap().into_inner();
    assert_eq!((done.deferred, done.imported_resources.len()), (because(deferred::Reason::Unknown), 1));
    // A host that has said nothing of it does not know deferrals.
    let done = six.read_resource(read("seed")).await.unwrap().into_inner();
    assert_eq!(done.deferred, None);
    assert!(
        said(&done.diagnostics).starts_with("Deferral Not Supported: The read of garden_tree"),
        "{done:?}"
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
        let (schema, made, read, bird) = if protocol == "5" {
            let mut five = five(&channel);
            let schema = five.get_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
            let meta = tfplugin5::Schema::decode(schema.provider_meta).unwrap();
            let schema = meta.block.map(|it| it.attributes[0].name.clone());
            (
                schema,
                five.apply_resource_change(apply).await.unwrap().into_inner(),
                five.read_resource(read).await.unwrap().into_inner(),
                five.read_data_source(bird).await.unwrap().into_inner(),
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
        assert_eq!(receive(made.new_state, &ty()), tree("fir", "ann".into()));
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
    let judged = |time: &str| validate_resource_config::Request {
        type_name: "garden_tree".into(),
        config: with(Value::Null, time),
        client_capabilities: may_wait(true),
    };
    let refused = six.validate_resource_config(judged("soon")).await.unwrap().into_inner();
    assert!(said(&refused.diagnostics).contains("A duration such as \"30m\""), "{refused:?}");
    let place = refused.diagnostics[0].attribute.as_ref().unwrap();
    assert_eq!(place.steps.len(), 2, "{place:?}");

    let start = Instant::now();
    let apply = apply_resource_change::Request {
        type_name: "garden_tree".into(),
        prior_state: send(&Value::Null, &ty()),
        planned_state: with(Value::UNKNOWN, "300ms"),
        config: with(Value::Null, "300ms"),
        provider_meta: meta("ann"),
        ..Default::default()
    };
    let done = six.apply_resource_change(apply).await.unwrap().into_inner();
    assert!((Duration::from_millis(300)..Duration::from_secs(5)).contains(&start.elapsed()));
    let wanted = "Operation Timed Out: The creation of garden_tree was interrupted after 300ms. The state contains the \
        values that the provider recorded before the interruption.\n\nTo increase the timeout, configure for example: timeouts { create = \"600ms\" }";
    assert_eq!(said(&done.diagnostics), wanted);
    let state = receive(done.new_state, &ty());
    assert_eq!(state.attribute("planted_by"), Some(&"ann".into()));
}
