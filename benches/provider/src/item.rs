//! `bench_item`: one attribute of each common kind.

use std::collections::BTreeMap;

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

use crate::Bench;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Item {
    #[attr(computed, use_state_for_unknown)]
    id: String,
    name: String,
    #[attr(default = 10)]
    size: i64,
    #[attr(default = true)]
    enabled: bool,
    labels: Option<BTreeMap<String, String>>,
    note: Option<String>,
    #[attr(requires_replace)]
    replace_me: Option<String>,
}

impl Resource for Item {
    type Provider = Bench;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ItemComputed> {
        Ok(ItemComputed { id: format!("item-{}", plan.name) })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<ItemComputed> {
        Ok(prior.into())
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}
