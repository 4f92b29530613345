//! A method `plan` that returns a set in another order.

use expect_test::expect;
use ferroform::{ApplyCx, Change, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Set};
use ferroform_testing::{Harness, config, provider, unknown};

provider! { Test { resource Pool = "test_pool" } }

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
