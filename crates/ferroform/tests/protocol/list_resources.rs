//! List resources over a real connection: back-pressure, cancellation, the limit and metadata.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use ferroform::value::{Type, Value, msgpack};
use ferroform::{
    ApplyCx, Args, Known, ListCx, ListResource, Listed, Maybe, Model, Planned, Provider, ReadCx, Registry,
    RequestCx, Resource, Result, serve,
};
use ferroform_proto::tfplugin6::{DynamicValue, get_metadata, list_resource, validate_list_resource_config};
use tonic::Streaming;
use tonic::body::Body;
use tonic::codegen::{Service as _, http};

use crate::methods;
use crate::plugin::{Channel, Directory, Plugin, origin, without_tls};

/// Environment variable with the directory of the counter. It makes the plugin process serve this provider.
const COUNTER: &str = "TRANSPORT_TEST_LIST";

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    env::var_os(COUNTER)?;
    Some(serve::<Numbers>())
}

struct Numbers;

impl Provider for Numbers {
    const ADDRESS: &'static str = "example.com/test/numbers";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Numbers))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Number>("numbers_number").list_resource::<AllNumbers>("numbers_number");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Number {
    #[attr(identity, requires_replace)]
    value: u64,
}

impl Resource for Number {
    type Provider = Numbers;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<NumberComputed> {
        Ok(NumberComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// All numbers, without an end. The length of the file `count` is the number of results so far, and the file `ended` exists once
/// the method has ended.
#[derive(Model, Clone, Debug, PartialEq)]
struct AllNumbers {
    start: u64,
}

/// Creates a file when it is dropped.
struct Ended(PathBuf);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = fs::write(&self.0, "");
    }
}

impl ListResource for AllNumbers {
    type Resource = Number;

    async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
        let directory = PathBuf::from(env::var_os(COUNTER).unwrap_or_default());
        let _ended = Ended(directory.join("ended"));
        // Results of 64 KiB fill the buffers of the connection soon.
        let name = "n".repeat(64 << 10);
        let mut count = fs::File::create(directory.join("count"))?;
        for value in args.start.. {
            count.write_all(b".")?;
            cx.send(Listed::new(NumberIdentity { value }, &name)).await?;
        }
        Ok(())
    }
}

/// A process with this provider, and the directory of its counter.
struct Bench {
    plugin: Plugin,
    channel: Channel,
    directory: Directory,
}

impl Bench {
    async fn start(test: &str) -> Bench {
        let directory = Directory::new(test);
        fs::create_dir_all(directory.path()).unwrap();
        let (plugin, handshake) = without_tls().env(COUNTER, directory.path()).start_and_handshake().await;
        let channel = handshake.connect_without_tls().await;
        methods::configure(&channel).await;
        Bench { plugin, channel, directory }
    }

    /// The number of results that the method has sent, or is sending.
    fn count(&self) -> u64 {
        fs::metadata(self.directory.path().join("count")).map_or(0, |it| it.len())
    }

    async fn list(&self, limit: i64) -> Streaming<list_resource::Event> {
        let request = list_resource::Request {
            type_name: "numbers_number".into(),
            config: config(7),
            limit,
            include_resource_object: false,
        };
        self.channel.provider().list_resource(request).await.unwrap().into_inner()
    }

    /// Waits until the method has ended.
    async fn wait_until_ended(&self) {
        while !self.directory.path().join("ended").exists() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn end(mut self) {
        assert!(self.plugin.end(self.channel).await.success());
    }
}

fn config(start: i64) -> Option<DynamicValue> {
    let ty = Type::object([("start", Type::Number)]);
    let value = Value::object([("start", start.into())]);
    Some(DynamicValue { msgpack: msgpack::encode(&value, &ty).unwrap().into(), ..Default::default() })
}

pub(crate) async fn list_waits_for_the_client_and_ends_with_it() {
    let bench = Bench::start("list-waits").await;
    let mut events = bench.list(0).await;
    for _ in 0..3 {
        let event = events.message().await.unwrap().unwrap();
        assert_eq!(event.display_name.len(), 64 << 10);
        assert!(event.identity.is_some() && event.resource_object.is_none() && event.diagnostic.is_empty());
    }
    // The buffers of the connection are full after a while.
    let mut before = 0;
    while bench.count() != before {
        before = bench.count();
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert!(before < 1000, "the method waits for the client, but it has sent {before} results");
    for _ in 0..before {
        events.message().await.unwrap().unwrap();
    }
    assert!(bench.count() > before, "the method continues once the client receives results");
    assert!(!bench.directory.path().join("ended").exists());
    drop(events);
    bench.wait_until_ended().await;
    bench.end().await;
}

pub(crate) async fn limit_ends_the_list() {
    let bench = Bench::start("list-limit").await;
    let mut events = bench.list(5).await;
    let mut count = 0;
    while let Some(event) = events.message().await.unwrap() {
        assert!(event.diagnostic.is_empty(), "{:?}", event.diagnostic);
        count += 1;
    }
    assert_eq!((count, bench.count()), (5, 5));
    bench.wait_until_ended().await;
    bench.end().await;
}

pub(crate) async fn list_resources_are_described_and_validated() {
    let bench = Bench::start("list-describe").await;
    let mut client = bench.channel.provider();
    let metadata = client.get_metadata(get_metadata::Request {}).await.unwrap().into_inner();
    let names: Vec<_> = metadata.list_resources.iter().map(|it| it.type_name.as_str()).collect();
    assert_eq!(names, ["numbers_number"]);
    let type_name = "numbers_number".to_owned();
    let request =
        validate_list_resource_config::Request { type_name, config: config(1), ..Default::default() };
    let response = client.validate_list_resource_config(request).await.unwrap().into_inner();
    assert_eq!(response.diagnostics, []);
    let request = list_resource::Request { type_name: "numbers_letter".into(), ..Default::default() };
    let mut events = client.list_resource(request).await.unwrap().into_inner();
    let event = events.message().await.unwrap().unwrap();
    assert_eq!(event.diagnostic[0].summary, "List Resource Type Not Found");
    assert_eq!(events.message().await.unwrap(), None, "the error is the only event");
    drop((events, client));
    bench.end().await;
}

/// The generated service responds `Unimplemented` to an RPC that the server omits.
pub(crate) async fn every_rpc_of_the_protocol_is_served() {
    let mut bench = Bench::start("every_rpc").await;
    let proto = include_str!("../../../proto/proto/tfplugin6.proto");
    let rpcs = proto.lines().filter_map(|it| it.trim().strip_prefix("rpc ")?.split_once('('));
    let mut count = 0;
    for (rpc, _) in rpcs {
        let request = http::Request::post(format!("{}tfplugin6.Provider/{rpc}", origin()))
            .header("content-type", "application/grpc")
            .body(Body::new("\0\0\0\0\0".to_owned()));
        let response = bench.channel.call(request.unwrap()).await.unwrap();
        let status = response.headers().get("grpc-status").map(|it| it.as_bytes());
        assert_ne!(status, Some(&b"12"[..]), "{rpc} is not served");
        count += 1;
    }
    assert!(count > 30, "{count}");
    bench.end().await;
}
