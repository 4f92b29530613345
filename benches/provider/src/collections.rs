//! Types with one collection each.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result, Set};

use crate::Bench;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Element {
    name: String,
    value: Option<String>,
    #[attr(default = true)]
    enabled: bool,
}

/// Declares types that differ only in their collection.
macro_rules! collections {
    ($($model:ident, $computed:ident: $(#[$attr:meta])* $field:ident: $ty:ty, $prefix:literal, $count:expr;)+) => {$(
        #[derive(Model, Clone, Debug, PartialEq)]
        pub(crate) struct $model {
            #[attr(computed, use_state_for_unknown)]
            id: String,
            $(#[$attr])*
            $field: $ty,
        }

        impl Resource for $model {
            type Provider = Bench;

            async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<$computed> {
                let count: fn(&Planned<Self>) -> usize = $count;
                Ok($computed { id: format!("{}{}", $prefix, count(&plan)) })
            }

            async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
                Ok(Some(state))
            }

            async fn update(_: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<$computed> {
                Ok(prior.into())
            }

            async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
                Ok(())
            }
        }
    )+};
}

collections! {
    OfSet, OfSetComputed: items: Option<Set<Element>>, "set-", |it| it.items.as_ref().map_or(0, |it| it.len());
    OfList, OfListComputed: items: Option<Vec<Element>>, "set-", |it| it.items.as_ref().map_or(0, |it| it.len());
    OfMap, OfMapComputed: items: Option<BTreeMap<String, Element>>, "map-", |it| it.items.as_ref().map_or(0, |it| it.len());
    OfSetBlock, OfSetBlockComputed: #[attr(block)] items: Set<Element>, "set-", |it| it.items.len();
    OfStrings, OfStringsComputed: values: Option<BTreeSet<String>>, "setstring-", |it| it.values.as_ref().map_or(0, |it| it.len());
    OfBools, OfBoolsComputed: values: Option<BTreeMap<String, bool>>, "bools-", |it| it.values.as_ref().map_or(0, |it| it.len());
    OfMaps, OfMapsComputed: values: Option<Vec<BTreeMap<String, bool>>>, "maps-", |it| it.values.as_ref().map_or(0, |it| it.len());
    OfNumbers, OfNumbersComputed: values: Option<Vec<u8>>, "numbers-", |it| it.values.as_ref().map_or(0, |it| it.len());
}
