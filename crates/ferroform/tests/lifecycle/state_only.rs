//! Resources without a remote object: `state_only!` implements their methods.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::sync::atomic::{AtomicU64, Ordering};

use ferroform::{ApplyCx, Change, Known, Model, PlanCx, Planned, Proposed, Resource, Result, path};
use ferroform_testing::{Action, Harness, Invariant, config, provider};

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

provider! { Random { resource Number = "random_number", resource Key = "random_key" } }

/// A harness that accepts that a read after the deletion returns the object.
fn harness() -> Harness {
    Harness::start::<Random>(config! {}).skip_check(Invariant::DestroyRemovesObject)
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
