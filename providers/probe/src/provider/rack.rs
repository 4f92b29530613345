//! The resource `probe_rack`: moves from `probe_machine`, whose blocks have other attributes.

use std::collections::BTreeSet;

use ferroform::{ApplyCx, Model, Moves, Planned, ReadCx, Resource, Result};
use serde::{Deserialize, Serialize};

use super::Probe;
use super::machine::Machine;

/// A rack. It cannot be updated.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rack {
    #[attr(requires_replace)]
    name: String,
    /// The user of the rack.
    #[attr(block)]
    owner: Option<Owner>,
    /// The disks of the rack.
    #[attr(block, mixed)]
    disk: Vec<Disk>,
    /// The firewall rules.
    #[attr(block, mixed)]
    rule: BTreeSet<Rule>,
    /// The ID of the rack.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Owner {
    #[attr(requires_replace)]
    name: String,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Disk {
    #[attr(requires_replace)]
    size: i64,
    /// The serial number of the disk.
    #[attr(computed)]
    #[serde(default)]
    label: String,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Rule {
    #[attr(requires_replace)]
    port: u16,
    #[attr(default = "tcp", requires_replace)]
    #[serde(default = "tcp")]
    protocol: String,
    /// The ID of the rule.
    #[attr(computed)]
    #[serde(default)]
    label: String,
}

fn tcp() -> String {
    "tcp".into()
}

impl From<Machine> for Rack {
    fn from(it: Machine) -> Rack {
        let disk = it.disk.into_iter().map(|it| Disk { size: it.size, label: String::new() });
        let rule =
            it.rule.into_iter().map(|it| Rule { port: it.port, protocol: tcp(), label: String::new() });
        Rack {
            name: it.name,
            owner: it.owner.map(|it| Owner { name: it.name }),
            disk: disk.collect(),
            rule: rule.collect(),
            id: it.id,
        }
    }
}

impl Rack {
    fn from_plan(plan: Planned<Self>) -> Rack {
        let disk =
            plan.disk.into_iter().map(|it| Disk { size: it.size, label: it.label.unwrap_or_else(tcp) });
        let rule = plan.rule.into_iter().map(|it| Rule {
            port: it.port,
            protocol: it.protocol,
            label: it.label.unwrap_or_else(tcp),
        });
        Rack {
            id: plan.id.unwrap_or_else(|| format!("rack/{}", plan.name)),
            owner: plan.owner.map(|it| Owner { name: it.name }),
            disk: disk.collect(),
            rule: rule.collect(),
            name: plan.name,
        }
    }
}

impl Resource for Rack {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<RackComputed> {
        let rack = Rack::from_plan(plan);
        cx.provider.store.write(&rack.name, &rack)?;
        Ok(rack.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }

    fn moves(moves: &mut Moves<Self>) {
        let provider_type = crate::ADDRESS.rsplit('/').next().unwrap_or_default();
        moves.from_type::<Machine>(format!("{provider_type}_machine"));
    }
}
