//! The option `plan_with` of a flattened model.

use expect_test::expect;
use ferroform::{
    ApplyCx, Change, Known, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Unknown, path,
};
use ferroform_testing::{Action, Harness, Instance, Invariant, config, provider, unknown};

provider! { Test { resource Machine = "test_machine", resource Disk = "test_disk" } }

#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    name: String,
    #[attr(flatten, plan_with = plan_cost)]
    cost: Cost,
}

/// A resource that shares the attributes and their plan, and has a `plan` method of its own.
#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    #[attr(flatten, plan_with = plan_cost)]
    cost: Cost,
    #[attr(computed)]
    price_in_cents: u32,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Cost {
    size: u32,
    #[attr(computed)]
    price: u32,
    #[attr(flatten, plan_with = |_, change| Ok(with_rate(change.plan)))]
    discount: Discount,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Discount {
    code: Option<String>,
    #[attr(computed)]
    rate: u32,
}

fn with_rate(plan: Proposed<Discount>) -> Proposed<Discount> {
    let rate = plan.code.as_ref().map(|code| code.as_ref().map_or(0, |it| it.len() as u32));
    Proposed::<Discount> { rate, ..plan }
}

/// The function of the discount, which is flattened into the cost, has run before.
fn plan_cost<R: Resource>(cx: &PlanCx<R>, change: Change<Cost>) -> Result<Proposed<Cost>> {
    let mut plan = change.plan;
    let (Known(size), Known(rate)) = (plan.size, plan.discount.rate) else {
        plan.price = Unknown;
        return Ok(plan);
    };
    plan.price = Known(size * 10 - rate);
    if change.prior.is_some_and(|prior| size < prior.size) {
        cx.requires_replace(path!(size));
    }
    Ok(plan)
}

impl Resource for Machine {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<MachineComputed> {
        Ok(MachineComputed { cost: Cost::try_from(plan.cost)?.into() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<MachineComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

impl Resource for Disk {
    type Provider = Test;

    async fn plan(_: &PlanCx<Self>, mut change: Change<Self>) -> Result<Proposed<Self>> {
        change.plan.price_in_cents = change.plan.cost.price.map(|it| it * 100);
        Ok(change.plan)
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<DiskComputed> {
        Ok(Disk::try_from(plan)?.into())
    }

    ferroform::state_only!(read, delete);
}

fn instance(name: &str) -> Instance {
    Harness::start::<Test>(config! {}).skip_check(Invariant::DestroyRemovesObject).resource(name)
}

#[test]
fn functions_plan_flattened_models_from_the_inside_out() {
    let mut machine = instance("test_machine");
    expect![[r#"
        create
        + name = "a"
        + size = 5
        + price = 47
        + code = "abc"
        + rate = 3"#]]
    .assert_eq(&machine.plan(config! { name = "a", size = 5, code = "abc" }).to_string());
    machine.apply_once_known(
        config! { name = "a", size = 5, code = unknown() },
        config! { name = "a", size = 5, code = "abcd" },
    );
    assert_eq!(machine.state().get::<u32>(path!(price)), 46);
    assert_eq!(machine.apply(config! { name = "a", size = 6, code = "abcd" }).action, Action::Update);
    let smaller = machine.plan(config! { name = "a", size = 4, code = "abcd" });
    assert_eq!((smaller.action, smaller.requires_replace), (Action::Replace, vec![path!(size)]));
}

#[test]
fn plan_method_receives_the_plan_of_flattened_models() {
    let mut disk = instance("test_disk");
    disk.apply(config! { size = 2 });
    assert_eq!(disk.state().get::<u32>(path!(price_in_cents)), 2000);
}
