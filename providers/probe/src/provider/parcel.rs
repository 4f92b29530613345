//! The resource `probe_parcel`: state upgrades, and moves from `probe_thing`.

use ferroform::{
    ApplyCx, Context, Diagnostics, Model, Moves, Planned, RawState, ReadCx, RequestCx, Resource, Result, path,
};
use serde::{Deserialize, Serialize};

use super::Probe;
use super::thing::Thing;

/// A parcel of the second schema version.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, oldest)]
struct ParcelV1 {
    name: String,
    /// A weight such as `7 kg`.
    weight: Option<String>,
}

/// A parcel of the third version: the weight is a number.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 2, upgrade_from = ParcelV1)]
struct ParcelV2 {
    name: String,
    kilograms: Option<u64>,
}

impl TryFrom<ParcelV1> for ParcelV2 {
    type Error = Diagnostics;

    fn try_from(old: ParcelV1) -> Result<ParcelV2> {
        let number = |it: &str| it.trim_end_matches(" kg").parse();
        let kilograms = old.weight.as_deref().map(number).transpose();
        Ok(ParcelV2 { name: old.name, kilograms: kilograms.context("Not a weight").at(path!(weight))? })
    }
}

/// A parcel.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[attr(version = 3, upgrade_from = ParcelV2)]
pub(crate) struct Parcel {
    /// The name of the parcel. Another name requires replacement.
    #[attr(requires_replace)]
    name: String,
    note: Option<String>,
    #[serde(default)]
    grams: Option<u64>,
}

impl From<ParcelV2> for Parcel {
    fn from(old: ParcelV2) -> Parcel {
        Parcel { name: old.name, note: None, grams: old.kilograms.map(|it| it * 1000) }
    }
}

impl From<Thing> for Parcel {
    fn from(thing: Thing) -> Parcel {
        Parcel { name: thing.name, note: thing.note, grams: None }
    }
}

impl Resource for Parcel {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ParcelComputed> {
        let parcel = Parcel { name: plan.name, note: plan.note, grams: plan.grams };
        cx.provider.store.write(&parcel.name, &parcel)?;
        Ok(parcel.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<ParcelComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }

    /// The state of the first version was a list of a name and a weight in grams.
    async fn upgrade(_: &RequestCx, stored: RawState) -> Result<Self> {
        Ok(Parcel { name: stored.get(path!(parts[0]))?, note: None, grams: stored.get(path!(parts[1]))? })
    }

    fn moves(moves: &mut Moves<Self>) {
        let provider_type = crate::ADDRESS.rsplit('/').next().unwrap_or_default();
        moves.from_type::<Thing>(format!("{provider_type}_thing"));
        moves.from_provider::<Thing>("ferroform/probefive", "probefive_thing");
    }
}
