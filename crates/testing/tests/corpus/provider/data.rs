//! Data sources: one for the objects of the resource `corpus_thing`, one that returns its argument, one with nested objects.

use std::collections::BTreeMap;

use ferroform::{Args, Context as _, DataCx, DataSource, Dynamic, Model, Result, path};

use super::Corpus;
use super::service::check;
use super::thing::Thing;

/// Finds a thing by its ID.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Find {
    id: String,
    #[attr(computed)]
    name: String,
    #[attr(computed)]
    text: Option<String>,
}

impl DataSource for Find {
    type Provider = Corpus;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<FindComputed> {
        let thing: Option<Thing> = cx.provider.read(&args.id)?;
        let thing = thing.context("There is no thing with this ID").at(path!(id))?;
        Ok(FindComputed { text: thing.text(), name: thing.name })
    }
}

/// Returns its argument.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Echo {
    value: Option<String>,
    any: Option<Dynamic>,
    #[attr(sensitive)]
    secret: Option<String>,
    /// `read` if the read fails.
    fail: Option<String>,
    /// The value, or `nothing`.
    #[attr(computed)]
    result: String,
    #[attr(computed)]
    copy: Option<Dynamic>,
    #[attr(computed)]
    service: String,
}

impl DataSource for Echo {
    type Provider = Corpus;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<EchoComputed> {
        check(args.fail.as_ref(), "read")?;
        let result = args.value.unwrap_or_else(|| "nothing".to_owned());
        cx.provider.log(format!("echo {result}"));
        Ok(EchoComputed { result, copy: args.any, service: cx.provider.service().to_owned() })
    }
}

/// Items with nested attributes.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Items {
    names: Vec<String>,
    #[attr(block)]
    filter: Vec<Filter>,
    #[attr(computed)]
    items: Vec<Item>,
    #[attr(computed)]
    by_name: BTreeMap<String, Item>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Filter {
    prefix: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Item {
    name: String,
    #[attr(sensitive)]
    key: String,
}

impl DataSource for Items {
    type Provider = Corpus;

    async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<ItemsComputed> {
        let passes = |name: &String| args.filter.iter().all(|it| name.starts_with(&it.prefix));
        let names = args.names.iter().filter(|it| passes(it));
        let items: Vec<_> = names.map(|it| Item { name: it.clone(), key: format!("key of {it}") }).collect();
        let by_name = items.iter().map(|it| (it.name.clone(), it.clone())).collect();
        Ok(ItemsComputed { items, by_name })
    }
}
