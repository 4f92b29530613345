//! Placeholders for missing values of partially created and imported objects.

use expect_test::expect;
use ferroform::{
    ApplyCx, Attr, Diagnostic, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource,
    Result, path,
};
use ferroform_testing::{Harness, Invariant, config, provider};

/// The status of the machine.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "kebab-case")]
enum Status {
    Starting,
    UpAndRunning,
}

/// The source of the machine.
#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Image(Image),
    Snapshot(String),
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Image {
    name: String,
    net: ipnet::Ipv4Net,
    tag: Option<String>,
    #[attr(default = 3)]
    size: u8,
}

#[derive(Attr, Clone, Debug, PartialEq)]
struct Wrapped(Status);

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(validate = ferroform::validators::length_at_least(3), placeholder = "none")]
struct Name(String);

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{id}")]
struct Machine {
    status: Status,
    source: Source,
    net: ipnet::IpNet,
    #[attr(optional, computed)]
    zone: Status,
    #[attr(computed)]
    wrapped: Wrapped,
    #[attr(computed)]
    id: String,
}

impl Resource for Machine {
    type Provider = Test;

    async fn create(cx: &ApplyCx<Self>, _: Planned<Self>) -> Result<MachineComputed> {
        cx.checkpoint_at(path!(id), &"m-1".to_owned());
        Err(Diagnostic::error("It broke").into())
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        assert_eq!(state.id, "m-1");
        Ok(Some(Machine { status: Status::UpAndRunning, source: Source::Snapshot("s".into()), ..state }))
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        assert_eq!(state.id, "m-1");
        Ok(())
    }
}

provider! { Test { resource Machine = "test_machine" } }

#[test]
fn object_with_enum_is_imported_by_pattern() {
    let harness = Harness::start::<Test>(config! {});
    let state = harness.resource("test_machine").import("m-1");
    assert_eq!(state.get::<String>(path!(status)), "up-and-running");
    assert_eq!(state.get::<String>(path!(zone)), "starting");
}

#[test]
fn partially_created_object_with_enums_can_be_destroyed() {
    // The service returns every machine, even after its deletion.
    let harness = Harness::start::<Test>(config! {}).skip_check(Invariant::DestroyRemovesObject);
    let mut machine = harness.resource("test_machine");
    let config = config! { status = "starting", source = { snapshot = "s" }, net = "10.0.0.0/8" };
    machine.try_apply(config).error();
    machine.destroy();
}

/// All built-in types that reject the empty value of their Terraform type.
#[derive(Model, Clone, Debug, PartialEq)]
struct AllTypes {
    #[attr(computed)]
    ip: std::net::IpAddr,
    #[attr(computed)]
    ipv4: std::net::Ipv4Addr,
    #[attr(computed)]
    ipv6: std::net::Ipv6Addr,
    #[attr(computed)]
    net: ipnet::IpNet,
    #[attr(computed)]
    net4: ipnet::Ipv4Net,
    #[attr(computed)]
    net6: ipnet::Ipv6Net,
    #[attr(computed)]
    json: serde_json::Value,
    #[attr(computed)]
    time: jiff::Timestamp,
    #[attr(computed)]
    signed: jiff::SignedDuration,
    #[attr(computed)]
    duration: std::time::Duration,
    #[attr(computed)]
    url: url::Url,
    #[attr(computed)]
    uuid: uuid::Uuid,
    #[attr(computed)]
    status: Status,
    #[attr(computed)]
    wrapped: Wrapped,
    #[attr(computed)]
    name: Name,
    #[attr(computed)]
    boxed: Box<Status>,
    #[attr(computed)]
    shared: std::sync::Arc<url::Url>,
    #[attr(computed)]
    several: [Status; 2],
    #[attr(computed)]
    pair: (Status, String, Option<uuid::Uuid>),
    #[attr(computed)]
    source: Source,
}

#[test]
fn every_built_in_type_has_a_placeholder() {
    assert_eq!(AllTypes::schema().definition_errors(), []);
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{name}", import = "{id}")]
struct Unreadable {
    #[attr(identity, requires_replace)]
    name: Long,
    owner: Owner,
    #[attr(computed)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    address: Long,
}

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(validate = ferroform::validators::length_at_least(3))]
struct Long(String);

impl Resource for Unreadable {
    type Provider = WithoutPlaceholders;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<UnreadableComputed> {
        Ok(UnreadableComputed { id: String::new() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

struct WithoutPlaceholders;

impl Provider for WithoutPlaceholders {
    const ADDRESS: &'static str = "registry.terraform.io/example/test";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(WithoutPlaceholders))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Unreadable>("test_unreadable");
    }
}

#[test]
fn import_without_readable_placeholder_is_reported() {
    expect![[r#"
        Invalid Schema Implementation: In resource test_unreadable: the import pattern "{name}": it does not determine "address", and its Rust type cannot hold the placeholder until the object is read: implement `Attr::placeholder` for its type, or add `#[attr(placeholder = …)]` if the type is derived. This is a bug in the provider; please report it to its authors.
        Invalid Schema Implementation: In resource test_unreadable: the import pattern "{id}": it does not determine "name", and its Rust type cannot hold the placeholder until the object is read: implement `Attr::placeholder` for its type, or add `#[attr(placeholder = …)]` if the type is derived. This is a bug in the provider; please report it to its authors.
        Invalid Schema Implementation: In resource test_unreadable: the import pattern "{id}": it does not determine "address", and its Rust type cannot hold the placeholder until the object is read: implement `Attr::placeholder` for its type, or add `#[attr(placeholder = …)]` if the type is derived. This is a bug in the provider; please report it to its authors.
        Invalid Schema Implementation: In resource test_unreadable: the import by identity: it does not determine "address", and its Rust type cannot hold the placeholder until the object is read: implement `Attr::placeholder` for its type, or add `#[attr(placeholder = …)]` if the type is derived. This is a bug in the provider; please report it to its authors."#]].assert_eq(&ferroform::server::<WithoutPlaceholders>().definition_errors().to_string());
}
