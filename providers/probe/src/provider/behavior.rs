//! The resource `probe_behavior`: function options of attributes. It uses blocks, which both protocols support.

use std::collections::BTreeSet;

use ferroform::defaults::env;
use ferroform::schema::ValueChange;
use ferroform::{ApplyCx, Attr, Known, Model, Planned, ReadCx, Resource, Result};
use serde::{Deserialize, Serialize};

use super::Probe;

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Behavior {
    #[attr(requires_replace)]
    name: String,
    /// Configured, or the value of the environment variable.
    #[attr(default_with = env("FERROFORM_PROBE_OWNER"))]
    owner: String,
    /// Compared without regard to case.
    #[attr(suppress_diff = str::eq_ignore_ascii_case)]
    label: Option<String>,
    /// Small differences are suppressed, and a smaller size requires replacement.
    #[attr(suppress_diff = near, suppress_on_refresh, requires_replace_if = shrinks)]
    size: Option<i64>,
    /// Compared without regard to order.
    #[attr(semantic_eq = same_words)]
    words: Option<Vec<String>>,
    #[attr(write_only, fingerprint)]
    #[serde(skip)]
    password: Option<String>,
    /// The number of password changes.
    #[attr(computed, follows(password))]
    password_revision: u64,
    /// Proves that `create` and `update` received the password.
    #[attr(computed, follows(password))]
    password_length: u64,
    #[attr(block, mixed)]
    rule: BTreeSet<Rule>,
    #[attr(block, mixed)]
    disk: Vec<Disk>,
    #[attr(block)]
    source: Option<Source>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Rule {
    #[attr(key)]
    port: u16,
    #[attr(default = "tcp")]
    protocol: String,
    #[attr(suppress_diff = str::eq_ignore_ascii_case)]
    note: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Disk {
    #[attr(key)]
    label: String,
    size: Option<i64>,
    #[attr(computed, use_state_for_unknown)]
    serial: String,
}

/// The source of the content.
#[derive(Attr, Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Source {
    /// The content as a string.
    Text(String),
    /// The lines of the content.
    Lines(Vec<String>),
}

fn near(old: &i64, new: &i64) -> bool {
    (old - new).abs() < 10
}

fn shrinks(size: &ValueChange<i64>) -> bool {
    match (&size.prior, &size.plan) {
        (Some(old), Known(Some(new))) => new < old,
        (_, plan) => plan.is_unknown(),
    }
}

fn same_words(old: &[String], new: &[String]) -> bool {
    old.iter().collect::<BTreeSet<_>>() == new.iter().collect()
}

impl Behavior {
    fn from_plan(plan: Planned<Self>, revision: u64) -> Behavior {
        let id = |port: u16| format!("{}:{port}", plan.name);
        let serial = |label: &str| format!("{}/{label}", plan.name);
        let length = plan.password.as_ref().map_or(0, |it| it.len() as u64);
        Behavior {
            owner: plan.owner,
            label: plan.label,
            size: plan.size,
            words: plan.words,
            password: None,
            password_revision: plan.password_revision.unwrap_or(revision),
            password_length: plan.password_length.unwrap_or(length),
            rule: plan
                .rule
                .into_iter()
                .map(|it| Rule {
                    id: it.id.unwrap_or_else(|| id(it.port)),
                    port: it.port,
                    protocol: it.protocol,
                    note: it.note,
                })
                .collect(),
            disk: plan
                .disk
                .into_iter()
                .map(|it| Disk {
                    serial: it.serial.unwrap_or_else(|| serial(&it.label)),
                    label: it.label,
                    size: it.size,
                })
                .collect(),
            source: plan.source.map(|it| match it {
                SourceView::Text(content) => Source::Text(content),
                SourceView::Lines(lines) => Source::Lines(lines),
            }),
            name: plan.name,
        }
    }
}

impl Resource for Behavior {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<BehaviorComputed> {
        let object = Behavior::from_plan(plan, 1);
        cx.provider.store.write(&object.name, &object)?;
        Ok(object.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<BehaviorComputed> {
        let object = Behavior::from_plan(plan, prior.password_revision + 1);
        cx.provider.store.write(&object.name, &object)?;
        Ok(object.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}
