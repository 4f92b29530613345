//! A method `plan` that returns the elements of collections in another order or form.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use ferroform::attr::GoDuration;
use ferroform::{ApplyCx, Change, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Set};
use ferroform_testing::{Harness, config, provider, unknown};

provider! { Test { resource Pool = "test_pool", resource Timer = "test_timer" } }

#[derive(Model, Clone, Debug, PartialEq)]
struct Pool {
    rules: Set<Rule>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Rule {
    port: i64,
    #[attr(requires_replace_if_configured)]
    zone: Option<String>,
    label: Option<Label>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Label {
    #[attr(semantic_eq = str::eq_ignore_ascii_case)]
    word: String,
}

impl Resource for Pool {
    type Provider = Test;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let rules = change.plan.rules.map(|it| {
            let mut rules: Vec<_> = it.into_iter().collect();
            rules.reverse();
            rules.into_iter().collect()
        });
        Ok(Proposed::<Self> { rules })
    }

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<PoolComputed> {
        Ok(PoolComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<PoolComputed> {
        Ok(PoolComputed {})
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// A changed attribute of a set element requires replacement regardless of the order of the elements.
#[test]
fn order_of_planned_set_does_not_matter() {
    let mut pool = Harness::start::<Test>(config! {}).resource("test_pool");
    pool.apply(config! { rules = [] });
    let first = config! { rules = [{ port = unknown() }, { port = unknown(), zone = "z" }] };
    let last = config! { rules = [{ port = 1 }, { port = 2, zone = "z" }] };
    let planned = pool.apply_once_known(first, last);
    expect![[r#"
        replace
        ~ rules = [] -> [{port = (known after apply), zone = "z"}, {port = (known after apply)}] # forces replacement"#]].assert_eq(&planned.to_string());
}

/// An unknown zone does not match an omitted zone, so each element keeps its label.
#[test]
fn elements_with_unknown_inputs_keep_semantically_equal_values() {
    let mut pool = Harness::start::<Test>(config! {}).resource("test_pool");
    let first = config! { rules = [
        { port = 1, zone = unknown(), label = { word = "b" } },
        { port = 1, label = { word = "B" } },
    ] };
    let last = config! { rules = [
        { port = 1, zone = "z", label = { word = "b" } },
        { port = 1, label = { word = "B" } },
    ] };
    let planned = pool.apply_once_known(first, last);
    expect![[r#"
        create
        + rules = [{label = {word = "B"}, port = 1}, {label = {word = "b"}, port = 1, zone = (known after apply)}]"#]]
    .assert_eq(&planned.to_string());
}

/// Durations, which Rust prints in one form: `1h30m0s`.
#[derive(Model, Clone, Debug, PartialEq)]
struct Timer {
    delays: BTreeSet<GoDuration>,
    steps: Vec<GoDuration>,
    by_name: BTreeMap<String, GoDuration>,
}

impl Resource for Timer {
    type Provider = Test;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        Ok(change.plan)
    }

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<TimerComputed> {
        Ok(TimerComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// The plan contains the known elements as the configuration does, although other elements are unknown.
#[test]
fn known_elements_keep_their_form_next_to_unknown_ones() {
    let mut timer = Harness::start::<Test>(config! {}).resource("test_timer");
    let planned = timer.apply_once_known(
        config! { delays = ["90m", unknown()], steps = ["90m", unknown()], by_name = { a = "90m", b = unknown() } },
        config! { delays = ["90m", "2h"], steps = ["90m", "2h"], by_name = { a = "90m", b = "2h" } },
    );
    expect![[r#"
        create
        + delays = ["90m", (known after apply)]
        + steps = ["90m", (known after apply)]
        + by_name = {"a" = "90m", "b" = (known after apply)}"#]]
    .assert_eq(&planned.to_string());
}
