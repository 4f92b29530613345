//! Actions: validation, plan, invocation with progress, and cancellation.

use std::time::Duration;

use expect_test::expect;
use ferroform::{
    Action, Args, Config, Deferral, Diagnostic, InvokeCx, Known, Maybe, Model, PlanActionCx, Provider,
    Registry, RequestCx, Result, Timeouts, path,
};
use ferroform_testing::{Harness, config, unknown};

struct Cloud {
    token: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    #[attr(sensitive)]
    token: String,
}

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        Ok(config.token.map(|token| Cloud { token }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.action::<Restart>("cloud_restart").action::<Notify>("cloud_notify");
    }
}

/// Restarts a machine. Its ID determines how it fails.
#[derive(Model, Clone, Debug, PartialEq)]
struct Restart {
    #[attr(validate = ferroform::validators::length_at_most(12))]
    machine: String,
    #[attr(default = 2)]
    messages: u64,
    #[attr(sensitive)]
    password: Option<String>,
    #[attr(timeouts(invoke = "1m"))]
    timeouts: Option<Timeouts>,
}

impl Action for Restart {
    type Provider = Cloud;

    async fn validate(_: &RequestCx, config: Config<Self>) -> Result<()> {
        match config.machine {
            Known(id) if id == "root" => {
                Err(Diagnostic::error("Forbidden Machine").at(path!(machine)).into())
            }
            _ => Ok(()),
        }
    }

    async fn plan(cx: &PlanActionCx<Self>, config: Config<Self>) -> Result<()> {
        match config.machine {
            Known(id) if id == "absent" => {
                Err(Diagnostic::error("No Such Machine").at(path!(machine)).into())
            }
            Known(id) if id == "later" => Err(cx.defer(Deferral::AbsentPrerequisite)),
            Known(id) if id == "leak" => {
                let password = config.password.known().flatten().unwrap_or_default();
                Err(Diagnostic::error(format!("{password} for {}", cx.provider.token)).into())
            }
            Known(_) => Ok(()),
            ferroform::Unknown => {
                cx.warn("The machine is not known yet");
                Ok(())
            }
        }
    }

    async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
        for step in 1..=args.messages {
            cx.progress(format!("Step {step} of {}", args.messages)).await;
        }
        match &*args.machine {
            "error" => Err(Diagnostic::error("Cannot Restart").at(path!(machine)).into()),
            "panic" => panic!("the machine panics"),
            "slow" => {
                tracing::info!("the restart waits");
                cx.sleep(Duration::from_secs(3600)).await
            }
            "secrets" => {
                let password = args.password.unwrap_or_default();
                cx.progress(format!("Log in with {password} and {}", cx.provider.token)).await;
                cx.warn(format!("The password {password} is weak"));
                Err(Diagnostic::error("Cannot Log In")
                    .detail(format!("{} is invalid", cx.provider.token))
                    .into())
            }
            _ => Ok(()),
        }
    }
}

/// An action with only the required method.
#[derive(Model, Clone, Debug, PartialEq)]
struct Notify {
    #[attr(write_only)]
    token: Option<String>,
}

impl Action for Notify {
    type Provider = Cloud;

    async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
        cx.progress(format!("{} characters", args.token.unwrap_or_default().len())).await;
        Ok(())
    }
}

fn cloud() -> Harness {
    Harness::start::<Cloud>(config! { token = "provider-token" })
}

#[test]
fn invocation_reports_progress_in_order() {
    let restart = cloud().action("cloud_restart");
    assert_eq!(restart.invoke(config! { machine = "m-1" }).progress, ["Step 1 of 2", "Step 2 of 2"]);
    let many = restart.invoke(config! { machine = "m-1", messages = 1000 }).progress;
    assert_eq!((many.len(), &*many[999]), (1000, "Step 1000 of 1000"));
    assert!(restart.invoke(config! { machine = "m-1", messages = 0 }).progress.is_empty());
}

#[test]
fn action_with_only_invoke_needs_no_provider_to_be_planned() {
    let harness = cloud();
    let notify = harness.action("cloud_notify");
    assert_eq!(notify.invoke(config! { token = "secret" }).progress, ["6 characters"]);
    harness.configure(config! { token = unknown() });
    assert!(notify.plan(config! { token = "secret" }).is_empty());
}

#[test]
fn errors_and_panics_end_the_invocation() {
    let restart = cloud().action("cloud_restart");
    let outcome = restart.try_invoke(config! { machine = "error" });
    assert_eq!(outcome.partial().progress, ["Step 1 of 2", "Step 2 of 2"]);
    let errors = outcome.error();
    expect!["machine: Cannot Restart"].assert_eq(&errors.to_string());
    let outcome = restart.try_invoke(config! { machine = "panic" });
    assert_eq!(outcome.partial().progress, ["Step 1 of 2", "Step 2 of 2"]);
    let errors = outcome.error();
    let panic = errors.to_string();
    assert!(
        panic.contains("The invocation of cloud_restart") && panic.contains("the machine panics"),
        "{panic}"
    );
}

#[test]
fn invalid_configurations_are_reported_at_their_path() {
    let restart = cloud().action("cloud_restart");
    expect!["machine: Forbidden Machine"]
        .assert_eq(&restart.try_plan(config! { machine = "root" }).error().to_string());
    expect!["machine: Invalid Attribute Value Length: A string of at most 12 bytes is required, but this has 15 bytes."]
        .assert_eq(&restart.try_plan(config! { machine = "much-too-longer" }).error().to_string());
    let outcome = restart.try_invoke(config! { machine = "absent" });
    assert!(outcome.partial().progress.is_empty());
    let errors = outcome.error();
    expect!["machine: No Such Machine"].assert_eq(&errors.to_string());
}

#[test]
fn plan_receives_unknown_values() {
    let restart = cloud().action("cloud_restart");
    let warnings = restart.plan(config! { machine = unknown() });
    expect!["The machine is not known yet"].assert_eq(&warnings.to_string());
}

#[test]
fn action_is_deferred_if_terraform_allows_it() {
    let harness = cloud();
    let errors = harness.action("cloud_restart").try_plan(config! { machine = "later" }).error();
    assert!(errors.to_string().contains("Deferral Not Supported"), "{errors}");
    let deferring = harness.allow_deferral();
    let reason = deferring.action("cloud_restart").try_plan(config! { machine = "later" }).deferral();
    assert_eq!(reason, Deferral::AbsentPrerequisite);
    deferring.configure(config! { token = unknown() });
    let reason = deferring.action("cloud_restart").try_plan(config! { machine = "m-1" }).deferral();
    assert_eq!(reason, Deferral::ProviderConfigUnknown);
}

#[test]
fn canceled_invocation_ends() {
    let harness = cloud();
    harness.stop_at("the restart waits");
    let outcome = harness.action("cloud_restart").try_invoke(config! { machine = "slow" });
    assert_eq!(outcome.partial().progress.len(), 2);
    let errors = outcome.error();
    expect!["Operation Canceled: The invocation of cloud_restart was interrupted. The operation may have partially completed. Check the remote object before retrying."]
        .assert_eq(&errors.to_string());
}

#[test]
fn invocation_ends_at_its_timeout() {
    let config = config! { machine = "slow", timeouts = { invoke = "30s" } };
    let errors = cloud().action("cloud_restart").try_invoke(config).error();
    expect![[r#"
        timeouts.invoke: Operation Timed Out: The invocation of cloud_restart timed out after 30s. The operation may have partially completed. Check the remote object before retrying.

        To increase the timeout, configure for example: timeouts = { invoke = "1m" }"#]].assert_eq(&errors.to_string());
}

#[test]
fn sensitive_values_are_masked_in_progress_and_diagnostics() {
    let restart = cloud().action("cloud_restart");
    let config = || config! { machine = "secrets", messages = 0, password = "hunter2!" };
    let outcome = restart.try_invoke(config());
    assert_eq!(outcome.partial().progress, ["Log in with (sensitive value) and (sensitive value)"]);
    let errors = outcome.error();
    expect![[r#"
        The password (sensitive value) is weak
        Cannot Log In: (sensitive value) is invalid"#]]
    .assert_eq(&errors.to_string());
    let errors = restart.try_plan(config! { machine = "leak", password = "hunter2!" }).error();
    expect!["(sensitive value) for (sensitive value)"].assert_eq(&errors.to_string());
}
