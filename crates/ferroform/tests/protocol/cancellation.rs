//! Cancellation by the client: canceled RPCs and closed connections, with a concurrency limit and with waits.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, thread};

use ferroform::value::{Type, Value, msgpack};
use ferroform::wait::{Backoff, Retry, RetryError, Wait};
use ferroform::{
    ApplyCx, Args, Diagnostic, EphemeralResource, Known, Maybe, Model, OpenCx, Opened, OpenedCx, Planned,
    Provider, ReadCx, Registry, RequestCx, Resource, Result, serve,
};
use ferroform_proto::tfplugin6::{DynamicValue, apply_resource_change, open_ephemeral_resource};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use crate::methods;
use crate::plugin::{Channel, Directory, Plugin, without_tls};

/// Environment variable with the directory of the objects. It makes the plugin process serve this provider.
const OBJECTS: &str = "TRANSPORT_TEST_OBJECTS";

/// The maximum number of methods that run at the same time.
const LIMIT: usize = 2;

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    env::var_os(OBJECTS)?;
    Some(serve::<Limited>())
}

struct Limited;

impl Provider for Limited {
    const ADDRESS: &'static str = "example.com/test/limited";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Limited))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .concurrency_limit(LIMIT)
            .resource::<Object>("limited_object")
            .ephemeral_resource::<Lease>("limited_lease");
    }
}

/// An object, which is a file.
#[derive(Model, Clone, Debug, PartialEq)]
struct Object {
    name: String,
    /// What `create` does before it creates the object.
    before: String,
    #[attr(computed)]
    id: String,
}

impl Resource for Object {
    type Provider = Limited;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ObjectComputed> {
        eprintln!("creating {}", plan.name);
        let waited = match plan.before.as_str() {
            "cancelled" => {
                cx.cancelled().await;
                Ok(())
            }
            "retry" => {
                let busy = || RetryError::after(Duration::from_secs(3600), Diagnostic::error("Busy"));
                Retry::new("create the object").run(cx, async || Err(busy())).await
            }
            "wait" => {
                let wait = Wait::new("the zone").target([true]).backoff(Backoff::constant(HOUR));
                wait.run(cx, async || Ok(Some((false, ())))).await
            }
            "sleep" => cx.sleep(HOUR).await,
            "block" => loop {
                thread::park();
            },
            _ => Ok(()),
        };
        eprintln!("{} waited", plan.name);
        waited?;
        fs::write(PathBuf::from(env::var_os(OBJECTS).unwrap_or_default()).join(&plan.name), "")?;
        eprintln!("created {}", plan.name);
        Ok(ObjectComputed { id: plan.name })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// A lease, which takes longer to close than most requests.
#[derive(Model, Clone, Debug, PartialEq)]
struct Lease {}

impl EphemeralResource for Lease {
    type Provider = Limited;
    type Private = ();

    async fn open(_: &OpenCx<Self>, _: Args<Self>) -> Result<Opened<Self>> {
        Ok(Opened::new(LeaseComputed {}, ()))
    }

    async fn close(cx: &OpenedCx<Self>, (): ()) -> Result<()> {
        cx.sleep(Duration::from_secs(1)).await?;
        fs::write(PathBuf::from(env::var_os(OBJECTS).unwrap_or_default()).join("closed"), "")?;
        Ok(())
    }
}

const HOUR: Duration = Duration::from_secs(3600);

/// A process with this provider, the directory of its objects and that of its socket.
struct Bench {
    plugin: Plugin,
    channel: Channel,
    objects: Directory,
    sockets: Directory,
}

impl Bench {
    async fn start(test: &str) -> Bench {
        let (objects, sockets) = (Directory::new(&format!("{test}-objects")), Directory::new(test));
        let setup = without_tls().env(OBJECTS, objects.path()).env("PLUGIN_UNIX_SOCKET_DIR", sockets.path());
        let (plugin, handshake) = setup.start_and_handshake().await;
        let channel = handshake.connect_without_tls().await;
        methods::configure(&channel).await;
        assert_eq!(sockets.is_empty(), cfg!(windows), "there are sockets on Unix only");
        Bench { plugin, channel, objects, sockets }
    }

    /// Opens a lease, and starts as many creates that block their threads as the concurrency limit allows.
    async fn open_lease_and_block(&mut self) -> JoinSet<()> {
        let request = open_ephemeral_resource::Request {
            type_name: "limited_lease".into(),
            config: Some(DynamicValue { msgpack: vec![0x80].into(), ..Default::default() }),
            ..Default::default()
        };
        let opened = self.channel.provider().open_ephemeral_resource(request).await.unwrap().into_inner();
        assert_eq!(opened.diagnostics, []);
        let mut blocked = JoinSet::new();
        for i in 0..LIMIT {
            blocked.spawn(create(self.channel.clone(), i.to_string(), "block".into()));
            self.plugin.wait_for_line("creating").await;
        }
        blocked
    }

    /// Starts a create that performs this step before it creates the object.
    fn create(&self, name: &str, before: &str) -> JoinHandle<()> {
        tokio::spawn(create(self.channel.clone(), name.into(), before.into()))
    }
}

async fn create(channel: Channel, name: String, before: String) {
    let request = apply_resource_change::Request {
        type_name: "limited_object".into(),
        prior_state: encode(&Value::Null),
        planned_state: object(&name, &before, Value::UNKNOWN),
        config: object(&name, &before, Value::Null),
        ..Default::default()
    };
    let response = channel.provider().apply_resource_change(request).await.unwrap().into_inner();
    assert_eq!(response.diagnostics, []);
}

fn ty() -> Type {
    Type::object([("name", Type::String), ("before", Type::String), ("id", Type::String)])
}

fn object(name: &str, before: &str, id: Value) -> Option<DynamicValue> {
    encode(&Value::object([("name", name.into()), ("before", before.into()), ("id", id)]))
}

fn encode(value: &Value) -> Option<DynamicValue> {
    Some(DynamicValue { msgpack: msgpack::encode(value, &ty()).unwrap().into(), ..Default::default() })
}

/// The names of the objects that exist.
fn created(directory: &Path) -> Vec<String> {
    let files = fs::read_dir(directory).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = files.collect();
    names.sort();
    names
}

pub(crate) async fn canceled_rpc_that_waits_for_the_concurrency_limit_does_not_start() {
    let mut bench = Bench::start("queued").await;
    let running: Vec<_> = ["a", "b"].map(|name| bench.create(name, "cancelled")).into();
    for _ in &running {
        bench.plugin.wait_for_line("creating").await;
    }
    let queued: Vec<_> = (0..28).map(|i| bench.create(&format!("queued{i}"), "nothing")).collect();
    let last = bench.create("last", "nothing");
    // The requests of one connection arrive in order.
    methods::configure(&bench.channel).await;
    queued.iter().for_each(JoinHandle::abort);
    // Another request is in the queue behind the canceled ones, so it shows that they have released nothing.
    methods::configure(&bench.channel).await;
    running.iter().for_each(JoinHandle::abort);
    timeout(Duration::from_secs(10), last).await.expect("it is not canceled").unwrap();
    assert_eq!(created(bench.objects.path()), ["a", "b", "last"]);
}

pub(crate) async fn canceled_rpc_ends_retries_waits_and_sleeps() {
    for before in ["retry", "wait", "sleep"] {
        let mut bench = Bench::start(before).await;
        let creating = bench.create("a", before);
        bench.plugin.wait_for_line("creating a").await;
        creating.abort();
        // Without a cancellation, the method waits for an hour.
        bench.plugin.wait_for_line("a waited").await;
        timeout(Duration::from_secs(10), bench.create("b", "nothing")).await.expect("it ends").unwrap();
        assert_eq!(created(bench.objects.path()), ["b"], "{before}");
    }
}

/// Closes the connection and the streams, as the kernel does for a client that is killed, once all requests have arrived.
/// Waits until the process has ended, checks that it has removed its socket, and returns the directory of the objects.
async fn kill_client<T: 'static>(bench: Bench, mut requests: JoinSet<T>) -> Directory {
    methods::configure(&bench.channel).await;
    let Bench { plugin, channel, objects, sockets } = bench;
    drop(channel);
    requests.abort_all();
    let ended = timeout(Duration::from_secs(10), plugin.wait_without_streams()).await;
    assert!(ended.expect("the process ends").success());
    assert!(sockets.is_empty());
    objects
}

pub(crate) async fn killed_client_leaves_only_the_objects_of_running_methods() {
    let mut bench = Bench::start("killed-client").await;
    let mut creating = JoinSet::new();
    for i in 0..30 {
        let (channel, name) = (bench.channel.clone(), format!("{i:02}"));
        creating.spawn(create(channel, name, "cancelled".into()));
    }
    for _ in 0..LIMIT {
        bench.plugin.wait_for_line("creating").await;
    }
    assert_eq!(created(kill_client(bench, creating).await.path()).len(), LIMIT);
}

pub(crate) async fn waiting_methods_end_with_the_client() {
    let mut bench = Bench::start("waiting-client").await;
    let mut creating = JoinSet::new();
    for (i, before) in ["retry", "wait", "sleep"].into_iter().cycle().take(30).enumerate() {
        let (channel, name) = (bench.channel.clone(), format!("{i:02}"));
        creating.spawn(create(channel, name, before.into()));
    }
    for _ in 0..LIMIT {
        bench.plugin.wait_for_line("creating").await;
    }
    assert!(kill_client(bench, creating).await.is_empty());
}

pub(crate) async fn lease_is_closed_while_methods_block_after_the_client_is_killed() {
    let mut bench = Bench::start("killed-lease").await;
    let mut blocked = bench.open_lease_and_block().await;
    let Bench { plugin, channel, objects, sockets: _sockets } = bench;
    drop(channel);
    blocked.abort_all();
    let closed = async {
        while created(objects.path()) != ["closed"] {
            sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        () = closed => {}
        // The engine abandons the methods after 20 s.
        _ = plugin.wait_without_streams() => panic!("the lease is not closed while the methods block"),
    }
}

pub(crate) async fn lease_is_closed_while_methods_block_after_shutdown() {
    let mut bench = Bench::start("shutdown-lease").await;
    let mut blocked = bench.open_lease_and_block().await;
    blocked.abort_all();
    let Bench { mut plugin, channel, objects, sockets: _sockets } = bench;
    assert_eq!(plugin.end(channel).await.code(), Some(0));
    assert_eq!(created(objects.path()), ["closed"]);
}
