//! A resource with attributes and blocks of every kind. Its objects exist only in the state.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::{ApplyCx, Dynamic, Model, Planned, ReadCx, Resource, Result};

use crate::notes::Notes;

/// An object with attributes and blocks of every kind.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Kinds {
    #[attr(requires_replace)]
    name: String,
    text: Option<String>,
    number: Option<f64>,
    flag: Option<bool>,
    #[attr(sensitive)]
    secret: Option<String>,
    list: Option<Vec<String>>,
    set: Option<BTreeSet<String>>,
    map: Option<BTreeMap<String, String>>,
    #[attr(requires_replace)]
    fixed_list: Option<Vec<String>>,
    #[attr(requires_replace)]
    fixed_set: Option<BTreeSet<String>>,
    #[attr(requires_replace)]
    fixed_map: Option<BTreeMap<String, String>>,
    #[attr(object)]
    plain: Option<Plain>,
    #[attr(object)]
    plain_list: Option<Vec<Plain>>,
    #[attr(object)]
    plain_map: Option<BTreeMap<String, Plain>>,
    any: Option<Dynamic>,
    single: Option<Nested>,
    nested_list: Option<Vec<Nested>>,
    nested_set: Option<BTreeSet<Nested>>,
    nested_map: Option<BTreeMap<String, Nested>>,
    #[attr(block)]
    one: Option<Part>,
    #[attr(block)]
    many: Vec<Part>,
    #[attr(block)]
    unordered: BTreeSet<Part>,
    #[attr(block)]
    labeled: BTreeMap<String, Part>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(computed)]
    revision: String,
}

/// A plain object.
#[derive(Model, Clone, Debug, PartialEq)]
struct Plain {
    key: String,
    size: Option<i64>,
}

#[derive(Model, Clone, Debug, PartialEq, PartialOrd, Eq, Ord)]
struct Nested {
    key: String,
    #[attr(requires_replace)]
    size: Option<i64>,
    #[attr(sensitive)]
    password: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq, PartialOrd, Eq, Ord)]
struct Part {
    key: String,
    size: Option<i64>,
    #[attr(sensitive)]
    password: Option<String>,
    #[attr(block)]
    inner: Vec<Inner>,
}

#[derive(Model, Clone, Debug, PartialEq, PartialOrd, Eq, Ord)]
struct Inner {
    #[attr(requires_replace)]
    value: String,
}

impl Resource for Kinds {
    type Provider = Notes;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<KindsComputed> {
        let revision = plan.text.unwrap_or_default();
        Ok(KindsComputed { id: format!("k-{}", plan.name), revision })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<KindsComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}
