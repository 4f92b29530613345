//! The resources `probe_soft` and `probe_softnested`: differences that are not changes.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

use super::super::Probe;
use super::methods::state_only_methods;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Soft {
    name: String,
    /// Every difference is suppressed.
    #[attr(suppress_diff = |_: &str, _: &str| true)]
    text: Option<String>,
    #[attr(suppress_diff = same_words)]
    words: Option<Vec<String>>,
    #[attr(suppress_diff = same_labels)]
    labels: Option<BTreeMap<String, String>>,
    #[attr(suppress_diff = same_tags)]
    tags: Option<BTreeSet<String>>,
    #[attr(default = "Def", suppress_diff = str::eq_ignore_ascii_case)]
    kind: String,
    #[attr(suppress_diff = str::eq_ignore_ascii_case)]
    read: Option<String>,
    #[attr(suppress_diff = str::eq_ignore_ascii_case, suppress_on_refresh)]
    read_softly: Option<String>,
    /// Normalized to lowercase by the provider.
    #[attr(semantic_eq = str::eq_ignore_ascii_case)]
    stored: Option<String>,
    #[attr(block)]
    rule: BTreeSet<Rule>,
    #[attr(block)]
    disk: Vec<Disk>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rule {
    #[attr(key)]
    port: u16,
    #[attr(suppress_diff = str::eq_ignore_ascii_case)]
    note: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    size: Option<i64>,
    #[attr(suppress_diff = str::eq_ignore_ascii_case)]
    note: Option<String>,
}

fn same_words(old: &[String], new: &[String]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.eq_ignore_ascii_case(new))
}

fn same_labels(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> bool {
    let lowercase = |it: &BTreeMap<String, String>| -> BTreeSet<(String, String)> {
        it.iter().map(|(key, it)| (key.to_lowercase(), it.to_lowercase())).collect()
    };
    lowercase(old) == lowercase(new)
}

fn same_tags(old: &BTreeSet<String>, new: &BTreeSet<String>) -> bool {
    let lowercase = |it: &BTreeSet<String>| it.iter().map(|it| it.to_lowercase()).collect::<BTreeSet<_>>();
    lowercase(old) == lowercase(new)
}

impl Resource for Soft {
    type Provider = Probe;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<SoftComputed> {
        Ok(SoftComputed {})
    }

    /// Returns the values that a test has written.
    async fn read(cx: &ReadCx<Self>, mut state: Self) -> Result<Option<Self>> {
        let stored: BTreeMap<String, String> = cx.provider.store.read(&state.name)?.unwrap_or_default();
        let slots = [("read", &mut state.read), ("read_softly", &mut state.read_softly)];
        for (name, slot) in slots {
            if let Some(it) = stored.get(name) {
                *slot = Some(it.clone());
            }
        }
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, state: Self, _: Planned<Self>) -> Result<SoftComputed> {
        cx.provider.store.remove(&state.name)?;
        Ok(SoftComputed {})
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}

/// A nested attribute with a suppressed difference, which contains another suppressed attribute.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Nested {
    name: String,
    #[attr(suppress_diff = same_disk)]
    disk: Option<Disk>,
}

/// Ignores small differences of the size.
fn same_disk(old: &Disk, new: &Disk) -> bool {
    let size = |it: &Disk| it.size.unwrap_or_default();
    old.note == new.note && (size(old) - size(new)).abs() < 10
}

impl Resource for Nested {
    type Provider = Probe;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<NestedComputed> {
        Ok(NestedComputed {})
    }

    async fn update(_: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<NestedComputed> {
        Ok(NestedComputed {})
    }

    state_only_methods!();
}
