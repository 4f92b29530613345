//! The resource `corpus_nested`: nested attributes of every kind.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::{ApplyCx, Maybe, Model, Planned, ReadCx, Resource, Result};

use super::Corpus;

/// A resource with nested attributes.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{id}")]
pub(super) struct Nested {
    #[attr(requires_replace)]
    name: String,
    owner: Option<Owner>,
    #[attr(mixed)]
    disks: Option<Vec<Disk>>,
    #[attr(mixed)]
    rules: Option<BTreeSet<Rule>>,
    #[attr(mixed)]
    volumes: Option<BTreeMap<String, Volume>>,
    /// A summary of all nested objects.
    #[attr(computed)]
    endpoints: Vec<Endpoint>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Owner {
    pub(super) name: String,
    pub(super) mail: Option<String>,
    #[attr(sensitive)]
    pub(super) token: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Disk {
    pub(super) size: i64,
    #[attr(default = "rw")]
    pub(super) mode: String,
    /// The format. Changing it replaces the object.
    #[attr(requires_replace)]
    pub(super) format: Option<String>,
    #[attr(sensitive)]
    pub(super) password: Option<String>,
    #[attr(computed)]
    pub(super) serial: String,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rule {
    #[attr(key)]
    pub(super) port: i64,
    #[attr(default = "tcp")]
    pub(super) protocol: String,
    pub(super) note: Option<String>,
    #[attr(computed)]
    pub(super) handle: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Volume {
    pub(super) path: Option<String>,
    #[attr(optional, computed)]
    pub(super) class: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Endpoint {
    name: String,
    #[attr(sensitive)]
    key: Option<String>,
}

pub(super) fn owner(it: Planned<Owner>) -> Owner {
    Owner { name: it.name, mail: it.mail, token: it.token }
}

pub(super) fn disk(it: Planned<Disk>, id: &str, position: usize) -> Disk {
    Disk {
        size: it.size,
        mode: it.mode,
        format: it.format,
        password: it.password,
        serial: it.serial.unwrap_or_else(|| format!("{id}/{position}")),
    }
}

pub(super) fn rule(it: Planned<Rule>, id: &str) -> Rule {
    let handle = it.handle.unwrap_or_else(|| format!("{id}:{}", it.port));
    Rule { port: it.port, protocol: it.protocol, note: it.note, handle }
}

pub(super) fn volume(it: Planned<Volume>) -> Volume {
    Volume { path: it.path, class: it.class.unwrap_or_else(|| "standard".to_owned()) }
}

impl Nested {
    fn from_plan(plan: Planned<Self>, id: String) -> Nested {
        let disks = plan.disks.map(|it| it.into_iter().enumerate().map(|(i, it)| disk(it, &id, i)).collect());
        let rules: Option<BTreeSet<Rule>> =
            plan.rules.map(|it| it.into_iter().map(|it| rule(it, &id)).collect());
        let volumes: Option<BTreeMap<String, Volume>> =
            plan.volumes.map(|it| it.into_iter().map(|(name, it)| (name, volume(it))).collect());
        let endpoints = volumes.iter().flatten();
        let endpoints = endpoints
            .map(|(name, it)| Endpoint { name: format!("{name}.{}", it.class), key: it.path.clone() })
            .collect();
        Nested { name: plan.name, owner: plan.owner.map(owner), disks, rules, volumes, endpoints, id }
    }
}

impl Resource for Nested {
    type Provider = Corpus;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NestedComputed> {
        let id = cx.provider.new_id(&plan.name);
        let object = Nested::from_plan(plan, id);
        cx.provider.create(&object.id, &object)?;
        Ok(object.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.read(&state.id)
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, mut plan: Planned<Self>) -> Result<NestedComputed> {
        plan.endpoints = Maybe::Unknown;
        let object = Nested::from_plan(plan, prior.id);
        cx.provider.update(&object.id, &object)?;
        Ok(object.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.delete(&state.id)
    }
}
