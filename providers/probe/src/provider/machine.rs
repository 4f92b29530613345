//! The resource `probe_machine`: nested blocks, one of which contains a computed attribute.

use std::collections::BTreeSet;

use ferroform::{ApplyCx, Known, Model, Planned, ReadCx, Resource, Result};
use serde::{Deserialize, Serialize};

use super::Probe;

/// A machine.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    #[attr(requires_replace)]
    pub(super) name: String,
    /// The user of the machine.
    #[attr(block)]
    pub(super) owner: Option<Owner>,
    /// The disks of the machine.
    #[attr(block, mixed)]
    pub(super) disk: Vec<Disk>,
    /// The firewall rules.
    #[attr(block)]
    pub(super) rule: BTreeSet<Rule>,
    #[attr(computed, use_state_for_unknown)]
    pub(super) id: String,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Owner {
    pub(super) name: String,
    #[attr(default = "users")]
    group: String,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Disk {
    #[attr(validate = above_zero)]
    pub(super) size: i64,
    #[attr(requires_replace, default = "ssd")]
    kind: String,
    /// The serial number of the disk.
    #[attr(computed, use_state_for_unknown)]
    serial: String,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(super) port: u16,
    open: Option<bool>,
}

fn above_zero(size: &i64) -> Result<(), String> {
    if *size > 0 { Ok(()) } else { Err(format!("a size is above zero, but this is {size}")) }
}

/// Returns the planned disks, with serial numbers for the new ones.
pub(super) fn disks(machine: &str, planned: Vec<Planned<Disk>>) -> Vec<Disk> {
    let disk = |(i, it): (usize, Planned<Disk>)| {
        let serial = it.serial.unwrap_or_else(|| format!("{machine}-{i}"));
        Disk { size: it.size, kind: it.kind, serial }
    };
    planned.into_iter().enumerate().map(disk).collect()
}

pub(super) fn owner(planned: Option<Planned<Owner>>) -> Option<Owner> {
    planned.map(|it| Owner { name: it.name, group: it.group })
}

impl Machine {
    fn from_plan(plan: Planned<Self>) -> Machine {
        Machine {
            id: match plan.id {
                Known(id) => id,
                _ => format!("machine/{}", plan.name),
            },
            owner: owner(plan.owner),
            disk: disks(&plan.name, plan.disk),
            rule: plan.rule.into_iter().map(|it| Rule { port: it.port, open: it.open }).collect(),
            name: plan.name,
        }
    }
}

impl Resource for Machine {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<MachineComputed> {
        let machine = Machine::from_plan(plan);
        cx.provider.store.write(&machine.name, &machine)?;
        Ok(machine.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<MachineComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}
