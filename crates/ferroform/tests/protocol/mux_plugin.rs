//! A provider that is muxed with another provider binary, which runs as a child process.

use std::env;
use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Duration;

use ferroform::value::{Type, Value, msgpack};
use ferroform::{
    ApplyCx, Args, Config, Context, DataCx, DataSource, Function, Maybe, Model, Mux, Parameters, Planned,
    PluginCommand, Protocol, Provider, ReadCx, Registry, RequestCx, Resource, Result, serve_protocols,
};
use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::{
    DynamicValue, Schema, apply_resource_change, configure_provider, get_functions, get_metadata,
    get_provider_schema, plan_resource_change, read_data_source, stop_provider, validate_provider_config,
};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tonic::{Code, Status};

use crate::plugin::{Channel, Plugin, without_tls};

/// Environment variable: `mux`, `mux without child`, or the protocol of the child process, `5` or `6`.
const ROLE: &str = "TRANSPORT_TEST_MUX_PLUGIN";
/// Environment variable: a script that starts the child process `$0`.
const SCRIPT: &str = "TRANSPORT_TEST_MUX_PLUGIN_SCRIPT";
/// Environment variable: the address at which the child `silent` listens.
const SILENT: &str = "TRANSPORT_TEST_MUX_PLUGIN_SILENT";
/// Environment variable: the protocol of the child process.
const CHILD_PROTOCOL: &str = "TRANSPORT_TEST_MUX_PLUGIN_CHILD";

/// The `main` of the plugin process, if it serves these providers.
pub(crate) fn main() -> Option<ExitCode> {
    let mux = |program: &std::ffi::OsStr| {
        let protocol = env::var(CHILD_PROTOCOL).unwrap_or_default();
        let command = PluginCommand::new(program).env(ROLE, protocol);
        Mux::new::<Parent>().plugin(command).serve_protocols(&[Protocol::V5, Protocol::V6])
    };
    Some(match env::var(ROLE).ok()?.as_str() {
        "mux" => mux(env::current_exe().unwrap().as_os_str()),
        "mux without child" => mux("/no/such/terraform-provider-cloud".as_ref()),
        "mux with script" => {
            let script = env::var(SCRIPT).unwrap();
            let command =
                PluginCommand::new("/bin/sh").arg("-c").arg(script).arg(env::current_exe().unwrap());
            Mux::new::<Parent>().plugin(command.env(ROLE, "6")).serve_protocols(&[Protocol::V6])
        }
        "silent" => {
            let _listener = TcpListener::bind(env::var(SILENT).unwrap()).unwrap();
            loop {
                std::thread::park();
            }
        }
        "5" => serve_protocols::<Child>(&[Protocol::V5]),
        _ => serve_protocols::<Child>(&[Protocol::V6]),
    })
}

#[derive(Model, Clone, Debug, PartialEq)]
struct ParentConfig {
    region: Option<String>,
}

struct Parent(Option<String>);

impl Provider for Parent {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ParentConfig;

    async fn configure(_: &RequestCx, config: Config<ParentConfig>) -> Result<Maybe<Self>> {
        Ok(config.region.map(Parent))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.data_source::<Region>("cloud_region");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Region {
    #[attr(computed)]
    text: Option<String>,
}

impl DataSource for Region {
    type Provider = Parent;

    async fn read(cx: &DataCx<Self>, _: Args<Self>) -> Result<RegionComputed> {
        Ok(RegionComputed { text: cx.provider.0.clone() })
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct ChildConfig {
    region: Option<String>,
    #[attr(deprecated = "Use the region.")]
    profile: Option<String>,
}

struct Child(Option<String>);

impl Provider for Child {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ChildConfig;

    async fn configure(_: &RequestCx, config: Config<ChildConfig>) -> Result<Maybe<Self>> {
        Ok(config.profile.map(Child))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Server>("cloud_server").data_source::<Profile>("cloud_profile");
        registry.function::<Shout>("shout");
    }
}

/// The profile of the child, and an address at which the child listens as long as it runs.
#[derive(Model, Clone, Debug, PartialEq)]
struct Profile {
    #[attr(computed)]
    text: Option<String>,
}

impl DataSource for Profile {
    type Provider = Child;

    async fn read(cx: &DataCx<Self>, _: Args<Self>) -> Result<ProfileComputed> {
        static LISTENER: LazyLock<TcpListener> = LazyLock::new(|| TcpListener::bind("127.0.0.1:0").unwrap());
        let profile = cx.provider.0.clone().unwrap_or_default();
        let address = LISTENER.local_addr().context("Cannot Listen")?;
        Ok(ProfileComputed { text: Some(format!("{profile} {address}")) })
    }
}

/// A server. Its name determines what `create` does.
#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    name: String,
    #[attr(write_only)]
    password: Option<String>,
    #[attr(computed)]
    id: String,
}

impl Resource for Server {
    type Provider = Child;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ServerComputed> {
        match plan.name.as_str() {
            "abort" => std::process::abort(),
            "wait" => {
                eprintln!("waiting");
                cx.cancelled().await;
                eprintln!("create is canceled");
            }
            _ => {}
        }
        Ok(ServerComputed { id: plan.name })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[derive(Parameters)]
struct Shout {
    text: String,
}

impl Function for Shout {
    type Output = String;

    async fn call(self, _: &RequestCx) -> Result<String> {
        Ok(self.text.to_uppercase())
    }
}

fn encode(value: &Value, ty: &Type) -> Option<DynamicValue> {
    Some(DynamicValue { msgpack: msgpack::encode(value, ty).unwrap().into(), ..Default::default() })
}

fn configuration() -> Option<DynamicValue> {
    let ty = Type::object([("region", Type::String), ("profile", Type::String)]);
    encode(&Value::object([("region", "eu".into()), ("profile", "admin".into())]), &ty)
}

/// A mux with a child that serves this protocol.
async fn mux(child: &str) -> (Plugin, Channel) {
    let setup = without_tls().env(ROLE, "mux").env(CHILD_PROTOCOL, child);
    let (plugin, handshake) = setup.start_and_handshake().await;
    (plugin, handshake.connect_without_tls().await)
}

/// The same, configured.
async fn configured(child: &str) -> (Plugin, Channel) {
    let (plugin, channel) = mux(child).await;
    let request = configure_provider::Request { config: configuration(), ..Default::default() };
    let response = channel.provider().configure_provider(request).await.unwrap().into_inner();
    assert_eq!(response.diagnostics, []);
    (plugin, channel)
}

async fn read(channel: &Channel, type_name: &str) -> String {
    let ty = Type::object([("text", Type::String)]);
    let config = encode(&Value::object([("text", Value::Null)]), &ty);
    let request = read_data_source::Request { type_name: type_name.into(), config, ..Default::default() };
    let response = channel.provider().read_data_source(request).await.unwrap().into_inner();
    assert_eq!(response.diagnostics, []);
    let state = msgpack::decode(&response.state.unwrap().msgpack, &ty).unwrap();
    let Value::Object(attributes) = state else { panic!("{state:?}") };
    attributes.get("text").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The address at which the child listens.
async fn child_address(channel: &Channel) -> String {
    read(channel, "cloud_profile").await.strip_prefix("admin ").unwrap().to_owned()
}

async fn is_running(address: &str) -> bool {
    TcpStream::connect(address).await.is_ok()
}

/// Waits until the process has ended.
async fn wait_for_exit(address: &str) {
    let ended = async {
        while is_running(address).await {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(10), ended).await.expect("the child ends");
}

fn server_type() -> Type {
    Type::object([("name", Type::String), ("password", Type::String), ("id", Type::String)])
}

fn server(name: &str, id: Value) -> Option<DynamicValue> {
    let value = Value::object([("name", name.into()), ("password", Value::Null), ("id", id)]);
    encode(&value, &server_type())
}

async fn create(channel: Channel, name: &'static str) -> Result<usize, Status> {
    let request = apply_resource_change::Request {
        type_name: "cloud_server".into(),
        prior_state: encode(&Value::Null, &server_type()),
        planned_state: server(name, Value::UNKNOWN),
        config: server(name, Value::Null),
        ..Default::default()
    };
    Ok(channel.provider().apply_resource_change(request).await?.into_inner().diagnostics.len())
}

pub(crate) async fn child_serves_its_types() {
    for child in ["5", "6"] {
        let (mut plugin, channel) = mux(child).await;
        let mut provider = channel.provider();
        let schemas =
            provider.get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
        assert_eq!(schemas.diagnostics, []);
        let mut names: Vec<_> = schemas.data_source_schemas.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["cloud_profile", "cloud_region"]);
        // The numbers of these fields differ between the protocols.
        let block = Schema::decode(schemas.resource_schemas["cloud_server"].clone()).unwrap().block.unwrap();
        let password = block.attributes.iter().find(|it| it.name == "password").unwrap();
        assert!(password.write_only, "{child}: {password:?}");
        let block = Schema::decode(schemas.provider).unwrap().block.unwrap();
        let profile = block.attributes.iter().find(|it| it.name == "profile").unwrap();
        assert_eq!(profile.deprecation_message, "Use the region.");

        let metadata = provider.get_metadata(get_metadata::Request {}).await.unwrap().into_inner();
        assert_eq!((metadata.resources.len(), metadata.data_sources.len()), (1, 2));
        assert_eq!(metadata.server_capabilities, schemas.server_capabilities);
        let functions = provider.get_functions(get_functions::Request {}).await.unwrap().into_inner();
        assert!(functions.functions.contains_key("shout"));

        let request = validate_provider_config::Request { config: configuration() };
        let validated = provider.validate_provider_config(request).await.unwrap().into_inner();
        assert_eq!(validated.diagnostics.len(), 1, "the attribute is deprecated: {validated:?}");
        let request = configure_provider::Request { config: configuration(), ..Default::default() };
        let configured = provider.configure_provider(request).await.unwrap().into_inner();
        assert_eq!(configured.diagnostics, []);
        assert_eq!(read(&channel, "cloud_region").await, "eu");
        let address = child_address(&channel).await;
        assert_eq!(create(channel.clone(), "a").await.unwrap(), 0);

        let request = plan_resource_change::Request {
            type_name: "cloud_server".into(),
            prior_state: server("a", "a".into()),
            proposed_new_state: encode(&Value::Null, &server_type()),
            config: encode(&Value::Null, &server_type()),
            ..Default::default()
        };
        let planned = provider.plan_resource_change(request).await.unwrap().into_inner();
        assert_eq!(planned.planned_state, encode(&Value::Null, &server_type()));
        let stopped = provider.stop_provider(stop_provider::Request {}).await.unwrap().into_inner();
        assert_eq!(stopped.error, "");
        assert!(plugin.end(channel).await.success());
        assert!(!is_running(&address).await, "the child has ended before");
    }
}

pub(crate) async fn child_that_crashes_is_reported() {
    let (mut plugin, channel) = configured("6").await;
    for _ in 0..2 {
        let status = create(channel.clone(), "abort").await.unwrap_err();
        assert_eq!(status.code(), Code::Internal);
        let program = env::current_exe().unwrap();
        let name = program.file_name().unwrap().to_string_lossy();
        let message = status.message();
        let status = if cfg!(unix) { "signal: 6" } else { "exit code: 0x" };
        assert!(message.starts_with(&format!("{name} exited unexpectedly ({status}")), "{message}");
    }
    // The provider in this process is not affected.
    assert_eq!(read(&channel, "cloud_region").await, "eu");
    assert!(plugin.end(channel).await.success());
}

pub(crate) async fn child_that_cannot_be_started_is_reported() {
    let (mut plugin, handshake) = without_tls().env(ROLE, "mux without child").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let request = get_provider_schema::Request {};
    let status = channel.provider().get_provider_schema(request).await.unwrap_err();
    let expected =
        "terraform-provider-cloud could not be started: cannot start /no/such/terraform-provider-cloud";
    assert!(status.message().starts_with(expected), "{}", status.message());
    assert!(plugin.end(channel).await.success());
}

/// A mux with a child that a script starts.
#[cfg(unix)]
async fn mux_with_script(script: &str) -> (Plugin, Channel) {
    let setup = without_tls().env(ROLE, "mux with script").env(SCRIPT, script);
    let (plugin, handshake) = setup.start_and_handshake().await;
    (plugin, handshake.connect_without_tls().await)
}

#[cfg(unix)]
pub(crate) async fn output_of_the_child_that_is_not_utf_8_reaches_the_log() {
    let script = r#"printf 'not UTF-8: \377\n' >&2; head -c 100000 /dev/zero >&2; echo >&2; exec "$0""#;
    let (mut plugin, channel) = mux_with_script(script).await;
    let request = configure_provider::Request { config: configuration(), ..Default::default() };
    channel.provider().configure_provider(request).await.unwrap();
    plugin.wait_for_line("not UTF-8: \u{fffd}").await;
    let creating = tokio::spawn(create(channel.clone(), "wait"));
    plugin.wait_for_line("waiting").await;
    creating.abort();
    // The request is canceled in the child, too.
    plugin.wait_for_line("create is canceled").await;
    assert!(plugin.end(channel).await.success());
}

#[cfg(unix)]
pub(crate) async fn child_with_an_invalid_handshake_is_reported() {
    for (script, expected) in [
        ("exec >&-; sleep 60", "closed its standard output before the handshake"),
        (r"printf '\377\n'; sleep 60", "fewer than five fields in the handshake line"),
        ("echo '1|6|tcp|127.0.0.1:1|grpc|'; sleep 60", "the plugin offers no certificate for TLS"),
    ] {
        let (mut plugin, channel) = mux_with_script(script).await;
        let request = get_provider_schema::Request {};
        let status = channel.provider().get_provider_schema(request).await.unwrap_err();
        assert!(status.message().contains(expected), "{}", status.message());
        assert!(plugin.end(channel).await.success());
    }
}

/// The guard kills the child even if it has not been connected.
#[cfg(unix)]
pub(crate) async fn child_without_a_handshake_exits_when_mux_process_is_killed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    // The child listens, and prints no handshake line.
    let (mut plugin, channel) =
        mux_with_script(&format!("exec env {ROLE}=silent {SILENT}={address} \"$0\"")).await;
    let request = tokio::spawn(async move {
        channel.provider().get_provider_schema(get_provider_schema::Request {}).await.map(drop)
    });
    let listening = async {
        while !is_running(&address).await {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(10), listening).await.expect("the child listens");
    plugin.kill().await;
    wait_for_exit(&address).await;
    request.abort();
}

#[cfg(unix)]
pub(crate) async fn sigterm_cancels_the_methods_of_the_child() {
    let (mut plugin, channel) = configured("5").await;
    let creating = tokio::spawn(create(channel.clone(), "wait"));
    plugin.wait_for_line("waiting").await;
    plugin.signal("TERM").await;
    assert_eq!(creating.await.unwrap().unwrap(), 0);
    assert!(plugin.end(channel).await.success());
}

pub(crate) async fn child_exits_when_mux_process_is_killed() {
    let (mut plugin, channel) = configured("6").await;
    let address = child_address(&channel).await;
    plugin.kill().await;
    wait_for_exit(&address).await;
}

pub(crate) async fn child_ends_when_terraform_is_killed() {
    let (plugin, channel) = configured("6").await;
    let address = child_address(&channel).await;
    drop(channel);
    let ended = timeout(Duration::from_secs(10), plugin.wait_without_streams()).await;
    assert!(ended.expect("it ends").success());
    assert!(!is_running(&address).await);
}
