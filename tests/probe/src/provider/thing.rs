//! The resource `probe_thing`, with one attribute of each behaviour, and the data source of that name.

use std::collections::BTreeSet;

use ferroform::{ApplyCx, Args, Context, Cx, DataSource, Diagnostic, Model, Planned, Resource, Result, path};
use serde::{Deserialize, Serialize};

use super::Probe;

/// A thing.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Thing {
    /// What it is called; another name is another thing.
    #[attr(requires_replace, validate = one_word)]
    pub(super) name: String,
    /// Changed in place.
    pub(super) note: Option<String>,
    /// The provider's choice where the configuration makes none.
    #[attr(optional, computed)]
    size: i64,
    #[attr(default = "blue")]
    colour: String,
    tags: Option<BTreeSet<String>>,
    #[attr(sensitive)]
    secret: Option<String>,
    /// Never stored.
    #[attr(write_only)]
    #[serde(skip)]
    token: Option<String>,
    /// Shows that the token arrived.
    #[attr(computed)]
    token_length: i64,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// How often it was written.
    #[attr(computed)]
    revision: i64,
    /// Changes with the note only.
    #[attr(computed, follows(note))]
    note_length: i64,
}

fn one_word(name: &str) -> Result<(), &'static str> {
    if name.contains(char::is_whitespace) { Err("a name is one word, without spaces") } else { Ok(()) }
}

fn count(text: Option<&String>) -> i64 {
    text.map_or(0, |it| i64::try_from(it.len()).unwrap_or(i64::MAX))
}

impl Thing {
    fn made(plan: Planned<Self>, revision: i64) -> Thing {
        Thing {
            id: format!("thing/{}", plan.name),
            size: plan.size.unwrap_or(7),
            tags: plan.tags.map(|it| it.into_iter().collect()),
            token_length: count(plan.token.as_ref()),
            note_length: count(plan.note.as_ref()),
            name: plan.name,
            note: plan.note,
            colour: plan.colour,
            secret: plan.secret,
            token: None,
            revision,
        }
    }
}

impl Resource for Thing {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Probe>, plan: Planned<Self>) -> Result<ThingComputed> {
        tracing::debug!(?plan, "create");
        let store = &cx.provider.store;
        if store.read::<Thing>(&plan.name)?.is_some() {
            let taken =
                Diagnostic::error("The name is taken").detail(format!("There is a thing {:?}.", plan.name));
            return Err(taken.at(path!(name)).into());
        }
        let thing = Thing::made(plan, 1);
        store.write(&thing.name, &thing)?;
        Ok(thing.into())
    }

    async fn read(cx: &Cx<Probe>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Probe>, prior: Self, plan: Planned<Self>) -> Result<ThingComputed> {
        tracing::debug!(?plan, "update");
        let thing = Thing::made(plan, prior.revision + 1);
        cx.provider.store.write(&thing.name, &thing)?;
        Ok(thing.into())
    }

    async fn delete(cx: &ApplyCx<Probe>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }

    /// The id is `thing/` and the name.
    async fn import(cx: &Cx<Probe>, id: String) -> Result<Self> {
        let name = id.strip_prefix("thing/").context("An id is `thing/` and the name")?;
        cx.provider.store.read(name)?.context(format!("There is no thing {name:?}"))
    }
}

/// Looks for a thing.
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

    async fn read(cx: &Cx<Probe>, args: Args<Self>) -> Result<FoundComputed> {
        let thing: Option<Thing> = cx.provider.store.read(&args.name)?;
        let thing = thing.context("There is no such thing").at(path!(name))?;
        Ok(FoundComputed { note: thing.note, revision: thing.revision, secret: thing.secret })
    }
}
