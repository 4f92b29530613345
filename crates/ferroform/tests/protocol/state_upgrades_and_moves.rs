//! State upgrades and moves over a real connection, with both protocol versions.

use std::process::ExitCode;

use ferroform::{
    ApplyCx, Diagnostic, Known, Maybe, Model, Moves, Planned, Protocol, Provider, ReadCx, Registry,
    RequestCx, Resource, Result, path,
};
use ferroform_proto::{Message as _, tfplugin6};
use tfplugin6::{
    RawState, diagnostic::Severity, get_metadata, get_provider_schema, move_resource_state,
    upgrade_resource_state,
};

use crate::plugin::without_tls;

/// Environment variable that makes the plugin process serve this provider.
const STATES: &str = "TRANSPORT_TEST_STATES";

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    std::env::var_os(STATES)?;
    Some(ferroform::serve_protocols::<Test>(&[Protocol::V5, Protocol::V6]))
}

struct Test;

impl Provider for Test {
    const ADDRESS: &'static str = "registry.terraform.io/acme/test";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Test))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Note>("test_note");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct NoteV0 {
    size: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = NoteV0)]
struct Note {
    size: u64,
}

impl TryFrom<NoteV0> for Note {
    type Error = Diagnostic;

    fn try_from(old: NoteV0) -> Result<Note, Diagnostic> {
        let size = old.size.parse();
        Ok(Note { size: size.map_err(|_| Diagnostic::error("Not a number").detail("?").at(path!(size)))? })
    }
}

impl Resource for Note {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<NoteComputed> {
        Ok(NoteComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }

    fn moves(moves: &mut Moves<Self>) {
        moves.from_type::<NoteV0>("test_old");
    }
}

/// `{"size": n}` in MessagePack.
fn note(size: u8) -> Vec<u8> {
    [b"\x81\xa4size".as_slice(), &[size]].concat()
}

fn raw_state(json: &str) -> Option<RawState> {
    Some(RawState { json: json.as_bytes().to_vec().into(), ..Default::default() })
}

fn upgrade(version: i64, raw_state: Option<RawState>) -> upgrade_resource_state::Request {
    upgrade_resource_state::Request { type_name: "test_note".into(), version, raw_state }
}

fn moving(source_type: &str, source_state: Option<RawState>) -> move_resource_state::Request {
    move_resource_state::Request {
        source_provider_address: "registry.terraform.io/acme/test".into(),
        source_type_name: source_type.into(),
        source_state,
        target_type_name: "test_note".into(),
        source_private: br#"{"k":"MQ=="}"#.to_vec().into(),
        ..Default::default()
    }
}

/// Returns the summaries of diagnostics, all of which must be errors.
fn errors(all: &[tfplugin6::Diagnostic]) -> Vec<&str> {
    assert!(all.iter().all(|it| it.severity() == Severity::Error), "{all:?}");
    all.iter().map(|it| it.summary.as_str()).collect()
}

pub(crate) async fn state_is_upgraded() {
    let (_plugin, handshake) = without_tls().env(STATES, "1").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let schemas = channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap();
    let schema = &schemas.into_inner().resource_schemas["test_note"];
    assert_eq!(tfplugin6::Schema::decode(&**schema).unwrap().version, 1);

    let call = |request| {
        let mut provider = channel.provider();
        async move { provider.upgrade_resource_state(request).await.unwrap().into_inner() }
    };
    for (version, json) in [(0, r#"{"size":"7"}"#), (1, r#"{"size":7}"#)] {
        let response = call(upgrade(version, raw_state(json))).await;
        assert_eq!(response.diagnostics, []);
        assert_eq!(response.upgraded_state.unwrap().msgpack, note(7));
    }
    assert_eq!(call(upgrade(0, None)).await, upgrade_resource_state::Response::default());

    let response = call(upgrade(0, raw_state(r#"{"size":"x"}"#))).await;
    assert_eq!(
        (response.upgraded_state, errors(&response.diagnostics)),
        (None, vec!["Unable to Upgrade Resource State"])
    );
    // An upgrade error has no attribute path, because Terraform could not show a line of the configuration.
    assert!(response.diagnostics[0].detail.starts_with("size: "), "{:?}", response.diagnostics);
    // A state that Terraform 0.11 has written.
    let flat = RawState { flatmap: [("size".to_owned(), "7".to_owned())].into(), ..Default::default() };
    let response = call(upgrade(0, Some(flat))).await;
    let read = "Unable to Read Previously Saved State for UpgradeResourceState";
    assert_eq!((response.upgraded_state, errors(&response.diagnostics)), (None, vec![read]));
}

pub(crate) async fn object_is_moved() {
    let (_plugin, handshake) = without_tls().env(STATES, "1").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let metadata = channel.provider().get_metadata(get_metadata::Request {}).await.unwrap().into_inner();
    assert!(metadata.server_capabilities.unwrap().move_resource_state);

    let call = |request| {
        let mut provider = channel.provider();
        async move { provider.move_resource_state(request).await.unwrap().into_inner() }
    };
    let response = call(moving("test_old", raw_state(r#"{"size":"7"}"#))).await;
    assert_eq!(response.diagnostics, []);
    assert_eq!(response.target_state.unwrap().msgpack, note(7));
    assert_eq!(response.target_private, br#"{"k":"MQ=="}"#.as_slice());

    let response = call(moving("test_other", raw_state("{}"))).await;
    assert_eq!(
        (response.target_state, errors(&response.diagnostics)),
        (None, vec!["Unable to Move Resource State"])
    );
    let response = call(moving("test_old", None)).await;
    assert_eq!(
        (response.target_state, errors(&response.diagnostics)),
        (None, vec!["Missing Source Resource State"])
    );
}

pub(crate) async fn protocol_5_is_served() {
    let setup = without_tls().env(STATES, "1").env("PLUGIN_PROTOCOL_VERSIONS", "5");
    let (_plugin, handshake) = setup.start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let mut client = channel.provider_5();
    let response =
        client.upgrade_resource_state(upgrade(0, raw_state(r#"{"size":"7"}"#))).await.unwrap().into_inner();
    assert_eq!(response.upgraded_state.unwrap().msgpack, note(7));
    let response =
        client.move_resource_state(moving("test_old", raw_state(r#"{"size":"8"}"#))).await.unwrap();
    assert_eq!(response.into_inner().target_state.unwrap().msgpack, note(8));
}
