//! The planned values of `plan_with` are the values of the new state, and the initial plan agrees with the final one.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use ferroform::schema::ValueChange;
use ferroform::{
    ApplyCx, Change, Known, Maybe, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Unknown,
};
use ferroform_testing::{Action, Harness, Invariant, config, provider};

use crate::common::instance;

provider! { Test { resource Counter = "test_counter" } }

/// `create` and `update` receive the planned values. The resource's `plan` method runs after the functions of the
/// attributes.
#[derive(Model, Clone, Debug, PartialEq)]
struct Counter {
    name: String,
    #[attr(computed, plan_with = next)]
    number: i64,
    #[attr(computed)]
    twice: i64,
}

fn next(it: &ValueChange<i64>) -> Maybe<i64> {
    match it.as_planned() {
        Known(Some(number)) => Known(number),
        _ => Known(it.prior.unwrap_or(0) + 1),
    }
}

impl Resource for Counter {
    type Provider = Test;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let mut plan = change.plan;
        plan.twice = plan.number.map(|it| it * 2);
        Ok(plan)
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<CounterComputed> {
        let number = plan.number.unwrap_or(-1);
        // Returns another value than planned.
        let number = if plan.name == "violation" { number + 1 } else { number };
        Ok(CounterComputed { number, twice: plan.twice.unwrap_or(-1) })
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<CounterComputed> {
        Counter::create(cx, plan).await
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[test]
fn created_object_has_planned_values() {
    let mut counter = Harness::start::<Test>(config! {}).resource("test_counter");
    counter.apply(config! { name = "a" });
    let changed = counter.apply(config! { name = "b" }).to_string();
    expect![[r#"
        update
        ~ name = "a" -> "b"
        ~ number = 1 -> 2
        ~ twice = 2 -> 4"#]]
    .assert_eq(&changed);
    assert_eq!(counter.plan(config! { name = "b" }).action, Action::NoOp);
}

#[test]
fn result_other_than_planned_is_reported() {
    let harness = Harness::start::<Test>(config! {})
        .skip_check(Invariant::ResultMatchesPlan)
        .skip_check(Invariant::DestroyRemovesObject);
    let errors =
        harness.resource("test_counter").try_apply(config! { name = "violation" }).error().to_string();
    assert!(errors.contains("number: the planned value is 1, but the provider returned 2"), "{errors}");
}

/// A value that is planned while other values are unknown must agree with the final plan. Otherwise the plan is
/// unknown.
#[test]
fn initial_plan_agrees_with_final_plan() {
    fn planned_number(it: &ValueChange<i64>) -> Maybe<i64> {
        Known(match (it.as_planned(), it.prior) {
            (Unknown, Some(prior)) => prior + 1,
            (_, prior) => prior.unwrap_or(100),
        })
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct All {
        note: Option<String>,
        #[attr(computed, plan_with = planned_number)]
        number: i64,
        #[attr(computed, follows(note), plan_with = planned_number)]
        followed: i64,
        #[attr(optional, computed, use_state_for_unknown, plan_with = planned_number)]
        kept: i64,
        #[attr(mixed)]
        rows: Vec<Row>,
        #[attr(mixed)]
        set: BTreeSet<Row>,
        #[attr(mixed)]
        by_name: BTreeMap<String, Row>,
        #[attr(mixed)]
        keyed: Vec<Keyed>,
        #[attr(mixed)]
        keyed_set: BTreeSet<Keyed>,
    }
    #[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Row {
        size: i64,
        #[attr(optional, computed, plan_with = planned_number)]
        number: i64,
    }
    #[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Keyed {
        #[attr(key)]
        size: i64,
        note: Option<String>,
        #[attr(computed, plan_with = planned_number)]
        number: i64,
        #[attr(mixed)]
        rows: Vec<Row>,
    }
    let row = |size: i64| config! { size = size };
    let old = |size: i64| config! { size = size, number = size };
    let keyed = |size: i64| config! { size = size, rows = [row(1), row(2)] };
    let old_keyed = |size: i64| config! { size = size, number = size, rows = [old(1), old(2)] };
    let state = config! {
        note = "a", number = 1, followed = 2, kept = 3, rows = [old(1), old(2), old(3)], set = [old(1), old(2), old(3)],
        by_name = { a = old(1) }, keyed = [old_keyed(1), old_keyed(2)], keyed_set = [old_keyed(1), old_keyed(2)],
    };
    let same = config! {
        note = "a", rows = [row(1), row(2), row(3)], set = [row(1), row(2), row(3)],
        by_name = { a = row(1) }, keyed = [keyed(1), keyed(2)], keyed_set = [keyed(1), keyed(2)],
    };
    let other = config! {
        note = "b", rows = [row(2), row(1), row(4)], set = [row(1), row(4)],
        by_name = { a = row(2), b = row(1) }, keyed = [keyed(2), keyed(3)], keyed_set = [keyed(2), keyed(3)],
    };
    for config in [same, other] {
        assert!(instance(All::schema(), true, Some(state.clone())).plan_with_unknowns(config.clone()) > 30);
        instance(All::schema(), true, None).plan_with_unknowns(config);
    }
}
