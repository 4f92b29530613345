//! The new state after apply: after success, errors, panics and interruptions.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use expect_test::{Expect, expect};
use ferroform::{
    ApplyCx, Change, Diagnostic, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Unknown, path,
};
use ferroform_testing::{Action, CHECKPOINT, Configuration, Harness, Instance, config, provider};

/// The names of the existing remote objects. Each test uses its own names.
static EXISTING: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn existing() -> std::sync::MutexGuard<'static, BTreeSet<String>> {
    EXISTING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

provider! { Test { resource Job = "test_job", resource Stamp = "test_stamp" } }

/// A job whose methods behave as configured.
#[derive(Model, Clone, Debug, PartialEq)]
struct Job {
    #[attr(requires_replace)]
    name: String,
    /// The outcome of `create` and `update`.
    how: Option<String>,
    #[attr(write_only)]
    token: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(computed)]
    url: Option<String>,
    #[attr(computed)]
    letters: i64,
    #[attr(computed)]
    lines: Vec<String>,
    #[attr(mixed)]
    parts: Vec<Part>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    name: String,
    #[attr(computed)]
    serial: String,
}

async fn work(cx: &ApplyCx<Job>, plan: Planned<Job>) -> Result<JobComputed> {
    let id = format!("job {}", plan.name);
    let how = plan.how.clone().unwrap_or_default();
    if how.starts_with("early") {
        return Err(Diagnostic::error("No such plan").into());
    }
    existing().insert(id.clone());
    if !how.ends_with("without a checkpoint") {
        cx.checkpoint_at(path!(id), &id);
    }
    tracing::info!("working");
    match how.split(' ').next() {
        Some("error") => return Err(Diagnostic::error("It broke").at(path!(how)).into()),
        Some("partial") => {
            cx.checkpoint_at(path!(how), &plan.how);
            return Err(Diagnostic::error("It broke").into());
        }
        Some("invalid") => {
            cx.checkpoint_at(path!(how), &"another".to_owned());
            return Err(Diagnostic::error("It broke").into());
        }
        Some("panic") => panic!("it fell over"),
        Some("hang") => tokio::time::sleep(Duration::from_secs(60)).await,
        _ => {}
    }
    let parts = plan.parts.into_iter().map(|it| Part { serial: format!("part {}", it.name), name: it.name });
    Ok(JobComputed {
        url: None,
        letters: plan.token.map_or(0, |it| it.len() as i64),
        lines: vec![how],
        parts: parts.collect(),
        id,
    })
}

impl Resource for Job {
    type Provider = Test;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<JobComputed> {
        work(cx, plan).await
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(existing().contains(&state.id).then_some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<JobComputed> {
        work(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        if state.how.as_deref() == Some("keep") {
            return Err(Diagnostic::error("Protected").into());
        }
        existing().remove(&state.id);
        Ok(())
    }
}

fn job() -> Instance {
    Harness::start::<Test>(config! {}).resource("test_job")
}

fn configured(name: &str, how: &str) -> Configuration {
    config! { name = name, how = how, parts = [{ name = "a" }] }
}

#[test]
fn write_only_values_reach_create_and_are_not_stored() {
    let config = |token: &str| config! { name = "write-only", token = token, parts = [] };
    let mut job = job();
    let plan = job.apply(config("s3cret"));
    expect![[r#"
        create
        + name = "write-only"
        + id = (known after apply)
        + url = (known after apply)
        + letters = (known after apply)
        + lines = (known after apply)
        + parts = []"#]]
    .assert_eq(&plan.to_string());
    assert_eq!(job.state().get::<i64>(path!(letters)), 6);
    assert_eq!(job.state().get::<Option<String>>(path!(token)), None);
    // A changed write-only value alone is not a change. `update` receives it together with another change.
    assert_eq!(job.apply(config("longer")).action, Action::NoOp);
    job.apply(config! { name = "write-only", how = "well", token = "s3cret-s3cret", parts = [] });
    assert_eq!(job.state().get::<i64>(path!(letters)), 13);
    job.destroy();
}

/// Checks the errors of a failed creation and the state after it. The next apply succeeds.
fn check_creation(name: &str, how: &str, stop: Option<&str>, errors: Expect, state: Expect) {
    let harness = Harness::start::<Test>(config! {});
    let mut job = harness.resource("test_job");
    if let Some(line) = stop {
        harness.stop_at(line);
    }
    let found = job.try_apply(configured(name, how)).error().to_string();
    errors.assert_eq(&found.replace(&line_of_panic(), "LINE"));
    match job.exists() {
        false => state.assert_eq("none"),
        true => {
            state.assert_eq(&job.state().to_string());
            assert!(job.is_tainted());
            // The partially created object can be read, and the next apply replaces it.
            assert_eq!(job.refresh().action, Action::NoOp);
            assert_eq!(job.apply(configured(name, "well")).action, Action::Replace);
            assert!(!job.is_tainted());
        }
    }
    if job.exists() {
        job.destroy();
    }
}

/// Returns the position of the statement in `work` that panics.
fn line_of_panic() -> String {
    let lines = include_str!("apply.rs").lines();
    let at = lines.take_while(|it| !it.contains("Some(\"panic\") => panic!")).count() + 1;
    format!("engine/apply.rs:{at}")
}

/// Returns the expected state, in which required values that are still unknown have placeholders.
fn state_with_placeholders(name: &str, how: &str) -> Expect {
    let snapshot = format!(
        "name = {name:?}\nhow = {how:?}\nid = \"job {name}\"\nletters = 0\nlines = []\nparts[0].name = \"a\"\nparts[0].serial = \"\""
    );
    Expect { position: expect![[r#""#]].position, data: Box::leak(snapshot.into_boxed_str()), indent: false }
}

#[test]
fn error_without_checkpoint_leaves_no_state() {
    check_creation("early", "early", None, expect![[r#"No such plan"#]], expect![[r#"none"#]]);
    check_creation(
        "nothing kept",
        "error without a checkpoint",
        None,
        expect![[r#"how: It broke"#]],
        expect![[r#"none"#]],
    );
}

#[test]
fn error_after_checkpoint_keeps_recorded_values() {
    check_creation(
        "failed",
        "error",
        None,
        expect![
            "how: It broke: The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it."
        ],
        state_with_placeholders("failed", "error"),
    );
}

#[test]
fn panic_after_checkpoint_keeps_recorded_values() {
    let errors = expect![[r#"
        Provider Panicked: The creation of test_job panicked at crates/ferroform/tests/LINE: it fell over

        This is a bug in the provider; please report it to its authors. The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it."#]];
    check_creation("panicked", "panic", None, errors, state_with_placeholders("panicked", "panic"));
}

#[test]
fn panic_without_checkpoint_reports_partial_completion() {
    let errors = expect![[r#"
        Provider Panicked: The creation of test_job panicked at crates/ferroform/tests/LINE: it fell over

        This is a bug in the provider; please report it to its authors. The object is not in the state. Check whether it exists before you apply again."#]];
    check_creation("lost", "panic without a checkpoint", None, errors, expect![[r#"none"#]]);
}

#[test]
fn interruption_after_checkpoint_keeps_recorded_values() {
    let errors = || {
        expect![
            "Operation Canceled: The creation of test_job was interrupted. The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it."
        ]
    };
    check_creation("stopped", "hang", Some(CHECKPOINT), errors(), state_with_placeholders("stopped", "hang"));
    check_creation(
        "stopped late",
        "hang on",
        Some("working"),
        errors(),
        state_with_placeholders("stopped late", "hang on"),
    );
}

#[test]
fn failed_update_keeps_prior_state() {
    let mut job = job();
    job.apply(configured("updated", "well"));
    let before = job.state();
    for (how, error) in [
        ("early", "No such plan"),
        ("error without a checkpoint", "how: It broke"),
        ("error", "how: It broke"),
    ] {
        assert_eq!(job.try_apply(configured("updated", how)).error().to_string(), error);
        assert_eq!(job.state(), before);
        assert!(!job.is_tainted());
    }
    let panicked = job.try_apply(configured("updated", "panic")).error().to_string();
    assert!(panicked.contains("The update of test_job panicked at"), "{panicked}");
    assert_eq!(job.state(), before);
    assert_eq!(job.apply(configured("updated", "better")).action, Action::Update);
    job.destroy();
}

/// After a failed update, the state contains the planned values that the provider recorded with a checkpoint.
#[test]
fn failed_update_keeps_recorded_configured_values() {
    let mut job = job();
    job.apply(configured("partially updated", "well"));
    let how = |job: &Instance| job.state().get::<String>(path!(how));
    assert_eq!(job.try_apply(configured("partially updated", "partial")).error().to_string(), "It broke");
    assert_eq!((how(&job), job.is_tainted()), ("partial".to_owned(), false));
    assert_eq!(job.plan(configured("partially updated", "partial")).action, Action::NoOp);
    let error = job.try_apply(configured("partially updated", "invalid")).error().to_string();
    assert!(
        error.contains("The provider recorded a value at \"how\" that cannot be stored in the state"),
        "{error}"
    );
    assert_eq!(how(&job), "partial");
    job.destroy();
}

#[test]
fn failed_delete_keeps_prior_state() {
    let mut job = job();
    job.apply(configured("kept", "keep"));
    assert_eq!(job.try_destroy().error().to_string(), "Protected");
    assert!(job.exists());
    // A replacement deletes the object first and fails too.
    assert_eq!(job.try_apply(configured("another", "well")).error().to_string(), "Protected");
    assert_eq!(job.state().get::<String>(path!(name)), "kept");
    job.apply(configured("kept", "well"));
    job.destroy();
}

#[test]
fn missing_remote_object_is_recreated() {
    let mut job = job();
    job.apply(configured("lost", "well"));
    existing().remove("job lost");
    assert_eq!(job.refresh().action, Action::Delete);
    assert_eq!(job.apply(configured("lost", "well")).action, Action::Create);
    job.destroy();
    assert!(!existing().contains("job lost"));
}

/// An object that cannot be updated and whose value expires.
#[derive(Model, Clone, Debug, PartialEq)]
struct Stamp {
    name: String,
    #[attr(computed)]
    until: i64,
}

impl Resource for Stamp {
    type Provider = Test;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let ran_out = change.prior.is_some_and(|it| it.until == 0);
        Ok(if ran_out { Proposed::<Self> { until: Unknown, ..change.plan } } else { change.plan })
    }

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<StampComputed> {
        Ok(StampComputed { until: 9 })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[test]
fn planned_change_without_update_method_requires_replacement() {
    let config = || config! { name = "a" };
    let harness = Harness::start::<Test>(config! {});
    let mut stamp = harness.resource("test_stamp").with_state(config! { name = "a", until = 0 });
    expect![[r#"
        replace
        ~ until = 0 -> (known after apply) # forces replacement"#]]
    .assert_eq(&stamp.apply(config()).to_string());
    assert_eq!(stamp.apply(config()).action, Action::NoOp);
}
