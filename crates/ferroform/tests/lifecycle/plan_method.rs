//! The method `plan`: what it receives and what it may change.

use expect_test::expect;
use ferroform::{
    ApplyCx, Change, Config, Diagnostic, Known, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result,
    Unknown, path,
};
use ferroform_testing::{Action, Harness, Instance, Invariant, config, provider, unknown};

provider! { Test { resource Disk = "test_disk" } }

/// A disk that can grow in place but not shrink.
#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    name: String,
    size: u32,
    #[attr(optional, computed)]
    kind: String,
    #[attr(computed)]
    price: u32,
    #[attr(computed)]
    history: Vec<u32>,
}

/// The content of the private state.
#[derive(Model, Clone, Debug, PartialEq)]
struct PriorSize {
    sizes: Vec<u32>,
    planned: u32,
}

impl Resource for Disk {
    type Provider = Test;

    async fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let Change { config, prior, mut plan, .. } = change;
        let config: Config<Disk> = config;
        // Validates the configuration, which does not need the plan.
        if let Known(0) = config.size {
            return Err(Diagnostic::error("Nothing fits").at(path!(size)).into());
        }
        let smaller = |it: &Disk| matches!(plan.size, Known(size) if size < it.size);
        if prior.as_ref().is_some_and(smaller) {
            cx.requires_replace(path!(size));
            cx.warn("the disk is lost");
        }
        // Values that follow from known values are planned, but only if there is a change.
        if plan.price.is_unknown() {
            plan.price = plan.size.map(|it| it * 2);
        }
        if plan.kind.is_unknown() && matches!(plan.size, Known(100..)) {
            plan.kind = Known("large".into());
        }
        let past: Option<PriorSize> = cx.private("past")?;
        let planned = past.as_ref().map_or(0, |it| it.planned) + 1;
        cx.set_private("past", &PriorSize { sizes: past.map(|it| it.sizes).unwrap_or_default(), planned })?;
        Ok(plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<DiskComputed> {
        Self::applied(cx, plan)
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<DiskComputed> {
        Self::applied(cx, plan)
    }

    async fn delete(cx: &ApplyCx<Self>, _: Self) -> Result<()> {
        let past: Option<PriorSize> = cx.private("past")?;
        let Some(past) = past else { return Err(Diagnostic::error("Nothing was kept").into()) };
        if past.sizes == [9] { Err(Diagnostic::error("Protected").into()) } else { Ok(()) }
    }
}

impl Disk {
    fn applied(cx: &ApplyCx<Self>, plan: Planned<Disk>) -> Result<DiskComputed> {
        let mut past: PriorSize = cx.private("past")?.unwrap_or(PriorSize { sizes: vec![], planned: 0 });
        past.sizes.push(plan.size);
        cx.set_private("past", &past)?;
        // Reading private state as another type is an error.
        assert!(cx.private::<bool>("past").is_err());
        Ok(DiskComputed {
            kind: plan.kind.unwrap_or_else(|| "small".into()),
            price: plan.price.unwrap_or(0),
            history: past.sizes,
        })
    }
}

fn disk() -> Instance {
    Harness::start::<Test>(config! {}).skip_check(Invariant::DestroyRemovesObject).resource("test_disk")
}

#[test]
fn plan_method_sets_known_computed_values() {
    let mut disk = disk();
    expect![[r#"
        create
        + name = "a"
        + size = 100
        + kind = "large"
        + price = 200
        + history = (known after apply)"#]]
    .assert_eq(&disk.plan(config! { name = "a", size = 100 }).to_string());
    let planned = disk.plan(config! { name = "a", size = unknown() });
    assert!(planned.after.unwrap().is_unknown(path!(price)));
    disk.apply_once_known(config! { name = "a", size = unknown() }, config! { name = "a", size = 5 });
    assert_eq!(disk.state().get::<u32>(path!(price)), 10);
    assert!(disk.plan_with_unknowns(config! { name = "a", size = 7, kind = "fast" }) > 2);
}

#[test]
fn plan_method_requires_replacement() {
    let mut disk = disk();
    disk.apply(config! { name = "a", size = 10 });
    assert_eq!(disk.plan(config! { name = "a", size = 20 }).action, Action::Update);
    let smaller = disk.apply(config! { name = "a", size = 5 });
    assert_eq!((smaller.action, smaller.requires_replace), (Action::Replace, vec![path!(size)]));
    assert!(smaller.warnings.to_string().contains("the disk is lost"));
    assert_eq!(disk.plan(config! { name = "a", size = 5 }).action, Action::NoOp);
}

#[test]
fn private_state_is_passed_from_plan_to_apply() {
    let mut disk = disk();
    disk.apply(config! { name = "a", size = 1 });
    disk.apply(config! { name = "a", size = 2 });
    disk.apply(config! { name = "b", size = 3 });
    assert_eq!(disk.state().get::<Vec<u32>>(path!(history)), [1, 2, 3]);
    disk.destroy();
    let mut protected = self::disk();
    protected.apply(config! { name = "a", size = 9 });
    assert_eq!(protected.try_destroy().error().to_string(), "Protected");
}

#[test]
fn plan_method_rejects_a_change() {
    let errors = disk().try_apply(config! { name = "a", size = 0 }).error();
    assert_eq!(errors.to_string(), "size: Nothing fits");
}

#[test]
fn plan_method_makes_computed_value_unknown() {
    // A view of the plan is an ordinary struct.
    let plan = Proposed::<Disk> { price: Unknown, ..proposed() };
    assert!(plan.price.is_unknown() && plan.size.is_known());
}

fn proposed() -> Proposed<Disk> {
    let value = ferroform::Attr::to_value(&Disk {
        name: "a".into(),
        size: 1,
        kind: "k".into(),
        price: 1,
        history: vec![],
    });
    ferroform::Attr::from_value(&value).unwrap()
}
