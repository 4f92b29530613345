//! Upgrades of states that an SDKv2 provider wrote: a plan with an unchanged configuration shows no change.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::collections::{BTreeMap, BTreeSet};

use ferroform::validators::at_least;
use ferroform::{
    ApplyCx, Attr, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result, Set,
};
use ferroform_testing::{Action, Harness, Instance, config};

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from_sdkv2)]
struct Queue {
    #[attr(optional, computed, use_state_for_unknown)]
    id: Option<String>,
    #[attr(requires_replace)]
    name: String,
    #[attr(requires_replace)]
    keepers: Option<BTreeMap<String, String>>,
    #[attr(requires_replace)]
    prefix: Option<String>,
    arguments: Option<serde_json::Value>,
    comment: Option<String>,
    tags: Option<BTreeSet<String>>,
    replicas: Option<u32>,
    #[attr(validate = at_least(1))]
    port: Option<u16>,
    #[attr(default = false)]
    durable: bool,
    #[attr(default = 5)]
    retries: u32,
    #[attr(computed, use_state_for_unknown)]
    details: Option<serde_json::Value>,
    #[attr(computed, use_state_for_unknown)]
    note: String,
    #[attr(computed, use_state_for_unknown)]
    status: Status,
    #[attr(block, requires_replace, max_items = 1)]
    policy: Vec<Policy>,
    #[attr(block, requires_replace)]
    binding: Set<Binding>,
}

#[derive(Attr, Clone, Debug, Default, PartialEq)]
enum Status {
    #[default]
    Idle,
    Running,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Binding {
    key: String,
    comment: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Policy {
    pattern: String,
    definition: Option<serde_json::Value>,
    rules: Option<Vec<String>>,
    #[attr(block)]
    limit: Vec<Limit>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Limit {
    unit: Option<String>,
    count: u32,
}

impl Resource for Queue {
    type Provider = Broker;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<QueueComputed> {
        unreachable!("the queue exists")
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<QueueComputed> {
        assert_eq!(plan.name, "updated");
        unreachable!("a change between null and the empty value is not sent to the service")
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

struct Broker;

impl Provider for Broker {
    const ADDRESS: &'static str = "example.com/test/broker";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Broker))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Queue>("broker_queue");
    }
}

/// A state as SDKv2 writes it after a read that has set every attribute.
const STORED: &str = r#"{
    "id": "q-1", "name": "a", "keepers": {}, "prefix": "", "arguments": "", "comment": "", "tags": [], "replicas": 0,
    "port": 0, "durable": false, "retries": null, "details": "", "note": "", "status": "",
    "policy": [{ "pattern": "*", "definition": "", "rules": [], "limit": [{ "unit": "", "count": 0 }] }],
    "binding": [{ "key": "k", "comment": "" }]
}"#;

fn upgraded(stored: &str) -> Instance {
    let mut queue = Harness::start::<Broker>(config! {}).resource("broker_queue");
    queue.upgrade_state(0, stored);
    queue
}

#[test]
fn values_of_omitted_arguments_are_null() {
    let queue = upgraded(STORED);
    let expected = r#"id = "q-1"
name = "a"
replicas = 0
durable = false
retries = 5
note = ""
status = "idle"
policy[0].pattern = "*"
policy[0].limit[0].count = 0
binding = [{key = "k"}]"#;
    assert_eq!(queue.state().to_string(), expected);
}

#[test]
fn unchanged_configuration_plans_no_change() {
    let mut queue = upgraded(STORED);
    queue.refresh();
    let plan = queue.plan(config! {
            name = "a",
            replicas = 0,
            policy { pattern = "*", limit { count = 0 } },
            binding { key = "k" },
    });
    assert_eq!(plan.to_string(), "no change");

    // The nulls of a state that no read has written.
    let mut queue =
        upgraded(r#"{ "id": "q-1", "name": "a", "details": "", "note": "", "status": "", "policy": [] }"#);
    assert_eq!(queue.plan(config! { name = "a" }).to_string(), "no change");
}

#[test]
fn upgrade_keeps_configured_values() {
    let stored = r#"{
        "id": "q-1", "name": "a", "keepers": { "k": "" }, "prefix": "p", "arguments": "{}", "comment": "c",
        "tags": [""], "replicas": 2, "port": 80, "durable": true, "retries": 0, "details": "[]", "note": "n", "status": "running",
        "policy": []
    }"#;
    let mut queue = upgraded(stored);
    let plan = queue.plan(config! {
            name = "a",
            keepers = { k = "" },
            prefix = "p",
            arguments = "{}",
            comment = "c",
            tags = [""],
            replicas = 2,
            port = 80,
            durable = true,
            retries = 0,
    });
    assert_eq!(plan.to_string(), "no change");
}

#[test]
fn configured_empty_values_change_the_state_only() {
    let mut queue = upgraded(STORED);
    let config = || {
        config! {
                name = "a",
                keepers = {},
                prefix = "",
                comment = "",
                tags = [],
                replicas = 0,
                policy { pattern = "*", rules = [], limit { unit = "", count = 0 } },
                binding { key = "k", comment = "" },
        }
    };
    assert_eq!(queue.plan(config()).action, Action::Update, "nothing is replaced");
    queue.apply(config());
    assert_eq!(queue.plan(config()).to_string(), "no change");
    assert_eq!(queue.state().get::<String>(ferroform::path!(prefix)), "");
}

#[test]
fn state_of_the_current_version_is_not_changed() {
    let mut queue = Harness::start::<Broker>(config! {}).resource("broker_queue");
    queue.upgrade_state(
        1,
        r#"{ "id": "q-1", "name": "a", "comment": "", "details": null, "note": "", "status": "idle", "policy": [] }"#,
    );
    assert_eq!(queue.plan(config! { name = "a", comment = "" }).to_string(), "no change");
}
