//! The resource `corpus_label`: a state upgrade, and moves from another type.

use ferroform::{ApplyCx, Model, Moves, Planned, ReadCx, Resource, Result};

use super::Corpus;
use super::thing::Thing;

/// Schema version 0.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct LabelV0 {
    name: String,
    title: String,
    id: String,
}

/// A label.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = LabelV0, import = "{name}")]
pub(super) struct Label {
    #[attr(requires_replace)]
    name: String,
    /// The text, which version 0 called title.
    text: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl From<LabelV0> for Label {
    fn from(old: LabelV0) -> Label {
        Label { name: old.name, text: Some(old.title), id: old.id }
    }
}

impl From<Thing> for Label {
    fn from(thing: Thing) -> Label {
        Label { text: thing.text(), name: thing.name, id: thing.id }
    }
}

impl Resource for Label {
    type Provider = Corpus;

    fn moves(moves: &mut Moves<Self>) {
        moves.from_type::<Thing>("corpus_thing");
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<LabelComputed> {
        let id = cx.provider.new_id(&plan.name);
        cx.provider.log(format!("create {id}"));
        Ok(LabelComputed { id })
    }

    /// The labels of a service are not stored, so that states of old versions can be read.
    async fn read(_: &ReadCx<Self>, mut state: Self) -> Result<Option<Self>> {
        if state.id.is_empty() {
            state.id = format!("{}-1", state.name);
        }
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<LabelComputed> {
        cx.provider.log(format!("update {}", prior.id));
        Ok(prior.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.log(format!("delete {}", state.id));
        Ok(())
    }
}
