//! The resource `probe_shelf`, whose identity has a second version.

use ferroform::{ApplyCx, Context, Diagnostics, Model, Planned, ReadCx, Resource, Result};
use serde::{Deserialize, Serialize};

use super::Probe;

/// A shelf.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[attr(identity_version = 1, identity_from(ShelfIdentityV0))]
pub(crate) struct Shelf {
    #[attr(identity, requires_replace)]
    room: String,
    #[attr(identity, requires_replace)]
    number: u16,
}

/// The identity of the first version: `room/number`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 0)]
struct ShelfIdentityV0 {
    label: String,
}

impl TryFrom<ShelfIdentityV0> for ShelfIdentity {
    type Error = Diagnostics;

    fn try_from(old: ShelfIdentityV0) -> Result<Self> {
        let parts = old.label.split_once('/').and_then(|(room, number)| Some((room, number.parse().ok()?)));
        let (room, number) = parts.context(format!("The label {:?} is not room/number", old.label))?;
        Ok(ShelfIdentity { room: room.to_owned(), number })
    }
}

impl Resource for Shelf {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ShelfComputed> {
        let shelf = Shelf { room: plan.room, number: plan.number };
        cx.provider.store.write(&format!("shelf-{}", shelf.number), &shelf)?;
        Ok(ShelfComputed {})
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&format!("shelf-{}", state.number))
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&format!("shelf-{}", state.number))
    }
}
