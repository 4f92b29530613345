//! The plan modifier `plan_with`.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "test code")]

mod errors;
mod final_values;
mod nesting;
mod order;

use std::collections::BTreeMap;

use expect_test::expect;
use ferroform::schema::ValueChange;
use ferroform::value::Value;
use ferroform::{Known, Maybe, Model, Unknown};
use ferroform_engine::PlanRequest;
use ferroform_testing::{Action, Configuration, config, unknown};

use crate::common::{check, instance, refreshed, server};

/// A function with the same behavior as the option `use_state_for_unknown`.
pub(crate) fn keep<T: ferroform::AttrValue>(it: &ValueChange<T>) -> Maybe<Option<T>> {
    match (&it.plan, &it.prior) {
        (Unknown, Some(prior)) => Known(Some(prior.clone())),
        _ => it.as_planned(),
    }
}

/// Plans a new value for an outdated one, even if nothing else changes.
pub(crate) fn newest(it: &ValueChange<i64>) -> Maybe<i64> {
    Known(it.prior.map_or(1, |old| old.max(5)))
}

pub(crate) fn nothing<T: ferroform::AttrValue>(_: &ValueChange<T>) -> Maybe<Option<T>> {
    Known(None)
}

pub(crate) fn unknown_value<T: ferroform::AttrValue>(_: &ValueChange<T>) -> Maybe<T> {
    Unknown
}

/// A closure can capture a value.
pub(crate) fn fixed<T: ferroform::AttrValue>(value: T) -> impl Fn(&ValueChange<T>) -> Maybe<T> + Send + Sync {
    move |_| Known(value.clone())
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    name: String,
    #[attr(computed, plan_with = keep)]
    id: String,
    #[attr(optional, computed, plan_with = newest)]
    version: i64,
    #[attr(computed, plan_with = nothing)]
    none: Option<String>,
    #[attr(computed, plan_with = keep)]
    tags: Vec<String>,
    #[attr(computed, plan_with = keep)]
    owner: Option<Owner>,
    #[attr(computed)]
    stamp: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
    #[attr(computed)]
    mail: Option<String>,
}

fn state() -> Configuration {
    config! { name = "a", id = "1", version = 7, tags = ["x"], owner = { name = "me" }, stamp = "s" }
}

#[test]
fn plan_with_is_called_for_create() {
    check::<Thing>(
        None,
        config! { name = "a" },
        expect![[r#"
            create
            + name = "a"
            + id = (known after apply)
            + version = 1
            + tags = (known after apply)
            + owner = (known after apply)
            + stamp = (known after apply)"#]],
    );
    // A configured value is planned as configured.
    check::<Thing>(
        None,
        config! { name = "a", version = 3 },
        expect![[r#"
            create
            + name = "a"
            + id = (known after apply)
            + version = 3
            + tags = (known after apply)
            + owner = (known after apply)
            + stamp = (known after apply)"#]],
    );
    // An unknown configured value is planned as unknown.
    check::<Thing>(
        Some(state()),
        config! { name = "a", version = unknown() },
        expect![[r#"
            update
            ~ version = 7 -> (known after apply)
            ~ stamp = "s" -> (known after apply)"#]],
    );
}

#[test]
fn plan_with_can_keep_the_prior_value() {
    check::<Thing>(
        Some(state()),
        config! { name = "b" },
        expect![[r#"
            update
            ~ name = "a" -> "b"
            ~ stamp = "s" -> (known after apply)"#]],
    );
    check::<Thing>(Some(state()), config! { name = "a" }, expect!["no change"]);
}

/// Planning a new value is an update, so other computed values become unknown.
#[test]
fn plan_with_result_is_a_change() {
    let old = config! {
        name = "a", id = "1", version = 3, none = "x", tags = ["x"], owner = { name = "me" }, stamp = "s",
    };
    check::<Thing>(
        Some(old),
        config! { name = "a" },
        expect![[r#"
            update
            ~ version = 3 -> 5
            ~ stamp = "s" -> (known after apply)
            - none = "x""#]],
    );
}

/// `plan_with` is only called for values that the provider computes.
#[test]
fn plan_with_is_not_called_for_configured_values_or_destroy() {
    fn never(_: &ValueChange<String>) -> Maybe<String> {
        panic!("plan_with was called")
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct NeverCalled {
        name: Option<String>,
        #[attr(optional, computed, plan_with = never)]
        zone: String,
        #[attr(optional, computed)]
        part: Option<Part>,
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Part {
        #[attr(optional, computed, plan_with = never)]
        zone: String,
    }
    let mut resource =
        instance(NeverCalled::schema(), true, Some(config! { zone = "a", part = { zone = "p" } }));
    assert_eq!(resource.plan(config! { zone = "b" }).action, Action::Update);
    assert_eq!(resource.plan(config! { zone = unknown(), name = "n" }).action, Action::Update);
    assert_eq!(resource.plan(config! { zone = "a", part = unknown() }).action, Action::Update);
    expect![[r#"zone = "b""#]].assert_eq(&refreshed(
        NeverCalled::schema(),
        config! { zone = "a" },
        config! { zone = "b" },
    ));
    let state = resource.state().value().clone();
    let destroy = PlanRequest {
        type_name: "test_thing".into(),
        prior: Some(state),
        is_destroy: true,
        ..PlanRequest::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let destroyed = runtime.block_on(server(NeverCalled::schema()).plan_resource_change(destroy));
    assert_eq!((destroyed.planned, destroyed.diagnostics.len()), (Some(Value::Null), 0));
}

/// The option accepts closures with every return type.
#[test]
fn plan_with_accepts_closures() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct WithClosures {
        #[attr(computed, plan_with = fixed("a".to_owned()))]
        text: String,
        #[attr(computed, plan_with = fixed(Part { name: "p".into(), id: 1 }))]
        part: Part,
        #[attr(computed, plan_with = fixed(vec![Part { name: "q".into(), id: 2 }]))]
        parts: Vec<Part>,
        #[attr(optional, computed, plan_with = fixed(BTreeMap::from([("k".to_owned(), true)])))]
        flags: BTreeMap<String, bool>,
        #[attr(optional, computed, plan_with = |it| Known(it.prior.map_or(Some(1), |old| (old < 3).then_some(old + 1))))]
        number: Option<i64>,
        #[attr(optional, computed, plan_with = unknown_value)]
        later: Option<i64>,
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Part {
        name: String,
        #[attr(computed)]
        id: i64,
    }
    check::<WithClosures>(
        None,
        config! {},
        expect![[r#"
            create
            + text = "a"
            + part.name = "p"
            + part.id = 1
            + parts[0].name = "q"
            + parts[0].id = 2
            + flags = {"k" = true}
            + number = 1
            + later = (known after apply)"#]],
    );
    let state = |number: Option<i64>| {
        config! {
            text = "a", part = { name = "p", id = 1 }, parts = [{ name = "q", id = 2 }], flags = { k = true },
            number = number, later = 5,
        }
    };
    check::<WithClosures>(
        Some(state(Some(3))),
        config! {},
        expect![[r#"
        update
        ~ later = 5 -> (known after apply)
        - number = 3"#]],
    );
    check::<WithClosures>(
        Some(state(Some(2))),
        config! { later = 5 },
        expect![[r#"
        update
        ~ number = 2 -> 3"#]],
    );
}
