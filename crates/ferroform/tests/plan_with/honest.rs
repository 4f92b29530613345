//! What is planned is what comes about.

use expect_test::expect;
use ferroform::schema::ValueChange;
use ferroform::{
    Call, Change, Cx, Known, Maybe, Model, Planned, Proposed, Provider, Registry, Resource, Result,
};
use ferroform_testing::{Action, Core, config};

struct World;

impl Provider for World {
    const ADDRESS: &'static str = "registry.terraform.io/example/test";
    type Config = ();

    async fn configure(_: &Call, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(World))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Counter>("test_counter");
    }
}

/// What is planned is what the object gets; the hook of the resource comes after the attributes' functions.
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
    type Provider = World;

    async fn plan(_: &Cx<World>, change: Change<Self>) -> Result<Proposed<Self>> {
        let mut plan = change.plan;
        plan.twice = plan.number.map(|it| it * 2);
        Ok(plan)
    }

    async fn create(_: &Cx<World>, plan: Planned<Self>) -> Result<CounterComputed> {
        let number = plan.number.known_or(-1);
        // A name that does not keep to the plan.
        let number = if plan.name == "liar" { number + 1 } else { number };
        Ok(CounterComputed { number, twice: plan.twice.known_or(-1) })
    }

    async fn update(cx: &Cx<World>, _: Self, plan: Planned<Self>) -> Result<CounterComputed> {
        Counter::create(cx, plan).await
    }

    async fn read(_: &Cx<World>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &Cx<World>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[test]
fn the_object_gets_what_is_planned() {
    let mut counter = Core::start::<World>(config! {}).resource("test_counter");
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
#[should_panic(expected = "number: the plan says 1, but the provider answered 2")]
fn another_value_breaks_the_plan() {
    Core::start::<World>(config! {}).resource("test_counter").apply(config! { name = "liar" });
}
