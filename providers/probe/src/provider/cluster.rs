//! The resource `probe_cluster`: nested attributes, which protocol 5 does not support.

use std::collections::BTreeMap;

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
use serde::{Deserialize, Serialize};

use super::Probe;
use super::machine::{Disk, Owner, disks, owner};

/// A cluster of machines.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cluster {
    #[attr(requires_replace)]
    name: String,
    /// The user of the cluster.
    owner: Option<Owner>,
    /// The disks of the cluster.
    #[attr(mixed)]
    disks: Vec<Disk>,
    /// The nodes by name.
    nodes: BTreeMap<String, Node>,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    cores: u8,
    #[attr(sensitive)]
    password: Option<String>,
}

impl Resource for Cluster {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ClusterComputed> {
        let node =
            |(name, it): (String, Planned<Node>)| (name, Node { cores: it.cores, password: it.password });
        let cluster = Cluster {
            owner: owner(plan.owner),
            disks: disks(&plan.name, plan.disks),
            nodes: plan.nodes.into_iter().map(node).collect(),
            name: plan.name,
        };
        cx.provider.store.write(&cluster.name, &cluster)?;
        Ok(cluster.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<ClusterComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}
