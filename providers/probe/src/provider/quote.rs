//! The resource `probe_quote`: a resource with a `plan` method, which needs the configured provider.

use ferroform::{
    ApplyCx, Change, Known, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Unknown, path,
};
use serde::{Deserialize, Serialize};

use super::Probe;

/// A quote for a number of items.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Quote {
    #[attr(requires_replace)]
    name: String,
    items: i64,
    /// True if a quote for another number of items is another quote.
    is_binding: Option<bool>,
    /// Planned as soon as the number of items is known.
    #[attr(computed)]
    price: i64,
}

impl Resource for Quote {
    type Provider = Probe;

    async fn plan(cx: &PlanCx<Self>, mut change: Change<Self>) -> Result<Proposed<Self>> {
        change.plan.price = match &change.plan.items {
            Known(items) => Known(cx.provider.store.price_of(*items)),
            Unknown => Unknown,
        };
        let is_changed = change.prior.as_ref().is_some_and(|it| Known(it.items) != change.plan.items);
        if is_changed && change.plan.is_binding == Known(Some(true)) {
            cx.requires_replace(path!(items));
        }
        Ok(change.plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<QuoteComputed> {
        Quote::store(cx, plan)
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<QuoteComputed> {
        Quote::store(cx, plan)
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}

impl Quote {
    fn store(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<QuoteComputed> {
        let price = cx.provider.store.price_of(plan.items);
        let quote = Quote { name: plan.name, items: plan.items, is_binding: plan.is_binding, price };
        cx.provider.store.write(&quote.name, &quote)?;
        Ok(quote.into())
    }
}
