//! The resource `corpus_blocks`: blocks of every kind, one of them inside another.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

use super::Corpus;
use super::nested::{Owner, Rule, Volume, owner, rule, volume};

/// A resource with blocks.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{id}")]
pub(super) struct Blocks {
    #[attr(requires_replace)]
    name: String,
    #[attr(block)]
    owner: Option<Owner>,
    #[attr(block, mixed, max_items = 3)]
    disk: Vec<Disk>,
    #[attr(block, mixed)]
    rule: BTreeSet<Rule>,
    #[attr(block, mixed)]
    volume: BTreeMap<String, Volume>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    size: i64,
    /// The format. Changing it replaces the object.
    #[attr(requires_replace)]
    format: Option<String>,
    #[attr(sensitive)]
    password: Option<String>,
    #[attr(computed)]
    serial: String,
    #[attr(block)]
    partition: Vec<Partition>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Partition {
    label: String,
    size: Option<i64>,
}

impl Blocks {
    fn from_plan(plan: Planned<Self>, id: String) -> Blocks {
        let partition = |it: Planned<Partition>| Partition { label: it.label, size: it.size };
        let disk = |(i, it): (usize, Planned<Disk>)| Disk {
            size: it.size,
            format: it.format,
            password: it.password,
            serial: it.serial.unwrap_or_else(|| format!("{id}/{i}")),
            partition: it.partition.into_iter().map(partition).collect(),
        };
        Blocks {
            name: plan.name,
            owner: plan.owner.map(owner),
            disk: plan.disk.into_iter().enumerate().map(disk).collect(),
            rule: plan.rule.into_iter().map(|it| rule(it, &id)).collect(),
            volume: plan.volume.into_iter().map(|(name, it)| (name, volume(it))).collect(),
            id,
        }
    }
}

impl Resource for Blocks {
    type Provider = Corpus;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<BlocksComputed> {
        let id = cx.provider.new_id(&plan.name);
        let object = Blocks::from_plan(plan, id);
        cx.provider.create(&object.id, &object)?;
        Ok(object.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.read(&state.id)
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<BlocksComputed> {
        let object = Blocks::from_plan(plan, prior.id);
        cx.provider.update(&object.id, &object)?;
        Ok(object.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.delete(&state.id)
    }
}
