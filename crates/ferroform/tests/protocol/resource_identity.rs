//! Resource identity, import by identity and generated configuration over a real connection.

use std::process::ExitCode;

use ferroform::value::{Type, Value, json, msgpack};
use ferroform::{
    ApplyCx, Identity, Known, Maybe, Model, Planned, Protocol, Provider, ReadCx, Registry, RequestCx,
    Resource, Result,
};
use ferroform_proto::tfplugin6;
use ferroform_proto::tfplugin6::{self as wire, DynamicValue, RawState, ResourceIdentityData};
use tfplugin6::{
    apply_resource_change, configure_provider, generate_resource_config, get_metadata,
    get_resource_identity_schemas, import_resource_state, plan_resource_change, read_resource,
    upgrade_resource_identity,
};

use crate::plugin::{Setup, without_tls};

/// Environment variable that makes the plugin process serve this provider.
const SERVED: &str = "TRANSPORT_TEST_IDENTITY";

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    std::env::var_os(SERVED)?;
    Some(ferroform::serve_protocols::<Shelf>(&[Protocol::V5, Protocol::V6]))
}

struct Shelf {
    room: String,
}

impl Provider for Shelf {
    const ADDRESS: &'static str = "example.com/test/shelf";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Shelf { room: "attic".into() }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Book>("shelf_book").resource::<WithoutIdentity>("shelf_dust");
    }
}

/// A book.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity = BookIdentity, identity_version = 1, identity_from(OldIdentity), import = "{row}:{title}")]
struct Book {
    #[attr(requires_replace)]
    row: u8,
    #[attr(requires_replace)]
    title: String,
    #[attr(default = false)]
    read: bool,
    #[attr(computed)]
    pages: u64,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct BookIdentity {
    /// The provider's room by default.
    room: Option<String>,
    row: u8,
    /// The title of the book.
    title: String,
}

impl Identity<Book> for BookIdentity {
    fn of(shelf: &Shelf, book: &Book) -> Result<Self> {
        Ok(BookIdentity { room: Some(shelf.room.clone()), row: book.row, title: book.title.clone() })
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct OldIdentity {
    title: String,
}

impl From<OldIdentity> for BookIdentity {
    fn from(old: OldIdentity) -> Self {
        BookIdentity { room: None, row: 0, title: old.title }
    }
}

impl Resource for Book {
    type Provider = Shelf;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<BookComputed> {
        Ok(BookComputed { pages: plan.title.len() as u64 })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(Book { pages: state.title.len() as u64, ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<BookComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// A resource without identity.
#[derive(Model, Clone, Debug, PartialEq)]
struct WithoutIdentity {
    grains: u64,
}

impl Resource for WithoutIdentity {
    type Provider = Shelf;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<WithoutIdentityComputed> {
        Ok(WithoutIdentityComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

const BOOK: &str = "shelf_book";

fn setup(protocol: &str) -> Setup {
    without_tls().env(SERVED, "1").env("PLUGIN_PROTOCOL_VERSIONS", protocol)
}

fn identity_ty() -> Type {
    Type::object([("room", Type::String), ("row", Type::Number), ("title", Type::String)])
}

fn state_ty() -> Type {
    Type::object([
        ("pages", Type::Number),
        ("read", Type::Bool),
        ("row", Type::Number),
        ("title", Type::String),
    ])
}

/// Returns the value of a JSON document, encoded as Terraform sends it.
fn sent(json: &str, ty: &Type) -> Option<DynamicValue> {
    let value = json::decode(json.as_bytes(), ty).unwrap();
    Some(DynamicValue { msgpack: msgpack::encode(&value, ty).unwrap().into(), ..Default::default() })
}

fn resource_identity(json: &str) -> Option<ResourceIdentityData> {
    identity_message(json, &identity_ty())
}

fn identity_message(json: &str, ty: &Type) -> Option<ResourceIdentityData> {
    Some(ResourceIdentityData { identity_data: sent(json, ty) })
}

fn decoded_json(value: Option<&DynamicValue>, ty: &Type) -> String {
    let value = msgpack::decode(&value.expect("a value").msgpack, ty).unwrap();
    let known = value.transform(&mut |_, it| Ok::<_, ()>(if it.is_unknown() { Value::Null } else { it }));
    String::from_utf8(json::encode(&known.unwrap(), ty).unwrap()).unwrap()
}

fn identity(it: Option<&ResourceIdentityData>) -> String {
    decoded_json(it.expect("an identity").identity_data.as_ref(), &identity_ty())
}

const IDENTITY: &str = r#"{"room":"attic","row":2,"title":"Emma"}"#;
const STATE: &str = r#"{"pages":4,"read":false,"row":2,"title":"Emma"}"#;

pub(crate) async fn resource_identity_is_returned() {
    let (_plugin, handshake) = setup("6").start_and_handshake().await;
    let mut client = handshake.connect_without_tls().await.provider();
    client
        .configure_provider(configure_provider::Request {
            config: Some(DynamicValue { msgpack: vec![0x80].into(), ..Default::default() }),
            ..Default::default()
        })
        .await
        .unwrap();

    let schemas =
        client.get_resource_identity_schemas(get_resource_identity_schemas::Request {}).await.unwrap();
    let schemas = schemas.into_inner();
    assert_eq!(schemas.diagnostics, []);
    assert_eq!(schemas.identity_schemas.keys().collect::<Vec<_>>(), [BOOK], "dust has none");
    let schema = &schemas.identity_schemas[BOOK];
    assert_eq!(schema.version, 1);
    let parts: Vec<_> = schema
        .identity_attributes
        .iter()
        .map(|it| {
            let ty = String::from_utf8(it.r#type.to_vec()).unwrap();
            (&*it.name, ty, it.required_for_import, it.optional_for_import, &*it.description)
        })
        .collect();
    assert_eq!(
        parts,
        [
            ("room", "\"string\"".to_owned(), false, true, "The provider's room by default."),
            ("row", "\"number\"".to_owned(), true, false, ""),
            ("title", "\"string\"".to_owned(), true, false, "The title of the book."),
        ]
    );

    let planned = client
        .plan_resource_change(plan_resource_change::Request {
            type_name: BOOK.into(),
            prior_state: sent("null", &state_ty()),
            config: sent(r#"{"pages":null,"read":null,"row":2,"title":"Emma"}"#, &state_ty()),
            proposed_new_state: sent(r#"{"pages":null,"read":null,"row":2,"title":"Emma"}"#, &state_ty()),
            ..Default::default()
        })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(planned.diagnostics, []);
    assert_eq!(
        planned.planned_identity, None,
        "an identity attribute is unknown before the object is created"
    );
    let created = client
        .apply_resource_change(apply_resource_change::Request {
            type_name: BOOK.into(),
            prior_state: sent("null", &state_ty()),
            planned_state: planned.planned_state,
            config: sent(r#"{"pages":null,"read":null,"row":2,"title":"Emma"}"#, &state_ty()),
            ..Default::default()
        })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(created.diagnostics, []);
    assert_eq!(identity(created.new_identity.as_ref()), IDENTITY);

    let read = |identity: Option<ResourceIdentityData>| read_resource::Request {
        type_name: BOOK.into(),
        current_state: sent(STATE, &state_ty()),
        current_identity: identity,
        ..Default::default()
    };
    for before in [None, resource_identity("null"), resource_identity(IDENTITY)] {
        let found = client.read_resource(read(before)).await.unwrap().into_inner();
        assert_eq!(found.diagnostics, []);
        assert_eq!(identity(found.new_identity.as_ref()), IDENTITY);
    }
    let other = resource_identity(r#"{"room":"cellar","row":2,"title":"Emma"}"#);
    let found = client.read_resource(read(other)).await.unwrap().into_inner();
    assert_eq!(found.diagnostics[0].summary, "Unexpected Identity Change");

    let planned = client
        .plan_resource_change(plan_resource_change::Request {
            type_name: BOOK.into(),
            prior_state: sent(STATE, &state_ty()),
            prior_identity: resource_identity(IDENTITY),
            config: sent(r#"{"pages":null,"read":true,"row":2,"title":"Emma"}"#, &state_ty()),
            proposed_new_state: sent(r#"{"pages":4,"read":true,"row":2,"title":"Emma"}"#, &state_ty()),
            ..Default::default()
        })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(identity(planned.planned_identity.as_ref()), IDENTITY);
    let deleted = client
        .apply_resource_change(apply_resource_change::Request {
            type_name: BOOK.into(),
            prior_state: sent(STATE, &state_ty()),
            planned_state: sent("null", &state_ty()),
            config: sent("null", &state_ty()),
            planned_identity: resource_identity(IDENTITY),
            ..Default::default()
        })
        .await
        .unwrap()
        .into_inner();
    assert_eq!((deleted.diagnostics, deleted.new_identity), (vec![], None));
}

pub(crate) async fn object_is_imported_by_identity() {
    let (_plugin, handshake) = setup("6").start_and_handshake().await;
    let mut client = handshake.connect_without_tls().await.provider();
    let mut import = async |type_name: &str, id: &str, identity| {
        let type_name = type_name.into();
        let request =
            import_resource_state::Request { type_name, id: id.into(), identity, ..Default::default() };
        client.import_resource_state(request).await.unwrap().into_inner()
    };
    let by_id = import(BOOK, "2:Emma", None).await;
    assert_eq!(by_id.diagnostics, []);
    let [found] = by_id.imported_resources.as_slice() else { panic!("one object") };
    assert_eq!(
        decoded_json(found.state.as_ref(), &state_ty()),
        STATE.replace('4', "0"),
        "the next read finds the rest"
    );
    assert_eq!(identity(found.identity.as_ref()), r#"{"room":null,"row":2,"title":"Emma"}"#);

    let by_identity = import(BOOK, "", resource_identity(r#"{"room":null,"row":2,"title":"Emma"}"#)).await;
    assert_eq!(by_identity.imported_resources, by_id.imported_resources, "the same object");

    let response = import(BOOK, "300:Emma", None).await;
    assert_eq!(response.imported_resources, []);
    assert_eq!(
        response.diagnostics[0].detail,
        "The import ID \"300:Emma\" of shelf_book does not have the form \"{row}:{title}\": for \"row\", a whole number \
         between 0 and 255 is required, but got 300."
    );
    let response = import("shelf_dust", "", resource_identity(IDENTITY)).await;
    assert_eq!(response.diagnostics[0].summary, "Unable to Convert Resource Identity");
    let response = import("shelf_dust", "1", None).await;
    assert_eq!(response.diagnostics[0].summary, "Resource Import Not Implemented");
}

pub(crate) async fn old_identity_is_upgraded() {
    let (_plugin, handshake) = setup("6").start_and_handshake().await;
    let mut client = handshake.connect_without_tls().await.provider();
    let upgrading = client.clone();
    let upgrade = async |type_name: &str, version, json: &str| {
        let raw_identity = Some(RawState { json: json.as_bytes().to_vec().into(), ..Default::default() });
        let type_name = type_name.into();
        let request = upgrade_resource_identity::Request { type_name, version, raw_identity };
        upgrading.clone().upgrade_resource_identity(request).await.unwrap().into_inner()
    };
    let upgraded = upgrade(BOOK, 0, r#"{"title":"Emma"}"#).await;
    assert_eq!(upgraded.diagnostics, []);
    assert_eq!(identity(upgraded.upgraded_identity.as_ref()), r#"{"room":null,"row":0,"title":"Emma"}"#);
    let nothing = upgrade(BOOK, 0, "").await;
    assert_eq!(identity(nothing.upgraded_identity.as_ref()), "null");
    assert_eq!(
        upgrade(BOOK, 1, IDENTITY).await.diagnostics[0].summary,
        "Unexpected Identity Upgrade Request"
    );
    // An identity that does not conform to its type is reported with the resource, the version and the attribute.
    let mismatch = upgrade(BOOK, 0, r#"{"title":["Emma"]}"#).await;
    assert_eq!(
        mismatch.diagnostics[0].detail,
        "The stored identity of shelf_book does not conform to version 0: title: a string is required, but got an array."
    );
    let ty =
        Type::object([("room", Type::String), ("row", Type::Number), ("title", Type::list(Type::String))]);
    let other = identity_message(r#"{"room":"attic","row":2,"title":["Emma"]}"#, &ty);
    let request = read_resource::Request {
        type_name: BOOK.into(),
        current_state: sent(STATE, &state_ty()),
        current_identity: other,
        ..Default::default()
    };
    let mismatch = client.read_resource(request).await.unwrap().into_inner();
    assert_eq!(
        mismatch.diagnostics[0].detail,
        "The identity of shelf_book does not conform to version 1: title: a string is required, but got an array."
    );
    let request = import_resource_state::Request {
        type_name: BOOK.into(),
        identity: resource_identity(r#"{"room":null,"row":300,"title":"Emma"}"#),
        ..Default::default()
    };
    let mismatch = client.import_resource_state(request).await.unwrap().into_inner();
    assert_eq!(
        mismatch.diagnostics[0].detail,
        "The attribute \"row\" of the identity of shelf_book, version 1, is invalid: a whole number between 0 and 255 is \
         required, but got 300."
    );
    let none = upgrade("shelf_dust", 0, IDENTITY).await;
    assert_eq!(none.diagnostics[0].summary, "Unable to Convert Resource Identity");
}

/// Protocol 5 supports the same RPCs.
pub(crate) async fn identity_is_served_under_protocol_5() {
    let (_plugin, handshake) = setup("5").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let mut client = channel.provider_5();
    let schemas =
        client.get_resource_identity_schemas(get_resource_identity_schemas::Request {}).await.unwrap();
    assert!(schemas.into_inner().identity_schemas.contains_key(BOOK));
    let request = import_resource_state::Request {
        type_name: BOOK.into(),
        identity: resource_identity(r#"{"room":null,"row":2,"title":"Emma"}"#),
        ..Default::default()
    };
    let imported = client.import_resource_state(request).await.unwrap().into_inner();
    assert_eq!(imported.imported_resources.len(), 1);
    let type_name = BOOK.into();
    let request = upgrade_resource_identity::Request { type_name, version: 0, raw_identity: None };
    let upgraded = client.upgrade_resource_identity(request).await.unwrap().into_inner();
    assert_eq!(identity(upgraded.upgraded_identity.as_ref()), "null");

    let capabilities =
        client.get_metadata(get_metadata::Request {}).await.unwrap().into_inner().server_capabilities;
    assert!(capabilities.is_some_and(|it| it.generate_resource_config));
    let request =
        generate_resource_config::Request { type_name: BOOK.into(), state: sent(STATE, &state_ty()) };
    let config = client.generate_resource_config(request).await.unwrap().into_inner();
    assert_eq!(config.diagnostics, []);
    let expected = r#"{"pages":null,"read":null,"row":2,"title":"Emma"}"#;
    assert_eq!(decoded_json(config.config.as_ref(), &state_ty()), expected);
    let request = generate_resource_config::Request { type_name: BOOK.into(), state: None };
    let response: wire::generate_resource_config::Response =
        client.generate_resource_config(request).await.unwrap().into_inner();
    assert_eq!(response.diagnostics[0].summary, "Unexpected Generate Config Request");
}
