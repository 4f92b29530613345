//! `Wait` and `Retry`, in unit tests and in the methods of a provider.

use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::future::Future;
use std::time::Duration;

use expect_test::expect;
use ferroform::wait::{Backoff, Phase, Retry, RetryError, Wait};
use ferroform::{
    ApplyCx, Clock, Context, Diagnostic, Model, Planned, ReadCx, RequestCx, Resource, Result, Timeouts, path,
};
use ferroform_testing::{CHECKPOINT, Harness, Invariant, config, provider};

const SECOND: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Building,
    Active,
    Broken,
}
use Status::{Active, Broken, Building};

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

/// Waits for a sequence of states, in which the last state repeats and `None` means not found. Returns the outcome,
/// the number of polls and the elapsed seconds.
fn wait<S: Clone + Debug>(wait: Wait<S>, states: &[Option<S>]) -> (String, usize, f64) {
    let (clock, polls) = (Clock::test(), Cell::new(0));
    let cx = RequestCx::detached(clock.clone());
    let outcome = run(wait.run(&cx, || async {
        polls.set(polls.get() + 1);
        let state = states.get(polls.get() - 1).or(states.last()).cloned().flatten();
        Ok(state.map(|it| (it, polls.get())))
    }));
    let message = outcome.map_or_else(|errors| errors.to_string(), |it| format!("found the {it}. time"));
    (message, polls.get(), clock.elapsed().as_secs_f64())
}

fn server() -> Wait<Status> {
    Wait::new("the server").pending([Building]).target([Active]).backoff(Backoff::constant(SECOND * 10))
}

#[test]
fn wait_ends_at_the_target() {
    let states = [None, Some(Building), Some(Building), Some(Active)];
    assert_eq!(wait(server(), &states), ("found the 4. time".into(), 4, 30.0));
    assert_eq!(wait(server().delay(SECOND * 7), &states).2, 37.0);
    assert_eq!(
        wait(server(), &[Some(Active)]).2,
        0.0,
        "an object that is already available is returned immediately"
    );
    // By default, the interval between polls increases.
    let usual = Wait::new("it").target([Active]);
    assert_eq!(wait(usual, &[Some(Building), Some(Building), Some(Building), Some(Active)]).2, 0.7);
}

#[test]
fn unexpected_state_is_an_error() {
    let (error, ..) = wait(server(), &[Some(Building), Some(Broken)]);
    expect![
        "Unexpected State: The server is in the state Broken after 10s, but Building or Active was expected."
    ]
    .assert_eq(&error);
    // If no states are pending, every state is.
    let any = Wait::new("the server").target([Active, Broken]).timeout(SECOND * 60);
    assert_eq!(wait(any, &[Some(Building), Some(Broken)]).1, 2);
}

#[test]
fn timeout_is_an_error_after_a_last_poll() {
    let (error, polls, took) = wait(server().timeout(SECOND * 25), &[Some(Building)]);
    expect!["Timeout While Waiting: Waited 25s for the server to become Active, but it is still Building."]
        .assert_eq(&error);
    assert_eq!((polls, took), (4, 25.0), "a last poll happens at the timeout");
    let (error, ..) = wait(server().timeout(SECOND * 25), &[None]);
    expect!["Timeout While Waiting: Waited 25s for the server to become Active, but it is still not found."]
        .assert_eq(&error);
    let (_, polls, took) = wait(server().delay(SECOND * 60).timeout(SECOND * 25), &[Some(Active)]);
    assert_eq!((polls, took), (1, 25.0), "the delay is part of the timeout");
}

#[test]
fn hanging_poll_ends_at_the_timeout() {
    let cx = RequestCx::detached(Clock::default());
    let looks = Cell::new(0);
    let poll = || async {
        looks.set(looks.get() + 1);
        if looks.get() > 1 {
            std::future::pending::<()>().await;
        }
        Ok(Some((Building, ())))
    };
    let wait = server()
        .backoff(Backoff::constant(Duration::from_millis(1)))
        .timeout(Duration::from_millis(200))
        .run(&cx, poll);
    let ended = run(async { tokio::time::timeout(SECOND * 8, wait).await });
    let error = ended.expect("it ends").unwrap_err().to_string();
    assert!(error.starts_with("Timeout While Waiting: Waited 2"), "{error}");
    let but =
        "for the server to become Active, but it was last Building, and the last poll has not finished.";
    assert!(error.ends_with(but), "{error}");
}

#[test]
fn wait_has_a_default_timeout() {
    let (clock, polls) = (Clock::test(), Cell::new(0));
    let cx = RequestCx::detached(clock.clone());
    let error = run(server().run(&cx, || async {
        polls.set(polls.get() + 1);
        assert!(polls.get() < 1000, "the wait has no timeout");
        Ok(Some((Building, ())))
    }));
    expect!["Timeout While Waiting: Waited 20m for the server to become Active, but it is still Building."]
        .assert_eq(&error.unwrap_err().to_string());
    assert_eq!(clock.elapsed(), SECOND * 1200);
}

#[test]
fn object_may_be_missing_for_a_number_of_polls() {
    let (error, polls, _) = wait(server().max_not_found(2), &[None]);
    expect![
        "Object Not Found: Waited 20s for the server to become Active, but it was not found in 3 consecutive polls."
    ]
    .assert_eq(&error);
    assert_eq!(polls, 3);
    // The object was found in between, so the count starts again.
    let states = [None, None, Some(Building), None, None, Some(Active)];
    assert_eq!(wait(server().max_not_found(2), &states).1, 6);
    assert_eq!(wait(server(), &[None]).1, 21, "20 times, as in Go");
}

#[test]
fn target_must_be_found_consecutively() {
    let states = [Some(Active), Some(Building), Some(Active), Some(Active), Some(Active)];
    assert_eq!(wait(server().consecutive(3), &states).1, 5);
    let states = [Some(Active), Some(Active), None, Some(Active)];
    assert_eq!(wait(server().consecutive(3), &states).1, 6, "not to be found is not to be there");
}

#[test]
fn strings_and_functions_classify_states() {
    let by_name = Wait::new("the volume").pending(["creating"]).target(["available", "in-use"]);
    let (error, ..) = wait(by_name, &[Some("creating"), Some("error")]);
    expect![[r#"Unexpected State: The volume is in the state "error" after 100ms, but "creating" or "available" or "in-use" was expected."#]]
        .assert_eq(&error);
    let full = |percent: &u8| match percent {
        100 => Phase::Target,
        101.. => Phase::Failed,
        _ => Phase::Pending,
    };
    let code = || Wait::new("the copy").classify("complete", full);
    assert_eq!(wait(code(), &[Some(10), Some(70), Some(100)]).1, 3);
    expect!["Unexpected State: The copy is in the state 120, but complete was expected."]
        .assert_eq(&wait(code(), &[Some(120)]).0);
}

#[test]
fn wait_ends_when_object_is_gone() {
    let wait_until_gone = |wait: Wait<Status>, states: &'static [Option<Status>]| {
        let (cx, polls) = (RequestCx::detached(Clock::test()), Cell::new(0));
        let outcome = run(wait.run_until_gone(&cx, || async {
            polls.set(polls.get() + 1);
            Ok(states.get(polls.get() - 1).or(states.last()).copied().flatten().map(|it| (it, ())))
        }));
        (outcome.map_or_else(|errors| errors.to_string(), |()| "gone".into()), polls.get())
    };
    let server = || Wait::new("the server").backoff(Backoff::constant(SECOND));
    assert_eq!(wait_until_gone(server(), &[Some(Active), Some(Building), None]), ("gone".into(), 3));
    assert_eq!(
        wait_until_gone(server().consecutive(2), &[Some(Active), None, Some(Active), None]),
        ("gone".into(), 5)
    );
    assert_eq!(wait_until_gone(server().target([Broken]), &[Some(Active), Some(Broken)]), ("gone".into(), 2));
    expect!["Unexpected State: The server is in the state Broken after 1s, but Active or gone was expected."]
        .assert_eq(&wait_until_gone(server().pending([Active]), &[Some(Active), Some(Broken)]).0);
    expect!["Timeout While Waiting: Waited 5s for the server to be gone, but it is still Active."]
        .assert_eq(&wait_until_gone(server().timeout(SECOND * 5), &[Some(Active)]).0);
}

#[test]
fn error_of_a_poll_ends_the_wait() {
    let cx = RequestCx::detached(Clock::test());
    let failing = || async { Err::<Option<(Status, ())>, _>(Diagnostic::error("No network").into()) };
    assert_eq!(run(server().run(&cx, failing)).unwrap_err().to_string(), "No network");
}

/// Retries attempts that take a second each. Returns the outcome and the start times of the attempts.
fn tries(retry: Retry, attempt: impl Fn(usize) -> Result<usize, RetryError>) -> (String, Vec<f64>) {
    let (clock, attempt_times) = (Clock::test(), RefCell::new(Vec::new()));
    let cx = RequestCx::detached(clock.clone());
    let outcome = run(retry.run(&cx, || async {
        attempt_times.borrow_mut().push(clock.elapsed().as_secs_f64());
        let number = attempt_times.borrow().len();
        clock.sleep(SECOND).await;
        attempt(number)
    }));
    let message = outcome.map_or_else(|errors| errors.to_string(), |it| format!("the {it}. attempt"));
    (message, attempt_times.into_inner())
}

fn busy() -> RetryError {
    RetryError::transient(Diagnostic::error("Busy").detail("Come back."))
}

fn start() -> Retry {
    Retry::new("start the server").backoff(Backoff::exponential(SECOND * 2, SECOND * 5))
}

#[test]
fn retry_ends_with_success() {
    let (outcome, attempt_times) = tries(start(), |it| if it < 5 { Err(busy()) } else { Ok(it) });
    assert_eq!((outcome.as_str(), attempt_times), ("the 5. attempt", vec![0.0, 3.0, 8.0, 14.0, 20.0]));
}

#[test]
fn permanent_error_is_not_retried() {
    let (outcome, attempt_times) = tries(start(), |_| {
        let number: usize = "x".parse()?;
        Ok(number)
    });
    assert_eq!((outcome.as_str(), attempt_times.len()), ("invalid digit found in string", 1));
}

#[test]
fn retry_ends_after_maximum_attempts() {
    let (outcome, attempt_times) = tries(start().attempts(3), |_| Err(busy()));
    expect!["Busy: Come back. 3 attempts to start the server failed within 9s."].assert_eq(&outcome);
    assert_eq!(attempt_times.len(), 3);
    assert_eq!(tries(start(), |_| Err(busy())).1.len(), 10, "the default number of attempts");
    assert_eq!(tries(start().attempts(0), |_| Err(busy())).1.len(), 1);
    let (outcome, attempt_times) = tries(start().timeout(SECOND * 10), |_| Err(busy()));
    expect![
        "Busy: Come back. 3 attempts to start the server failed within 9s, and there is no time for another one."
    ]
    .assert_eq(&outcome);
    assert_eq!(attempt_times, [0.0, 3.0, 8.0]);
    assert!(
        tries(start().timeout(SECOND * 600), |_| Err(busy())).1.len() > 50,
        "the time is what counts then"
    );
}

#[test]
fn retry_uses_the_requested_pause() {
    let (_, attempt_times) = tries(start(), |it| match it {
        1 => Err(RetryError::after(SECOND * 30, Diagnostic::error("Too many requests"))),
        _ => Ok(it),
    });
    assert_eq!(attempt_times, [0.0, 31.0]);
}

#[test]
fn jitter_spreads_the_attempts() {
    let (_, attempt_times) = tries(Retry::new("it").attempts(4), |_| Err(busy()));
    let pauses: Vec<f64> = attempt_times.windows(2).map(|it| it[1] - it[0] - 1.0).collect();
    for (pause, most) in pauses.iter().zip([0.5, 1.0, 2.0]) {
        assert!((most / 2.0..=most).contains(pause), "{pauses:?}");
    }
    assert_eq!(
        tries(Retry::new("it").attempts(4), |_| Err(busy())).1,
        attempt_times,
        "the same in each test"
    );
}

provider! {
    /// A service whose servers become active, or are free to be started, depending on their names.
    Cloud {
        resource Server = "cloud_server",
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    name: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(timeouts(create = "30m"))]
    timeouts: Option<Timeouts>,
}

impl Resource for Server {
    type Provider = Cloud;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ServerComputed> {
        let busy = plan.name == "busy";
        let attempt = || async move { if busy { Err(busy_service()) } else { Ok("i-1".to_owned()) } };
        let id = Retry::new("start the server").timeout(SECOND * 7200).run(cx, attempt).await?;
        cx.checkpoint_at(path!(id), &id);
        // The test waits for this log line.
        let poll = || async {
            tracing::info!("looking");
            if plan.name == "stuck" {
                std::future::pending::<()>().await;
            }
            Ok(Some((if plan.name == "slow" { Building } else { Active }, ())))
        };
        if plan.name == "slow with context" {
            let waited = server().run(cx, async || Ok(Some((Building, ())))).await;
            waited.context("Cannot Start Server").at(path!(name))?;
        }
        if plan.name == "retried with context" {
            let attempt =
                async || cx.sleep(SECOND * 3600).await.context("Cannot Sleep").map_err(RetryError::transient);
            Retry::new("sleep").run(cx, attempt).await.at(path!(name))?;
        }
        server().run(cx, poll).await?;
        Ok(ServerComputed { id })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn busy_service() -> RetryError {
    RetryError::transient(Diagnostic::error("Busy"))
}

/// Returns the errors of a create, which is interrupted when it logs `stop_at`.
fn created(name: &str, stop_at: Option<&str>) -> (String, Duration) {
    let harness = Harness::start::<Cloud>(config! {}).skip_check(Invariant::DestroyRemovesObject);
    stop_at.into_iter().for_each(|it| harness.stop_at(it));
    let mut server = harness.resource("cloud_server");
    let errors = server.try_apply(config! { name = name }).error().to_string();
    (errors, harness.clock().elapsed())
}

#[test]
fn wait_ends_at_the_deadline_of_the_method() {
    let (errors, took) = created("slow", None);
    expect![[r#"
        Operation Timed Out: The creation of cloud_server timed out after 30m while waiting for the server to become Active (last state: Building). The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it.

        To increase the timeout, configure for example: timeouts = { create = "1h" }"#]]
    .assert_eq(&errors);
    assert_eq!(took, SECOND * 1800);
}

#[test]
fn context_on_an_interruption_keeps_the_explanation() {
    let (errors, _) = created("slow with context", None);
    expect![[r#"
        name: Cannot Start Server: Operation Timed Out. The creation of cloud_server timed out after 30m while waiting for the server to become Active (last state: Building). The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it.

        To increase the timeout, configure for example: timeouts = { create = "1h" }"#]].assert_eq(&errors);
    let (errors, _) = created("retried with context", None);
    expect![[r#"
        name: Cannot Sleep: Operation Timed Out. 1 attempt to sleep failed within 30m, and there is no time for another one. The creation of cloud_server timed out after 30m. The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it.

        To increase the timeout, configure for example: timeouts = { create = "1h" }"#]].assert_eq(&errors);
    let (errors, _) = created("slow with context", Some(CHECKPOINT));
    expect!["name: Cannot Start Server: Operation Canceled. The creation of cloud_server was interrupted while waiting for the server to become Active (last state: Building). The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it."].assert_eq(&errors);
}

#[test]
fn interruption_ends_a_wait() {
    for name in ["slow", "stuck"] {
        let (errors, took) = created(name, Some(CHECKPOINT));
        assert!(took < SECOND * 60, "{took:?}");
        expect!["Operation Canceled: The creation of cloud_server was interrupted while waiting for the server to become Active. The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it."]
            .assert_eq(&errors.replace(" (last state: Building)", ""));
    }
}

#[test]
fn retries_end_before_the_deadline_of_the_method() {
    let (errors, took) = created("busy", None);
    assert!(errors.starts_with("Busy: "), "{errors}");
    assert!(
        errors.contains(", and there is no time for another one. The object is not in the state."),
        "{errors}"
    );
    assert!((SECOND * 1790..SECOND * 1800).contains(&took), "{took:?}");
}

#[test]
fn successful_wait_takes_no_time_on_a_test_clock() {
    let harness = Harness::start::<Cloud>(config! {}).skip_check(Invariant::DestroyRemovesObject);
    let mut server = harness.resource("cloud_server");
    server.apply(config! { name = "quick" });
    assert_eq!(harness.clock().elapsed(), Duration::ZERO);
}
