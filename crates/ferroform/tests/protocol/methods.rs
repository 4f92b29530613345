//! The threading contract: methods that block, use tokio, or are cancelled.

use std::process::ExitCode;
use std::sync::Barrier;
use std::time::Duration;
use std::{fs, thread};

use ferroform::value::{Type, Value, msgpack};
use ferroform::{
    ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result, Timeouts,
    path, serve,
};
use ferroform_proto::tfplugin6::{
    self as wire, DynamicValue, apply_resource_change, configure_provider, read_resource, stop_provider,
    validate_resource_config,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::plugin::{Channel, Plugin, without_tls};
use crate::standard_streams;

/// Environment variable that makes the plugin process serve this provider.
pub(crate) const SERVED: &str = "TRANSPORT_TEST_METHODS";

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    std::env::var_os(SERVED)?;
    Some(serve::<Threads>())
}

struct Threads;

impl Provider for Threads {
    const ADDRESS: &'static str = "example.com/test/threads";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Threads))
    }

    fn register(registry: &mut Registry<Self>) {
        println!("registered by println");
        registry.resource::<Job>("threads_job");
    }
}

/// A job. Its name determines what `create` does.
#[derive(Model, Clone, Debug, PartialEq)]
struct Job {
    name: String,
    #[attr(computed)]
    id: String,
    #[attr(timeouts(create = "1h"))]
    timeouts: Option<Timeouts>,
}

/// More than the threads of a provider for all other purposes, and ten times Terraform's default parallelism.
const CONCURRENT_METHODS: usize = 100;

static MEETING: Barrier = Barrier::new(CONCURRENT_METHODS);

impl Resource for Job {
    type Provider = Threads;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<JobComputed> {
        let id = plan.name.clone();
        match plan.name.as_str() {
            "meet" => {
                MEETING.wait();
            }
            "block until canceled" => {
                eprintln!("blocking");
                while !cx.is_cancelled() {
                    thread::sleep(Duration::from_millis(1));
                }
            }
            "block with a checkpoint" => {
                cx.checkpoint_at(path!(id), &id);
                eprintln!("blocking");
                park();
            }
            "block all workers" => {
                cx.checkpoint_at(path!(id), &id);
                // More than the threads of the runtime that runs the methods.
                for _ in 0..16 {
                    tokio::spawn(async { park() });
                }
                std::future::pending().await
            }
            "wait until canceled" => {
                eprintln!("waiting");
                cx.cancelled().await;
                // A cancelled method that changes something may still reach its checkpoint.
                tokio::time::sleep(Duration::from_millis(100)).await;
                eprintln!("canceled, and done");
            }
            "wait" => {
                eprintln!("waiting");
                cx.sleep(Duration::from_secs(3600)).await?;
            }
            standard_streams::PRINT => standard_streams::print_long_lines(),
            standard_streams::START_A_CHILD => standard_streams::start_a_child(),
            "use tokio" => return Ok(JobComputed { id: use_tokio().await }),
            "count threads" => return Ok(JobComputed { id: threads() }),
            _ => {}
        }
        Ok(JobComputed { id })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        if state.name == "wait" {
            eprintln!("reading");
            let _end = ReportDrop;
            std::future::pending::<()>().await;
        }
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// Reports that a method has been dropped.
struct ReportDrop;

impl Drop for ReportDrop {
    fn drop(&mut self) {
        eprintln!("dropped");
    }
}

fn park() {
    loop {
        thread::park();
    }
}

/// Uses everything that a client needs: timers, sockets, tasks, a blocking pool, and a runtime of its own, as
/// synchronous clients have.
async fn use_tokio() -> String {
    tokio::time::sleep(Duration::from_millis(1)).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        listener.accept().await.unwrap().0.write_all(b"socket").await.unwrap();
    });
    let mut received = String::new();
    TcpStream::connect(address).await.unwrap().read_to_string(&mut received).await.unwrap();
    server.await.unwrap();
    let pool = tokio::task::spawn_blocking(|| " pool").await.unwrap();
    let handle = tokio::runtime::Handle::current().block_on(async { " handle" });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let own_runtime = runtime.block_on(async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        " runtime"
    });
    received + pool + handle + own_runtime
}

/// Returns the number of threads of this process, if the system provides it.
fn threads() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let count = status.lines().find_map(|line| line.strip_prefix("Threads:"));
    count.unwrap_or("1").trim().to_owned()
}

fn ty() -> Type {
    let timeouts = Type::object([("create", Type::String)]);
    Type::object([("name", Type::String), ("id", Type::String), ("timeouts", timeouts)])
}

fn job(name: &str, id: Value, timeout: Option<&str>) -> Option<DynamicValue> {
    let timeouts = timeout.map_or(Value::Null, |it| Value::object([("create", it.into())]));
    encode(&Value::object([("name", name.into()), ("id", id), ("timeouts", timeouts)]))
}

fn encode(value: &Value) -> Option<DynamicValue> {
    Some(DynamicValue { msgpack: msgpack::encode(value, &ty()).unwrap().into(), ..Default::default() })
}

pub(crate) async fn provider() -> (Plugin, Channel) {
    let (plugin, handshake) = without_tls().env(SERVED, "1").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    configure(&channel).await;
    (plugin, channel)
}

pub(crate) async fn configure(channel: &Channel) {
    let config = msgpack::encode(&Value::Object(Default::default()), &Type::object::<&str>([])).unwrap();
    let config = Some(DynamicValue { msgpack: config.into(), ..Default::default() });
    let request = configure_provider::Request { config, ..Default::default() };
    assert_eq!(channel.provider().configure_provider(request).await.unwrap().into_inner().diagnostics, []);
}

/// Creates a job, and returns the ID in the new state and the diagnostics.
pub(crate) async fn create(channel: Channel, name: &str, timeout: Option<&str>) -> (Value, String) {
    let request = apply_resource_change::Request {
        type_name: "threads_job".into(),
        prior_state: encode(&Value::Null),
        planned_state: job(name, Value::UNKNOWN, timeout),
        config: job(name, Value::Null, timeout),
        ..Default::default()
    };
    let response = channel.provider().apply_resource_change(request).await.unwrap().into_inner();
    let state = msgpack::decode(&response.new_state.unwrap().msgpack, &ty()).unwrap();
    (state.attribute("id").cloned().unwrap_or(Value::Null), summaries(&response.diagnostics))
}

fn summaries(diagnostics: &[wire::Diagnostic]) -> String {
    diagnostics.iter().map(|it| it.summary.as_str()).collect::<Vec<_>>().join(", ")
}

/// Makes an RPC that calls no method of the provider that waits.
async fn validate(channel: &Channel) {
    let config = job("a", Value::Null, None);
    let request =
        validate_resource_config::Request { type_name: "threads_job".into(), config, ..Default::default() };
    let response = channel.provider().validate_resource_config(request).await.unwrap().into_inner();
    assert_eq!(summaries(&response.diagnostics), "");
}

async fn stop(channel: &Channel) {
    channel.provider().stop_provider(stop_provider::Request {}).await.unwrap();
}

pub(crate) fn done(name: &str) -> (Value, String) {
    (name.into(), String::new())
}

pub(crate) async fn hundred_methods_block_at_once() {
    let (_plugin, channel) = provider().await;
    let mut jobs = JoinSet::new();
    for _ in 0..CONCURRENT_METHODS {
        let channel = channel.clone();
        jobs.spawn(async move { create(channel, "meet", None).await });
    }
    while let Some(created) = jobs.join_next().await {
        assert_eq!(created.unwrap(), done("meet"));
    }
}

pub(crate) async fn stop_reaches_a_blocking_method() {
    let (mut plugin, channel) = provider().await;
    let mut jobs = JoinSet::new();
    for _ in 0..CONCURRENT_METHODS {
        let channel = channel.clone();
        jobs.spawn(async move { create(channel, "block until canceled", None).await });
    }
    for _ in 0..CONCURRENT_METHODS {
        plugin.wait_for_line("blocking").await;
    }
    stop(&channel).await;
    while let Some(created) = jobs.join_next().await {
        assert_eq!(created.unwrap(), done("block until canceled"));
    }
}

pub(crate) async fn other_calls_continue_while_methods_block() {
    let (mut plugin, channel) = provider().await;
    let mut blocked = JoinSet::new();
    for number in 1..=9 {
        let job = channel.clone();
        blocked.spawn(async move { create(job, "block until canceled", None).await });
        plugin.wait_for_line("blocking").await;
        for _ in 0..number {
            validate(&channel).await;
            assert_eq!(create(channel.clone(), "quick", None).await, done("quick"));
        }
    }
    assert!(blocked.try_join_next().is_none());
    stop(&channel).await;
    assert_eq!(blocked.join_all().await, vec![done("block until canceled"); 9]);
}

pub(crate) async fn blocking_method_is_abandoned_at_its_deadline() {
    let (_plugin, channel) = provider().await;
    // The method never returns, so this is the response of the engine.
    let (id, errors) = create(channel, "block with a checkpoint", Some("300ms")).await;
    assert_eq!((id, errors.as_str()), ("block with a checkpoint".into(), "Operation Timed Out"));
}

pub(crate) async fn blocked_tasks_of_the_provider_do_not_delay_deadlines() {
    let (mut plugin, channel) = provider().await;
    let (id, errors) = create(channel.clone(), "block all workers", Some("300ms")).await;
    assert_eq!((id, errors.as_str()), ("block all workers".into(), "Operation Timed Out"));
    // The threads of the runtime stay blocked, but waiting with the request context continues.
    let (_, errors) = create(channel.clone(), "wait", Some("300ms")).await;
    assert_eq!(errors, "Operation Timed Out");
    let waiting = tokio::spawn(create(channel.clone(), "wait", None));
    plugin.wait_for_line("waiting").await;
    plugin.wait_for_line("waiting").await;
    stop(&channel).await;
    assert_eq!(waiting.await.unwrap().1, "Operation Canceled");
}

pub(crate) async fn dropped_rpc_cancels_its_method() {
    let (mut plugin, channel) = provider().await;
    let state = job("wait", "x".into(), None);
    let request = read_resource::Request {
        type_name: "threads_job".into(),
        current_state: state,
        ..Default::default()
    };
    let mut provider = channel.provider();
    let reading = tokio::spawn(async move { provider.read_resource(request).await });
    plugin.wait_for_line("reading").await;
    reading.abort();
    plugin.wait_for_line("dropped").await;
    validate(&channel).await;
}

pub(crate) async fn closed_connection_cancels_its_methods() {
    let (mut plugin, handshake) = without_tls().env(SERVED, "1").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    configure(&channel).await;
    let creating = tokio::spawn(create(channel, "wait until canceled", None));
    plugin.wait_for_line("waiting").await;
    // Dropping the last handle closes the connection.
    creating.abort();
    plugin.wait_for_line("canceled, and done").await;
    validate(&handshake.connect_without_tls().await).await;
}

pub(crate) async fn cancelled_create_continues_to_its_checkpoint() {
    let (mut plugin, channel) = provider().await;
    let creating = tokio::spawn(create(channel.clone(), "wait until canceled", None));
    plugin.wait_for_line("waiting").await;
    creating.abort();
    plugin.wait_for_line("canceled, and done").await;
    validate(&channel).await;
}

pub(crate) async fn methods_can_use_tokio_and_synchronous_clients() {
    let (_plugin, channel) = provider().await;
    let (id, errors) = create(channel, "use tokio", None).await;
    assert_eq!((id, errors.as_str()), ("socket pool handle runtime".into(), ""));
}

pub(crate) async fn waiting_methods_do_not_use_threads() {
    let (mut plugin, channel) = provider().await;
    let mut waiting = JoinSet::new();
    for _ in 0..CONCURRENT_METHODS {
        let channel = channel.clone();
        waiting.spawn(async move { create(channel, "wait", None).await });
    }
    for _ in 0..CONCURRENT_METHODS {
        plugin.wait_for_line("waiting").await;
    }
    // On a busy machine, the executor may have started threads that are idle and end after some seconds.
    loop {
        let (Value::String(threads), _) = create(channel.clone(), "count threads", None).await else {
            panic!("a number");
        };
        if threads.parse::<usize>().unwrap() < CONCURRENT_METHODS / 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    stop(&channel).await;
    while let Some(created) = waiting.join_next().await {
        assert_eq!(created.unwrap().1, "Operation Canceled");
    }
}
