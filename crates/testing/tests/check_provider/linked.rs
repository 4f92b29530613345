//! A provider whose servers refer to networks.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ferroform::{ApplyCx, Context as _, Diagnostic, Model, Planned, ReadCx, Resource, Result, path};
use ferroform_testing::{Invariant, ProviderCheck};

#[derive(Default)]
struct Cloud {
    networks: Mutex<BTreeMap<String, Network>>,
    servers: Mutex<BTreeMap<String, Server>>,
}

ferroform_testing::provider! {
    impl Cloud {
        resource Server = "cloud_server",
        resource Network = "cloud_network",
    }
}

fn lock<T>(objects: &Mutex<T>) -> MutexGuard<'_, T> {
    objects.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The ID of a new object.
fn next_id<T>(prefix: &str, objects: &BTreeMap<String, T>) -> String {
    let last = objects.keys().next_back().and_then(|it| it.rsplit_once('-')?.1.parse::<u32>().ok());
    format!("{prefix}-{:06}", last.unwrap_or(0) + 1)
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Network {
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(requires_replace)]
    name: String,
}

impl Resource for Network {
    type Provider = Cloud;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NetworkComputed> {
        let mut networks = lock(&cx.provider.networks);
        let id = next_id("net", &networks);
        networks.insert(id.clone(), Network { id: id.clone(), name: plan.name });
        Ok(NetworkComputed { id })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(lock(&cx.provider.networks).get(&state.id).cloned())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        lock(&cx.provider.networks).remove(&state.id);
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(requires_replace)]
    network_id: String,
    note: Option<String>,
}

impl Resource for Server {
    type Provider = Cloud;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ServerComputed> {
        if !lock(&cx.provider.networks).contains_key(&plan.network_id) {
            return Err(Diagnostic::error("Network Not Found").at(path!(network_id)).into());
        }
        let id = {
            let mut servers = lock(&cx.provider.servers);
            let id = next_id("srv", &servers);
            let server = Server { id: id.clone(), network_id: plan.network_id, note: plan.note };
            servers.insert(id.clone(), server);
            id
        };
        // Another mistake: there is no checkpoint.
        cx.sleep(Duration::from_secs(1)).await?;
        Ok(ServerComputed { id })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let found = lock(&cx.provider.servers).get(&state.id).cloned();
        // The mistake: the note comes from the state.
        Ok(found.map(|it| Server { note: state.note, ..it }))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<ServerComputed> {
        let mut servers = lock(&cx.provider.servers);
        servers.get_mut(&prior.id).context("Server Not Found")?.note = plan.note;
        Ok(ServerComputed { id: prior.id })
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        lock(&cx.provider.servers).remove(&state.id);
        Ok(())
    }
}

#[test]
fn attribute_refers_to_an_existing_object_of_another_type() {
    let check = ProviderCheck::<Cloud>::new().seed(1).skip(Invariant::FailedCreateKeepsObject);
    let report = check.find().expect("a violation");
    assert_eq!(report.invariant(), Invariant::DriftIsDetected, "{report}");
    let text = report.to_string();
    assert!(text.contains("resource \"cloud_network\" \"related\""), "{text}");
    assert!(text.contains("network_id = cloud_network.related.id"), "{text}");
}

#[test]
fn orphan_that_refers_to_another_object_is_reported() {
    let check = ProviderCheck::<Cloud>::new().seed(1).skip(Invariant::DriftIsDetected);
    let report = check.find().expect("a violation");
    assert_eq!(report.invariant(), Invariant::FailedCreateKeepsObject, "{report}");
    let text = report.to_string();
    assert!(text.contains("the remote object exists, but the state does not contain it"), "{text}");
}
