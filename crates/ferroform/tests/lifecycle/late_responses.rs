//! Methods that exceed their timeout. The test clock measures the timeout; the engine waits in real time for methods that do
//! not end.

use std::time::Duration;

use expect_test::expect;
use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result, Timeouts, path};
use ferroform_testing::{Harness, Instance, Invariant, config, provider};

provider! { Test { resource Slow = "test_slow" } }

/// A resource whose methods exceed their timeout.
#[derive(Model, Clone, Debug, PartialEq)]
struct Slow {
    how: String,
    #[attr(computed)]
    id: String,
    #[attr(timeouts(create = "300ms", update = "200ms"))]
    timeouts: Option<Timeouts>,
}

async fn work(cx: &ApplyCx<Slow>, plan: Planned<Slow>) -> Result<SlowComputed> {
    let id = format!("it {}", plan.how);
    if plan.how == "hangs without the clock" {
        std::future::pending().await
    }
    if plan.how == "is late with a checkpoint" {
        cx.checkpoint_at(path!(id), &id);
    }
    // This sleep, unlike `cx.sleep`, does not end at the deadline.
    cx.clock().sleep(Duration::from_millis(600)).await;
    cx.cancelled().await;
    match plan.how.as_str() {
        // Blocks its thread, as a synchronous client does, longer than the engine waits.
        "blocks" => std::thread::sleep(Duration::from_millis(2900)),
        "hangs" => std::future::pending().await,
        // The deadline ends a method with a checkpoint before it continues here.
        _ => tokio::time::sleep(Duration::from_millis(600)).await,
    }
    Ok(SlowComputed { id })
}

impl Resource for Slow {
    type Provider = Test;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SlowComputed> {
        work(cx, plan).await
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<SlowComputed> {
        work(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn slow() -> Instance {
    // The objects exist only in the state.
    let harness = Harness::start::<Test>(config! {}).skip_check(Invariant::DestroyRemovesObject);
    harness.resource("test_slow")
}

#[test]
fn late_result_is_kept_with_a_warning() {
    let mut slow = slow();
    let diff = slow.apply(config! { how = "blocks" });
    assert_eq!(slow.state().get::<String>(path!(id)), "it blocks");
    expect![[r#"
        Operation Exceeded Timeout: The creation of test_slow took 600ms, but the timeout is 300ms.

        To increase the timeout, configure for example: timeouts = { create = "600ms" }"#]]
    .assert_eq(&diff.warnings.to_string());

    let diff = slow.apply(config! { how = "is late" });
    expect![[r#"
        Operation Exceeded Timeout: The update of test_slow took 600ms, but the timeout is 200ms.

        To increase the timeout, configure for example: timeouts = { update = "400ms" }"#]]
    .assert_eq(&diff.warnings.to_string());
    assert_eq!(slow.state().get::<String>(path!(id)), "it is late");
}

#[test]
fn method_that_does_not_end_is_abandoned() {
    let mut slow = slow();
    let errors = slow.try_apply(config! { how = "hangs" }).error();
    expect![[r#"
        Operation Timed Out: The creation of test_slow timed out after 600ms; the timeout is 300ms. The object is not in the state. Check whether it exists before you apply again.

        To increase the timeout, configure for example: timeouts = { create = "600ms" }"#]]
    .assert_eq(&errors.to_string());
    assert!(!slow.exists());
}

#[test]
fn method_with_checkpoint_ends_at_deadline() {
    let mut slow = slow();
    let errors = slow.try_apply(config! { how = "is late with a checkpoint" }).error().to_string();
    assert!(errors.contains(" The object is tainted, so the next apply replaces it.\n"), "{errors}");
    assert_eq!(slow.state().get::<String>(path!(id)), "it is late with a checkpoint");
}

/// A test clock only advances if the method waits with `cx`, so the deadline would never be reached.
#[test]
fn test_clock_ends_methods_that_wait_otherwise() {
    let harness = Harness::start::<Test>(config! {}).call_timeout(Duration::from_millis(300));
    let mut slow = harness.resource("test_slow");
    let hangs = std::panic::AssertUnwindSafe(|| slow.apply(config! { how = "hangs without the clock" }));
    let payload = std::panic::catch_unwind(hangs).unwrap_err();
    let message = payload.downcast_ref::<String>().unwrap();
    assert!(
        message.starts_with("`create` of test_slow did not finish within 300ms of real time"),
        "{message}"
    );
}
