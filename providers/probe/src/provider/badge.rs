//! The resource `probe_badge`, whose identity is a number that only the service knows, and the list of badges.

use ferroform::{
    ApplyCx, Args, Context as _, Identity, ListCx, ListResource, Listed, Model, Planned, ReadCx, Resource,
    Result,
};
use serde::{Deserialize, Serialize};

use super::Probe;
use super::store::Store;

/// A badge.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity = BadgeIdentity)]
pub(super) struct Badge {
    /// The owner of the badge.
    #[attr(requires_replace)]
    owner: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct BadgeIdentity {
    serial: u64,
}

impl Identity<Badge> for BadgeIdentity {}

/// The badge in the service.
#[derive(Serialize, Deserialize)]
struct Stored {
    owner: String,
    serial: u64,
}

fn file(owner: &str) -> String {
    format!("badge-{owner}")
}

fn all(store: &Store) -> Result<Vec<Stored>> {
    let names = store.names()?.into_iter().filter(|it| it.starts_with("badge-"));
    names.filter_map(|it| store.read(&it).transpose()).collect()
}

fn with_serial(store: &Store, serial: u64) -> Result<Option<Stored>> {
    Ok(all(store)?.into_iter().find(|it| it.serial == serial))
}

impl Resource for Badge {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<BadgeComputed> {
        let store = &cx.provider.store;
        let serial = all(store)?.iter().map(|it| it.serial).max().unwrap_or(100) + 1;
        store.write(&file(&plan.owner), &Stored { owner: plan.owner.clone(), serial })?;
        cx.set_identity(BadgeIdentity { serial });
        Ok(BadgeComputed {})
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let store = &cx.provider.store;
        let stored = match cx.identity()? {
            Some(identity) => with_serial(store, identity.serial)?,
            None => store.read(&file(&state.owner))?,
        };
        let Some(Stored { owner, serial }) = stored else { return Ok(None) };
        cx.set_identity(BadgeIdentity { serial });
        Ok(Some(Badge { owner }))
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&file(&state.owner))
    }

    async fn import_by_identity(cx: &ReadCx<Self>, identity: BadgeIdentity) -> Result<Self> {
        let stored = with_serial(&cx.provider.store, identity.serial)?;
        let stored = stored.context(format!("No badge has the serial number {}", identity.serial))?;
        Ok(Badge { owner: stored.owner })
    }
}

/// All badges.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Badges {}

impl ListResource for Badges {
    type Resource = Badge;

    async fn list(cx: &ListCx<Self>, _: Args<Self>) -> Result<()> {
        for Stored { owner, serial } in all(&cx.provider.store)? {
            let listed = Listed::new(BadgeIdentity { serial }, owner.clone());
            cx.send(listed.object(Badge { owner })).await?;
        }
        Ok(())
    }
}
