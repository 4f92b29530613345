//! `plan_with` in nested objects, lists, maps, sets and blocks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::expect;
use ferroform::schema::ValueChange;
use ferroform::{Known, Maybe, Model, Set, path};
use ferroform_testing::config;

use crate::common::{check, plan};
use crate::plan_with::keep;

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Disk {
    #[attr(key)]
    label: String,
    size: Option<i64>,
    #[attr(computed, plan_with = keep)]
    serial: String,
    #[attr(computed)]
    stamp: String,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Plain {
    size: i64,
    #[attr(computed, plan_with = keep)]
    serial: String,
    #[attr(computed)]
    stamp: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    #[attr(mixed)]
    one: Option<Plain>,
    #[attr(mixed)]
    disks: Option<Vec<Disk>>,
    #[attr(mixed)]
    rows: Option<Vec<Plain>>,
    #[attr(mixed)]
    by_name: Option<BTreeMap<String, Plain>>,
    #[attr(mixed)]
    keyed: Option<Set<Disk>>,
    #[attr(mixed)]
    plain: Option<BTreeSet<Plain>>,
    #[attr(block, mixed)]
    part: Vec<Disk>,
    #[attr(block, mixed)]
    bits: BTreeSet<Disk>,
}

/// The function of each element receives the prior value of the matching element: by key, by equality or by index.
#[test]
fn plan_with_receives_matching_elements() {
    check::<Machine>(
        Some(config! { one = { size = 1, serial = "1", stamp = "a" } }),
        config! { one = { size = 2 } },
        expect![[r#"
            update
            ~ one.size = 1 -> 2
            ~ one.stamp = "a" -> (known after apply)"#]],
    );
    let disk = |label: &str, serial: &str| config! { label = label, serial = serial, stamp = "s" };
    let two_disks = || vec![disk("a", "1"), disk("b", "2")];
    let other = || vec![config! { label = "b", size = 5 }, config! { label = "c" }, config! { label = "a" }];
    check::<Machine>(
        Some(config! { disks = two_disks() }),
        config! { disks = other() },
        expect![[r#"
        update
        ~ disks[0].label = "a" -> "b"
        + disks[0].size = 5
        ~ disks[0].serial = "1" -> "2"
        ~ disks[0].stamp = "s" -> (known after apply)
        ~ disks[1].label = "b" -> "c"
        ~ disks[1].serial = "2" -> (known after apply)
        ~ disks[1].stamp = "s" -> (known after apply)
        + disks[2].label = "a"
        + disks[2].serial = "1"
        + disks[2].stamp = (known after apply)"#]],
    );
    check::<Machine>(
        Some(
            config! { part { label = "a", serial = "1", stamp = "s" } part { label = "b", serial = "2", stamp = "s" } },
        ),
        config! { part { label = "b", size = 5 } part { label = "c" } },
        expect![[r#"
            update
            ~ part[0].label = "a" -> "b"
            + part[0].size = 5
            ~ part[0].serial = "1" -> "2"
            ~ part[0].stamp = "s" -> (known after apply)
            ~ part[1].label = "b" -> "c"
            ~ part[1].serial = "2" -> (known after apply)
            ~ part[1].stamp = "s" -> (known after apply)"#]],
    );
    check::<Machine>(
        Some(config! { keyed = two_disks() }),
        config! { keyed = other() },
        expect![[r#"
        update
        ~ keyed = [{label = "a", serial = "1", stamp = "s"}, {label = "b", serial = "2", stamp = "s"}] -> [{label = "a", serial = "1", stamp = "s"}, {label = "b", serial = "2", size = 5, stamp = (known after apply)}, {label = "c", serial = (known after apply), stamp = (known after apply)}]"#]],
    );
    check::<Machine>(
        Some(
            config! { bits { label = "a", serial = "1", stamp = "s" } bits { label = "b", serial = "2", stamp = "s" } },
        ),
        config! { bits { label = "b", size = 5 } bits { label = "c" } },
        expect![[r#"
            update
            ~ bits = [{label = "a", serial = "1", stamp = "s"}, {label = "b", serial = "2", stamp = "s"}] -> [{label = "b", serial = "2", size = 5, stamp = (known after apply)}, {label = "c", serial = (known after apply), stamp = (known after apply)}]"#]],
    );
    let row = |size: i64, serial: &str| config! { size = size, serial = serial, stamp = "s" };
    let rows = || vec![row(1, "1"), row(2, "2")];
    let resized = || vec![config! { size = 2 }, config! { size = 3 }];
    check::<Machine>(
        Some(config! { rows = rows() }),
        config! { rows = resized() },
        expect![[r#"
            update
            ~ rows[0].size = 1 -> 2
            ~ rows[0].stamp = "s" -> (known after apply)
            ~ rows[1].size = 2 -> 3
            ~ rows[1].stamp = "s" -> (known after apply)"#]],
    );
    check::<Machine>(
        Some(config! { plain = rows() }),
        config! { plain = resized() },
        expect![[r#"
        update
        ~ plain = [{serial = "1", size = 1, stamp = "s"}, {serial = "2", size = 2, stamp = "s"}] -> [{serial = "2", size = 2, stamp = "s"}, {serial = (known after apply), size = 3, stamp = (known after apply)}]"#]],
    );
    check::<Machine>(
        Some(config! { by_name = { a = row(1, "1"), b = row(2, "2") } }),
        config! { by_name = { b = { size = 9 }, c = { size = 1 } } },
        expect![[r#"
            update
            ~ by_name["b"].size = 2 -> 9
            ~ by_name["b"].stamp = "s" -> (known after apply)
            + by_name["c"].size = 1
            + by_name["c"].serial = (known after apply)
            + by_name["c"].stamp = (known after apply)
            - by_name["a"].size = 1
            - by_name["a"].serial = "1"
            - by_name["a"].stamp = "s""#]],
    );
}

/// If a nested object is wholly computed, only its own function is called and not those of its attributes.
#[test]
fn plan_with_on_nested_object_plans_it_as_a_whole() {
    fn never(_: &ValueChange<i64>) -> Maybe<i64> {
        panic!("plan_with was called")
    }
    fn plan_object(it: &ValueChange<Inner>) -> Maybe<Inner> {
        Known(Inner { size: 1, id: it.prior.as_ref().map_or(0, |it| it.id) })
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Outer {
        #[attr(optional, computed, plan_with = plan_object)]
        inner: Inner,
        #[attr(optional, computed)]
        other: Inner,
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Inner {
        #[attr(optional, computed)]
        size: i64,
        #[attr(computed, plan_with = never)]
        id: i64,
    }
    check::<Outer>(
        None,
        config! {},
        expect![[r#"
        create
        + inner.size = 1
        + inner.id = 0
        + other = (known after apply)"#]],
    );
    check::<Outer>(
        Some(config! { inner = { size = 1, id = 7 }, other = { size = 2, id = 8 } }),
        config! {},
        expect!["no change"],
    );
}

/// The number of calls for each element is bounded.
#[test]
fn plan_with_is_called_a_bounded_number_of_times() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    fn counted(it: &ValueChange<i64>) -> Maybe<Option<i64>> {
        CALLS.fetch_add(1, Ordering::Relaxed);
        keep(it)
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Many {
        #[attr(mixed)]
        list: Vec<Counted>,
        #[attr(mixed)]
        set: BTreeSet<Counted>,
    }
    #[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Counted {
        size: i64,
        #[attr(computed, plan_with = counted)]
        serial: i64,
    }
    let state: Vec<_> = (0..500).map(|i| config! { size = i, serial = i }).collect();
    let config: Vec<_> = (0..500).rev().map(|i| config! { size = i }).collect();
    let changed = plan::<Many>(
        Some(config! { list = state.clone(), set = state }),
        config! { list = config.clone(), set = config },
    );
    assert_eq!(changed.after.unwrap().get::<i64>(path!(list[0].serial)), 0);
    assert!(CALLS.load(Ordering::Relaxed) <= 5 * 1000, "{CALLS:?}");
}
