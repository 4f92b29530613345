//! Resources without a remote object: `state_only!` implements their methods.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use ferroform::{ApplyCx, Change, Known, Model, PlanCx, Planned, Proposed, Resource, Result, path};
use ferroform_testing::{Action, Harness, config, provider};

/// A number with a note, which can be changed in place.
#[derive(Model, Clone, Debug, PartialEq)]
struct Number {
    #[attr(flatten)]
    range: Range,
    note: Option<String>,
    #[attr(computed)]
    note_length: Option<usize>,
}

/// The attributes of a number that never change.
#[derive(Model, Clone, Debug, PartialEq)]
struct Range {
    #[attr(requires_replace)]
    min: u64,
    #[attr(requires_replace)]
    max: u64,
    #[attr(computed)]
    result: u64,
}

static COUNT: AtomicU64 = AtomicU64::new(0);

impl Resource for Number {
    type Provider = Random;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let mut plan = change.plan;
        if let Known(note) = &plan.note {
            plan.note_length = Known(note.as_ref().map(String::len));
        }
        Ok(plan)
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NumberComputed> {
        let result =
            plan.range.min + COUNT.fetch_add(1, Ordering::Relaxed) % (plan.range.max - plan.range.min);
        Ok(NumberComputed { range: RangeComputed { result }, note_length: plan.note.map(|it| it.len()) })
    }

    ferroform::state_only!(read, update, delete);
}

/// A key, which is replaced by every change.
#[derive(Model, Clone, Debug, PartialEq)]
struct Key {
    bits: u32,
    #[attr(computed)]
    id: String,
}

impl Resource for Key {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<KeyComputed> {
        Ok(KeyComputed { id: format!("key-{}", plan.bits) })
    }

    ferroform::state_only!(read, delete);
}

/// Words with an identifier each, which only the provider sets.
#[derive(Model, Clone, Debug, PartialEq)]
struct Words {
    note: Option<String>,
    #[attr(mixed)]
    list: Option<Vec<Word>>,
    #[attr(mixed)]
    map: Option<BTreeMap<String, Word>>,
    #[attr(mixed)]
    set: Option<BTreeSet<Word>>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Word {
    word: String,
    #[attr(computed)]
    id: String,
}

impl Word {
    fn of(word: &str) -> Word {
        Word { word: word.to_owned(), id: format!("id of {word}") }
    }
}

impl Resource for Words {
    type Provider = Random;

    /// The identifiers of new words are known in the plan if the note is set.
    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let mut plan = change.plan;
        let known = |it: Proposed<Word>| match it.word.as_known().map(|it| Word::of(it)) {
            Some(word) if word.word.starts_with("new") => Proposed::<Word> { id: Known(word.id), ..it },
            _ => it,
        };
        if let Known(Some(_)) = plan.note {
            plan.list = plan.list.map(|it| it.map(|it| it.into_iter().map(|it| it.map(known)).collect()));
            plan.set = plan.set.map(|it| it.map(|it| it.into_iter().map(|it| it.map(known)).collect()));
            plan.map = plan
                .map
                .map(|it| it.map(|it| it.into_iter().map(|(key, it)| (key, it.map(known))).collect()));
        }
        Ok(plan)
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<WordsComputed> {
        Ok(WordsComputed {
            list: plan.list.map(|it| it.iter().map(|it| Word::of(&it.word)).collect()),
            map: plan.map.map(|it| it.into_iter().map(|(key, it)| (key, Word::of(&it.word))).collect()),
            set: plan.set.map(|it| it.iter().map(|it| Word::of(&it.word)).collect()),
        })
    }

    ferroform::state_only!(read, update, delete);
}

provider! { Random { resource Number = "random_number", resource Key = "random_key", resource Words = "random_words" } }

fn harness() -> Harness {
    Harness::start::<Random>(config! {})
}

#[test]
fn update_stores_planned_values_and_keeps_unknown_ones() {
    let mut number = harness().resource("random_number");
    number.apply(config! { min = 10, max = 1000, note = "a" });
    let result: u64 = number.state().get(path!(result));
    let changed = number.apply(config! { min = 10, max = 1000, note = "abc" });
    assert_eq!(changed.action, Action::Update);
    assert_eq!(number.state().get::<u64>(path!(result)), result);
    assert_eq!(number.state().get::<usize>(path!(note_length)), 3);
    number.refresh();
    let replaced = number.apply(config! { min = 11, max = 1000, note = "abc" });
    assert_eq!(replaced.action, Action::Replace);
    assert_ne!(number.state().get::<u64>(path!(result)), result);
    number.destroy();
}

#[test]
fn resource_without_update_is_replaced() {
    let mut key = harness().resource("random_key");
    key.apply(config! { bits = 256 });
    assert_eq!(key.apply(config! { bits = 384 }).action, Action::Replace);
    key.destroy();
}

#[test]
fn new_elements_need_known_computed_values() {
    let mut words = harness().resource("random_words");
    words.apply(config! { list = [{ word = "a" }], map = { a = { word = "a" } }, set = [{ word = "a" }] });
    for (path, config) in [
        ("list[1].id", config! { list = [{ word = "a" }, { word = "new" }] }),
        (r#"map["b"].id"#, config! { map = { a = { word = "a" }, b = { word = "new" } } }),
    ] {
        let errors = words.try_apply(config).error();
        assert!(errors.to_string().starts_with(&format!("{path}: Missing Computed Value")), "{errors}");
    }
    words.apply(config! {
        note = "known",
        list = [{ word = "a" }, { word = "new" }],
        map = { a = { word = "a" }, b = { word = "new" } },
        set = [{ word = "new" }, { word = "a" }]
    });
    let state: Words = words.state().get(ferroform::value::Path::ROOT);
    assert_eq!(state.list.unwrap(), ["a", "new"].map(Word::of));
    assert_eq!(state.map.unwrap()["b"], Word::of("new"));
    assert_eq!(state.set.unwrap(), BTreeSet::from(["a", "new"].map(Word::of)));
}
