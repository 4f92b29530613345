//! Methods that exceed their timeout, in real time.

use std::time::{Duration, Instant};

use ferroform::{
    ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result, Timeouts,
    path,
};
use ferroform_testing::{Configuration, Harness, Instance, Invariant, config};

struct Test;

impl Provider for Test {
    const ADDRESS: &'static str = "example.com/test/test";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Test))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Slow>("test_slow");
    }
}

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
    match plan.how.as_str() {
        // Blocks its thread, as a synchronous client does, longer than the engine waits.
        "blocks" => std::thread::sleep(Duration::from_millis(2900)),
        "hangs" => std::future::pending().await,
        "hangs with a checkpoint" => {
            cx.checkpoint_at(path!(id), &id);
            std::future::pending().await
        }
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
    let harness = Harness::with_server(ferroform::server::<Test>(), config! {})
        .unwrap()
        .skip_check(Invariant::DestroyRemovesObject);
    harness.resource("test_slow")
}

/// Returns the errors of a failed create, and its duration.
fn failed(slow: &mut Instance, config: Configuration) -> (String, Duration) {
    let start = Instant::now();
    let errors = slow.try_apply(config).error().to_string();
    (errors, start.elapsed())
}

#[test]
fn late_result_is_kept_with_a_warning() {
    let mut slow = slow();
    let diff = slow.apply(config! { how = "blocks" });
    assert_eq!(slow.state().get::<String>(path!(id)), "it blocks");
    let warnings = diff.warnings.to_string();
    assert!(
        warnings
            .starts_with("timeouts.create: Operation Exceeded Timeout: The creation of test_slow took 2."),
        "{warnings}"
    );
    assert!(warnings.contains("but the timeout is 300ms.\n\nTo increase the timeout, configure for example: timeouts = { create = \"600ms\" }"), "{warnings}");

    let diff = slow.apply(config! { how = "is late" });
    assert!(diff.warnings.to_string().starts_with("timeouts.update: Operation Exceeded Timeout"));
    assert_eq!(slow.state().get::<String>(path!(id)), "it is late");
}

#[test]
fn blocked_method_is_abandoned() {
    let mut slow = slow();
    let (errors, took) = failed(&mut slow, config! { how = "hangs" });
    assert!(took > Duration::from_millis(2300) && took < Duration::from_secs(8), "{took:?}");
    assert!(
        errors.starts_with(
            "timeouts.create: Operation Timed Out: The creation of test_slow was interrupted after 2."
        ),
        "{errors}"
    );
    assert!(
        errors.contains(
            "s, but the timeout is 300ms. The operation may have partially completed. Check the remote object before retrying."
        ),
        "{errors}"
    );
    assert!(!slow.exists());
}

#[test]
fn method_with_checkpoint_ends_at_deadline() {
    let mut slow = slow();
    let (errors, took) = failed(&mut slow, config! { how = "hangs with a checkpoint" });
    assert!(took < Duration::from_millis(1800), "{took:?}");
    assert!(
        errors.contains(
            ". The state contains the values that the provider recorded before the interruption.\n"
        ),
        "{errors}"
    );
    assert_eq!(slow.state().get::<String>(path!(id)), "it hangs with a checkpoint");
}

/// A test clock only advances if the method waits with `cx`, so the deadline would never be reached.
#[test]
fn test_clock_ends_methods_that_wait_otherwise() {
    let harness = Harness::start::<Test>(config! {}).call_timeout(Duration::from_millis(300));
    let mut slow = harness.resource("test_slow");
    let hangs = std::panic::AssertUnwindSafe(|| slow.apply(config! { how = "hangs" }));
    let payload = std::panic::catch_unwind(hangs).unwrap_err();
    let message = payload.downcast_ref::<String>().unwrap();
    assert!(
        message.starts_with("the creation of test_slow did not finish within 300ms of real time"),
        "{message}"
    );
}
