//! Nested blocks: labeled blocks, required blocks, and optional and computed blocks.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::common::check;
use expect_test::expect;
use ferroform::{
    ApplyCx, Args, Change, Config, DataCx, DataSource, Known, Maybe, Model, PlanCx, Planned, Proposed,
    ReadCx, RequestCx, Resource, Result, Unknown, path,
};
use ferroform_testing::{Action, Harness, config, provider, unknown};

provider! { Cloud { resource Server = "cloud_server", data_source Found = "cloud_server" } }

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    #[attr(requires_replace)]
    name: String,
    note: Option<String>,
    /// Every update computes new endpoints.
    #[attr(block, optional, computed)]
    endpoint: Vec<Endpoint>,
    /// The gate never changes.
    #[attr(block, optional, computed, use_state_for_unknown)]
    gate: Option<Endpoint>,
    /// The aliases change with the name.
    #[attr(block, optional, computed, follows(name))]
    alias: BTreeMap<String, Endpoint>,
    #[attr(block, mixed)]
    part: Option<Part>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Endpoint {
    #[attr(optional, computed)]
    host: String,
    #[attr(computed)]
    id: u64,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    size: u64,
    #[attr(block, optional, computed, use_state_for_unknown)]
    slot: Vec<Slot>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Slot {
    #[attr(computed)]
    number: u64,
}

/// The remote objects by name.
static SERVERS: Mutex<BTreeMap<String, Server>> = Mutex::new(BTreeMap::new());

/// Returns the planned endpoint with its computed values.
fn endpoint(planned: Maybe<Proposed<Endpoint>>, host: &str, id: u64) -> Endpoint {
    match planned {
        Known(it) => Endpoint { host: it.host.unwrap_or_else(|| host.into()), id: it.id.unwrap_or(id) },
        Unknown => Endpoint { host: host.into(), id },
    }
}

fn new_server(plan: Planned<Server>) -> Server {
    let name = plan.name;
    let note = plan.note.as_deref().unwrap_or("free");
    let endpoints = plan.endpoint.unwrap_or_else(|| vec![Unknown, Unknown]).into_iter();
    let gate = match plan.gate {
        Known(it) => it.map(|it| endpoint(Known(it), "gate", 7)),
        Unknown => Some(endpoint(Unknown, "gate", 1)),
    };
    let alias = plan.alias.unwrap_or_else(|| BTreeMap::from([(name.clone(), Unknown)]));
    let slot = |(number, it): (u64, Maybe<Proposed<Slot>>)| Slot {
        number: it.unwrap_or_else(|| panic!("its number is planned")).number.unwrap_or(number),
    };
    let slots = |size: u64, planned: Maybe<Vec<Maybe<Proposed<Slot>>>>| match planned {
        Known(slots) => (0..).zip(slots).map(slot).collect(),
        Unknown => (0..size).map(|number| Slot { number }).collect(),
    };
    Server {
        endpoint: (0..).zip(endpoints).map(|(id, it)| endpoint(it, note, id)).collect(),
        gate,
        alias: alias.into_iter().map(|(key, it)| (key.clone(), endpoint(it, &key, 2))).collect(),
        part: plan.part.map(|it| Part { slot: slots(it.size, it.slot), size: it.size }),
        name,
        note: plan.note,
    }
}

impl Resource for Server {
    type Provider = Cloud;

    async fn validate(cx: &RequestCx, config: Config<Self>) -> Result<()> {
        if config.endpoint == Known(None) {
            cx.warn("The endpoints are the service's choice");
        }
        Ok(())
    }

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        Ok(change.plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ServerComputed> {
        let server = new_server(plan);
        SERVERS.lock().expect("no test panics with it").insert(server.name.clone(), server.clone());
        if server.name == "broken" {
            cx.checkpoint_at(path!(endpoint), &server.endpoint);
            return Err(std::io::Error::other("partially created").into());
        }
        Ok(server.into())
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(SERVERS.lock().expect("no test panics with it").get(&state.name).cloned())
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<ServerComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        SERVERS.lock().expect("no test panics with it").remove(&state.name);
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Found {
    name: String,
    #[attr(block, optional, computed)]
    endpoint: Vec<Endpoint>,
}

impl DataSource for Found {
    type Provider = Cloud;

    async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<FoundComputed> {
        let host = match args.endpoint {
            None => "chosen".to_owned(),
            Some(configured) => configured[0].host.clone().unwrap_or_default(),
        };
        Ok(FoundComputed { endpoint: vec![Endpoint { host, id: 3 }] })
    }
}

#[test]
fn omitted_block_is_created_kept_and_recreated() {
    let harness = Harness::start::<Cloud>(config! {});
    let mut server = harness.resource("cloud_server");
    let created = server.apply(config! { name = "a", part { size = 2 } });
    assert_eq!(created.warnings.to_string(), "The endpoints are the service's choice");
    expect![[r#"
        create
        + name = "a"
        + endpoint = (known after apply)
        + gate = (known after apply)
        + alias = (known after apply)
        + part.size = 2
        + part.slot = (known after apply)"#]]
    .assert_eq(&created.to_string());
    expect![[r#"
        name = "a"
        endpoint[0].host = "free"
        endpoint[0].id = 0
        endpoint[1].host = "free"
        endpoint[1].id = 1
        gate.host = "gate"
        gate.id = 1
        alias["a"].host = "a"
        alias["a"].id = 2
        part.size = 2
        part.slot[0].number = 0
        part.slot[1].number = 1"#]]
    .assert_eq(&server.state().to_string());

    let changed = server.apply(config! { name = "a", note = "n", part { size = 3 } });
    expect![[r#"
        update
        + note = "n"
        + endpoint = (known after apply)
        ~ part.size = 2 -> 3
        - endpoint[0].host = "free"
        - endpoint[0].id = 0
        - endpoint[1].host = "free"
        - endpoint[1].id = 1"#]]
    .assert_eq(&changed.to_string());

    let written = server.apply(config! {
        name = "a", note = "n", endpoint {} endpoint { host = "h" } gate { host = "g" } alias "x" {} part { size = 3 }
    });
    assert!(written.warnings.is_empty());
    expect![[r#"
        update
        ~ endpoint[0].host = "n" -> (known after apply)
        ~ endpoint[0].id = 0 -> (known after apply)
        ~ endpoint[1].host = "n" -> "h"
        ~ endpoint[1].id = 1 -> (known after apply)
        ~ gate.host = "gate" -> "g"
        ~ gate.id = 1 -> (known after apply)
        + alias["x"].host = (known after apply)
        + alias["x"].id = (known after apply)
        - alias["a"].host = "a"
        - alias["a"].id = 2"#]]
    .assert_eq(&written.to_string());

    // If the block is omitted again, its prior value is kept until another attribute changes.
    let omitted = server.plan(config! { name = "a", note = "n", part { size = 3 } });
    assert_eq!(omitted.action, Action::NoOp);
    let renamed = server.apply(config! { name = "b", note = "n" });
    assert_eq!(renamed.action, Action::Replace);
    expect![[r#"
        name = "b"
        note = "n"
        endpoint[0].host = "n"
        endpoint[0].id = 0
        endpoint[1].host = "n"
        endpoint[1].id = 1
        gate.host = "gate"
        gate.id = 1
        alias["b"].host = "b"
        alias["b"].id = 2"#]]
    .assert_eq(&server.state().to_string());
    server.destroy();
}

#[test]
fn partially_created_object_with_blocks_can_be_read() {
    let harness = Harness::start::<Cloud>(config! {});
    let mut server = harness.resource("cloud_server");
    let failed = server.try_apply(config! { name = "broken" }).error();
    assert!(failed.to_string().starts_with("partially created: "), "{failed}");
    assert!(server.is_tainted());
    expect![[r#"
        name = "broken"
        endpoint[0].host = "free"
        endpoint[0].id = 0
        endpoint[1].host = "free"
        endpoint[1].id = 1"#]]
    .assert_eq(&server.state().to_string());
    server.destroy();
}

#[test]
fn unsupported_omitted_block_is_reported() {
    let harness = Harness::start::<Cloud>(config! {}).before_computed_blocks();
    let failed =
        harness.resource("cloud_server").try_apply(config! { name = "c", part { size = 1 } }).error();
    expect![[r#"
        endpoint: Computed Block Not Allowed: The block "endpoint" can be omitted only with Terraform 1.16 or later. Add the block to the configuration.
        gate: Computed Block Not Allowed: The block "gate" can be omitted only with Terraform 1.16 or later. Add the block to the configuration.
        alias: Computed Block Not Allowed: The block "alias" can be omitted only with Terraform 1.16 or later. Add the block to the configuration.
        part.slot: Computed Block Not Allowed: The block "slot" can be omitted only with Terraform 1.16 or later. Add the block to the configuration."#]].assert_eq(&failed.to_string());
    let mut server = harness.resource("cloud_server");
    server.apply(config! { name = "c", endpoint {} gate {} alias "a" {} });
    assert_eq!(server.state().get::<u64>(path!(gate.id)), 7);
}

#[test]
fn data_source_sets_omitted_block() {
    let harness = Harness::start::<Cloud>(config! {});
    let source = harness.data_source("cloud_server");
    let host = |config| source.read(config).get::<String>(path!(endpoint[0].host));
    assert_eq!(host(config! { name = "a" }), "chosen");
    assert_eq!(host(config! { name = "a", endpoint { host = "mine" } }), "mine");
}

#[test]
fn unknown_dynamic_block_stays_unknown() {
    let harness = Harness::start::<Cloud>(config! {});
    let mut server = harness.resource("cloud_server");
    let plan = server.plan(config! { name = "a", endpoint = unknown() });
    assert!(plan.to_string().contains("+ endpoint = (known after apply)"), "{plan}");
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Labelled {
    #[attr(block)]
    route: BTreeMap<String, Route>,
    #[attr(block)]
    owner: Owner,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Route {
    #[attr(requires_replace)]
    target: String,
    #[attr(default = 1)]
    weight: i64,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: Option<String>,
}

#[test]
fn labeled_blocks_match_by_label() {
    let state =
        || config! { route "a" { target = "x", weight = 1 } route "b" { target = "y", weight = 1 } owner {} };
    check::<Labelled>(
        Some(state()),
        config! { route "b" { target = "y" } route "a" { target = "x", weight = 5 } route "c" { target = "z" } owner {} },
        expect![[r#"
            replace
            ~ route["a"].weight = 1 -> 5
            + route["c"].target = "z" # forces replacement
            + route["c"].weight = 1"#]],
    );
    check::<Labelled>(
        Some(state()),
        config! { route "a" { target = "other" } route "b" { target = "y" } owner { name = "me" } },
        expect![[r#"
            replace
            ~ route["a"].target = "x" -> "other" # forces replacement
            + owner.name = "me""#]],
    );
    check::<Labelled>(
        Some(state()),
        config! { owner {} },
        expect![[r#"
        update
        - route["a"].target = "x"
        - route["a"].weight = 1
        - route["b"].target = "y"
        - route["b"].weight = 1"#]],
    );
}
