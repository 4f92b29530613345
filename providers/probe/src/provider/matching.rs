//! The resource `probe_matching`: collections whose elements have computed attributes and no key.

use std::collections::BTreeSet;

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
use serde::{Deserialize, Serialize};

use super::Probe;

/// Collections whose elements are matched by index and by configured values.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Matching {
    #[attr(requires_replace)]
    name: String,
    #[attr(mixed)]
    disks: Option<Vec<Disk>>,
    #[attr(mixed)]
    addresses: Option<BTreeSet<Address>>,
    #[attr(mixed)]
    groups: Option<BTreeSet<Group>>,
    #[attr(mixed)]
    labels: Option<Vec<Label>>,
}

/// A disk whose zone is computed by default and cannot change.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Disk {
    size: i64,
    #[attr(optional, computed, use_state_for_unknown, requires_replace)]
    zone: String,
}

/// An address whose omitted attributes are computed.
#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Address {
    #[attr(optional, computed)]
    v4: String,
    #[attr(optional, computed)]
    v6: String,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Group {
    title: String,
    #[attr(mixed)]
    members: BTreeSet<Member>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Member {
    #[attr(suppress_diff = str::eq_ignore_ascii_case)]
    login: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Label {
    #[attr(suppress_diff = str::eq_ignore_ascii_case, requires_replace)]
    text: String,
    #[attr(computed)]
    id: String,
}

impl Matching {
    fn new(plan: Planned<Self>) -> Matching {
        let disk =
            |disk: Planned<Disk>| Disk { size: disk.size, zone: disk.zone.unwrap_or_else(|| "a".into()) };
        let address = |address: Planned<Address>| Address {
            v4: address.v4.unwrap_or_else(|| "10.0.0.1".into()),
            v6: address.v6.unwrap_or_else(|| "fd00::1".into()),
        };
        let member = |member: Planned<Member>| Member {
            id: member.id.unwrap_or_else(|| format!("id-{}", member.login)),
            login: member.login,
        };
        let group = |group: Planned<Group>| Group {
            title: group.title,
            members: group.members.into_iter().map(member).collect(),
        };
        let label = |label: Planned<Label>| Label {
            id: label.id.unwrap_or_else(|| format!("id-{}", label.text)),
            text: label.text,
        };
        Matching {
            name: plan.name,
            disks: plan.disks.map(|all| all.into_iter().map(disk).collect()),
            addresses: plan.addresses.map(|all| all.into_iter().map(address).collect()),
            groups: plan.groups.map(|all| all.into_iter().map(group).collect()),
            labels: plan.labels.map(|all| all.into_iter().map(label).collect()),
        }
    }
}

impl Resource for Matching {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<MatchingComputed> {
        let object = Matching::new(plan);
        cx.provider.store.write(&object.name, &object)?;
        Ok(object.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<MatchingComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}
