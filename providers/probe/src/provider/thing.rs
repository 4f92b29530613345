//! The resource `probe_thing` with an attribute of each mode, and the data source of the same name.

use std::collections::BTreeSet;

use ferroform::{
    ApplyCx, Args, Context, DataCx, DataSource, Diagnostic, Model, Planned, ReadCx, Resource, Result, path,
};
use serde::{Deserialize, Serialize};

use super::Probe;

/// A thing.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Thing {
    /// The name of the thing. Another name requires replacement.
    #[attr(requires_replace, validate = one_word)]
    pub(super) name: String,
    /// Updated in place.
    pub(super) note: Option<String>,
    /// Computed by default.
    #[attr(optional, computed)]
    size: i64,
    #[attr(default = "blue")]
    color: String,
    tags: Option<BTreeSet<String>>,
    #[attr(sensitive)]
    secret: Option<String>,
    /// A write-only attribute.
    #[attr(write_only)]
    #[serde(skip)]
    token: Option<String>,
    /// Proves that `create` and `update` received the token.
    #[attr(computed)]
    token_length: i64,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// The number of changes.
    #[attr(computed)]
    revision: i64,
    /// Changes only together with the note.
    #[attr(computed, follows(note))]
    note_length: i64,
}

fn one_word(name: &str) -> Result<(), &'static str> {
    if name.contains(char::is_whitespace) { Err("a name is one word, without spaces") } else { Ok(()) }
}

fn length(string: Option<&String>) -> i64 {
    string.map_or(0, |it| i64::try_from(it.len()).unwrap_or(i64::MAX))
}

impl Thing {
    fn from_plan(plan: Planned<Self>, revision: i64) -> Thing {
        Thing {
            id: format!("thing/{}", plan.name),
            size: plan.size.unwrap_or(7),
            tags: plan.tags.map(|it| it.into_iter().collect()),
            token_length: length(plan.token.as_ref()),
            note_length: length(plan.note.as_ref()),
            name: plan.name,
            note: plan.note,
            color: plan.color,
            secret: plan.secret,
            token: None,
            revision,
        }
    }
}

impl Resource for Thing {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ThingComputed> {
        tracing::debug!(?plan, "create");
        let store = &cx.provider.store;
        if store.read::<Thing>(&plan.name)?.is_some() {
            let error = Diagnostic::error("The name already exists")
                .detail(format!("A thing named {:?} already exists.", plan.name));
            return Err(error.at(path!(name)).into());
        }
        let thing = Thing::from_plan(plan, 1);
        store.write(&thing.name, &thing)?;
        Ok(thing.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<ThingComputed> {
        tracing::debug!(?plan, "update");
        let thing = Thing::from_plan(plan, prior.revision + 1);
        cx.provider.store.write(&thing.name, &thing)?;
        Ok(thing.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }

    /// The import ID is `thing/` followed by the name.
    async fn import(cx: &ReadCx<Self>, id: String) -> Result<Self> {
        let name =
            id.strip_prefix("thing/").context("The import ID must be `thing/` followed by the name")?;
        cx.provider.store.read(name)?.context(format!("No thing is named {name:?}"))
    }
}

/// Looks up a thing by its name.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Found {
    name: String,
    #[attr(computed)]
    note: Option<String>,
    #[attr(computed)]
    revision: i64,
    #[attr(computed, sensitive)]
    secret: Option<String>,
}

impl DataSource for Found {
    type Provider = Probe;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<FoundComputed> {
        let thing: Option<Thing> = cx.provider.store.read(&args.name)?;
        let thing = thing.context("No thing has this name").at(path!(name))?;
        Ok(FoundComputed { note: thing.note, revision: thing.revision, secret: thing.secret })
    }
}
