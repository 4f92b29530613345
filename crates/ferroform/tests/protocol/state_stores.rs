//! State stores over a real connection: chunks in both directions, broken uploads, locks and metadata.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs, io};

use ferroform::value::{Type, Value, json, msgpack};
use ferroform::{
    Args, Config, Context as _, Diagnostic, Known, Maybe, Model, Protocol, Provider, Registry, RequestCx,
    Result, StateStore, StoreCx, path,
};
use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::write_state_bytes::RequestChunk;
use ferroform_proto::tfplugin6::{self as wire, DynamicValue, StateByteRange};
use plugin_client::StateStore as Client;
use tonic::codegen::tokio_stream;
use wire::{configure_provider, get_metadata, get_provider_schema, validate_state_store_config};

use crate::plugin::{Channel, Directory, Plugin, without_tls};

/// Environment variable with the directory of the states. It makes the plugin process serve this provider.
const STATES: &str = "TRANSPORT_TEST_STATE_STORE";

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    env::var_os(STATES)?;
    Some(ferroform::serve_protocols::<Files>(&[Protocol::V5, Protocol::V6]))
}

struct Files;

impl Provider for Files {
    const ADDRESS: &'static str = "example.com/test/files";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Files))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.state_store::<Directories>("files_directory");
    }
}

/// The configuration of the state store.
#[derive(Model, Clone, Debug, PartialEq)]
struct DirectoriesConfig {
    /// The name of the directory.
    name: String,
    options: Option<Options>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Options {
    mode: Option<String>,
}

/// Keeps each state in a file. Counts the calls of `write` in the file `.writes`.
struct Directories(PathBuf);

impl StateStore for Directories {
    type Provider = Files;
    type Config = DirectoriesConfig;

    async fn validate(_: &RequestCx, config: Config<DirectoriesConfig>) -> Result<()> {
        match config.name {
            Known(name) if name.contains('/') => {
                Err(Diagnostic::error("Invalid Name").at(path!(name)).into())
            }
            _ => Ok(()),
        }
    }

    async fn configure(_: &StoreCx<Self>, args: Args<DirectoriesConfig>) -> Result<Self> {
        let directory = PathBuf::from(env::var_os(STATES).context("No Directory")?).join(args.name);
        fs::create_dir_all(&directory).context("Cannot Create Directory")?;
        Ok(Directories(directory))
    }

    async fn read(&self, cx: &StoreCx<Self>, state_id: &str) -> Result<Option<Vec<u8>>> {
        cx.warn("Slow Directory");
        match fs::read(self.0.join(state_id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            state => state.map(Some).context("Cannot Read State"),
        }
    }

    async fn write(&self, _: &StoreCx<Self>, state_id: &str, state: Vec<u8>) -> Result<()> {
        fs::write(self.0.join(state_id), state).context("Cannot Write State")
    }

    async fn lock(&self, _: &StoreCx<Self>, state_id: &str, operation: &str) -> Result<Option<String>> {
        Ok(Some(format!("{operation} of {state_id}")))
    }

    async fn unlock(&self, _: &StoreCx<Self>, _: &str, lock_id: &str) -> Result<()> {
        if lock_id == "apply of default" { Ok(()) } else { Err(Diagnostic::error("Not Locked").into()) }
    }

    async fn states(&self, _: &StoreCx<Self>) -> Result<Vec<String>> {
        let entries = fs::read_dir(&self.0).context("Cannot List States")?;
        let mut names: Vec<_> = entries.filter_map(|it| it.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        Ok(names)
    }

    async fn delete(&self, _: &StoreCx<Self>, state_id: &str) -> Result<()> {
        fs::remove_file(self.0.join(state_id)).context("Cannot Delete State")
    }
}

fn config(name: &str) -> DynamicValue {
    let options = Type::object([("mode", Type::String)]);
    let ty = Type::object([("name", Type::String), ("options", options)]);
    let value = json::decode(format!(r#"{{"name":"{name}","options":null}}"#).as_bytes(), &ty).unwrap();
    DynamicValue { msgpack: msgpack::encode(&value, &ty).unwrap().into(), ..Default::default() }
}

/// Starts the plugin with a directory of this name.
async fn start(name: &str) -> (Plugin, Channel) {
    let directory = Directory::new(name);
    let setup = without_tls().env(STATES, directory.path()).env("PLUGIN_PROTOCOL_VERSIONS", "6");
    let (plugin, handshake) = setup.start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let empty = msgpack::encode(&Value::Object(Default::default()), &Type::object::<&str>([])).unwrap();
    let config = Some(DynamicValue { msgpack: empty.into(), ..Default::default() });
    let request = configure_provider::Request { config, ..Default::default() };
    let response = channel.provider().configure_provider(request).await.unwrap().into_inner();
    assert!(response.diagnostics.is_empty(), "{response:?}");
    (plugin, channel)
}

async fn store(channel: &Channel, chunk_size: i64) -> Client {
    Client::configure(channel, "files_directory", config("states"), chunk_size).await.unwrap()
}

pub(crate) async fn states_of_all_sizes_are_transferred_in_chunks() {
    let (mut plugin, channel) = start("ss-sizes").await;
    for chunk_size in [1, 7, 64] {
        let store = store(&channel, chunk_size).await;
        assert_eq!(store.chunk_size() as i64, chunk_size);
        for length in [1, 6, 7, 8, 63, 64, 65, 500] {
            let state: Vec<u8> = (0..length).map(|it| (it % 251) as u8).collect();
            store.write("default", &state).await.unwrap();
            assert_eq!(store.read("default").await.unwrap(), state);
        }
    }
    let large = vec![7; 20 << 20];
    let store = store(&channel, 8 << 20).await;
    store.write("large", &large).await.unwrap();
    assert_eq!(store.read("large").await.unwrap(), large);
    assert_eq!(store.read("absent").await.unwrap(), b"");
    assert_eq!(store.states().await.unwrap(), ["default", "large"]);
    store.delete("large").await.unwrap();
    assert_eq!(store.states().await.unwrap(), ["default"]);
    assert!(plugin.end(channel).await.success());
}

pub(crate) async fn chunk_size_is_negotiated() {
    let (mut plugin, channel) = start("ss-negotiation").await;
    for (proposal, negotiated) in [(0, 8 << 20), (-1, 8 << 20), (1 << 40, 128 << 20), (4096, 4096)] {
        assert_eq!(store(&channel, proposal).await.chunk_size(), negotiated);
    }
    assert!(plugin.end(channel).await.success());
}

pub(crate) async fn broken_upload_stores_nothing() {
    let (mut plugin, channel) = start("ss-broken").await;
    let store = store(&channel, 4).await;
    store.write("default", b"previous state").await.unwrap();
    let chunks = store.chunks("default", b"a new state");
    let broken: Vec<(&str, Vec<RequestChunk>)> = {
        let change = |number: usize, change: &dyn Fn(&mut RequestChunk)| {
            let mut chunks = chunks.clone();
            change(&mut chunks[number]);
            chunks
        };
        let range = |start, end| Some(StateByteRange { start, end });
        vec![
            ("no chunk was received", vec![]),
            ("the state has 11 bytes, but only 8 were received", chunks[..2].to_vec()),
            ("a chunk begins at byte 8, but 4 bytes", vec![chunks[0].clone(), chunks[2].clone()]),
            ("a chunk begins at byte 4, but 8 bytes", {
                let [first, second, third] = &chunks[..] else { panic!("three chunks are expected") };
                vec![first.clone(), second.clone(), second.clone(), third.clone()]
            }),
            ("a chunk begins at byte 8, but 4 bytes", {
                let mut chunks = chunks.clone();
                chunks.swap(1, 2);
                chunks
            }),
            ("the first chunk does not contain the ID", chunks[1..].to_vec()),
            ("a chunk has no range", change(1, &|it| it.range = None)),
            ("a chunk begins at byte 3, but 4 bytes", change(1, &|it| it.range = range(3, 6))),
            ("a chunk with the range 4 to 8 has 4 bytes", change(1, &|it| it.range = range(4, 8))),
            ("a later one a state of 12 bytes", change(2, &|it| it.total_length = 12)),
            ("a chunk with the range 8 to 10 has 2 bytes", change(2, &|it| it.bytes = b"te"[..].into())),
            ("a chunk announces a state of -11 bytes", change(0, &|it| it.total_length = -11)),
            (
                "belongs to another state",
                change(1, &|it| {
                    it.meta = Some(wire::RequestChunkMeta {
                        type_name: "files_directory".into(),
                        state_id: "x".into(),
                    });
                }),
            ),
            (
                "State Store Type Not Found",
                change(0, &|it| {
                    it.meta =
                        Some(wire::RequestChunkMeta { type_name: "files_none".into(), state_id: "x".into() });
                }),
            ),
        ]
    };
    for (reason, chunks) in broken {
        let errors = store.upload(tokio_stream::iter(chunks)).await.unwrap_err();
        assert!(errors.len() == 1 && errors[0].contains(reason), "{reason}: {errors:?}");
        assert_eq!(store.read("default").await.unwrap(), b"previous state", "{reason}");
        assert_eq!(store.states().await.unwrap(), ["default"], "{reason}");
    }
    store.upload(tokio_stream::iter(chunks)).await.unwrap();
    assert_eq!(store.read("default").await.unwrap(), b"a new state");
    assert!(plugin.end(channel).await.success());
}

pub(crate) async fn canceled_upload_stores_nothing() {
    let (mut plugin, channel) = start("ss-canceled").await;
    let store = store(&channel, 4).await;
    store.write("default", b"previous state").await.unwrap();
    let chunks = store.chunks("default", b"a new state");
    // The stream never ends, and the client cancels the request.
    let (sender, receiver) = tokio::sync::mpsc::channel(8);
    for chunk in &chunks[..2] {
        sender.send(chunk.clone()).await.unwrap();
    }
    let mut receiver = receiver;
    let endless = ReceiverStream(std::future::poll_fn(move |context| receiver.poll_recv(context)));
    let upload = tokio::spawn({
        let store = store.clone();
        async move { store.upload(endless).await }
    });
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    upload.abort();
    assert!(upload.await.unwrap_err().is_cancelled());
    assert_eq!(store.read("default").await.unwrap(), b"previous state");
    drop(sender);
    assert!(plugin.end(channel).await.success());
}

/// A stream of the chunks that a function polls.
struct ReceiverStream<F>(std::future::PollFn<F>);

impl<F> tokio_stream::Stream for ReceiverStream<F>
where
    F: FnMut(&mut std::task::Context<'_>) -> std::task::Poll<Option<RequestChunk>> + Unpin,
{
    type Item = RequestChunk;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<RequestChunk>> {
        std::pin::Pin::new(&mut self.0).poll(context)
    }
}

pub(crate) async fn state_stores_are_locked_and_must_be_configured() {
    let (mut plugin, channel) = start("ss-locks").await;
    let request =
        wire::read_state_bytes::Request { type_name: "files_directory".into(), state_id: "x".into() };
    let mut chunks = channel.provider().read_state_bytes(request).await.unwrap().into_inner();
    let chunk = chunks.message().await.unwrap().unwrap();
    assert_eq!(chunk.diagnostics[0].summary, "State Store Not Configured");
    assert!(chunk.range.is_some() && chunks.message().await.unwrap().is_none());

    let store = store(&channel, 64).await;
    let id = store.lock("default", "apply").await.unwrap();
    assert_eq!(id, "apply of default");
    store.unlock("default", &id).await.unwrap();
    assert_eq!(store.unlock("default", "other").await.unwrap_err(), ["Not Locked: "]);
    let unknown = Client::configure(&channel, "files_none", config("x"), 64).await;
    let errors = unknown.err().unwrap();
    assert!(errors[0].starts_with("State Store Type Not Found: "), "{errors:?}");
    assert!(plugin.end(channel).await.success());
}

pub(crate) async fn schema_metadata_and_validation_of_state_stores() {
    let (mut plugin, channel) = start("ss-schema").await;
    let mut provider = channel.provider();
    let metadata = provider.get_metadata(get_metadata::Request {}).await.unwrap().into_inner();
    assert_eq!(metadata.state_stores[0].type_name, "files_directory");
    let schemas = provider.get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
    assert!(schemas.diagnostics.is_empty(), "{:?}", schemas.diagnostics);
    let schema = wire::Schema::decode(&*schemas.state_store_schemas["files_directory"]).unwrap();
    let names: Vec<_> = schema.block.unwrap().attributes.into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["name", "options"]);
    let request = validate_state_store_config::Request {
        type_name: "files_directory".into(),
        config: Some(config("a/b")),
    };
    let response = provider.validate_state_store_config(request).await.unwrap().into_inner();
    assert_eq!(response.diagnostics[0].summary, "Invalid Name");
    assert!(response.diagnostics[0].attribute.is_some());
    assert!(plugin.end(channel).await.success());
}

pub(crate) async fn state_stores_are_omitted_under_protocol_5() {
    let directory = Directory::new("ss-five");
    let setup = without_tls().env(STATES, directory.path()).env("PLUGIN_PROTOCOL_VERSIONS", "5");
    let (mut plugin, handshake) = setup.start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let mut client = channel.provider_5();
    let schema = client.get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
    assert!(schema.diagnostics.is_empty(), "{:?}", schema.diagnostics);
    let metadata = client.get_metadata(get_metadata::Request {}).await.unwrap().into_inner();
    assert!(metadata.state_stores.is_empty());
    assert!(plugin.end(channel).await.success());
}
