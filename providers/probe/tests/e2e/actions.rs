//! Actions: `apply -invoke` and `action_trigger`.

use std::fs;
use std::time::{Duration, Instant};

use ferroform_testing::cli::{Cli, Feature};
use ferroform_testing::workspace::Workspace;

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    action_is_invoked_alone
    action_is_triggered_by_resource
    progress_is_printed_while_action_runs
    errors_of_actions_are_reported
    failed_trigger_keeps_created_resource
    sensitive_values_are_masked
    write_only_value_reaches_invocation
    interrupted_action_is_canceled
    action_is_canceled_when_terraform_is_killed
    older_clients_read_schema_of_provider_with_actions
}

const FEATURES: &[Feature] = &[Feature::Actions];
const INVOKE: &[&str] = &["apply", "-auto-approve", "-input=false"];

/// The lines that the action has logged so far.
fn events(bench: &Bench) -> Vec<String> {
    let log = fs::read_to_string(bench.space.path().join("things/notify.log")).unwrap_or_default();
    log.lines().map(str::to_owned).collect()
}

fn notify(bench: &Bench, config: &str) -> ferroform_testing::workspace::Result<()> {
    bench.configure(&format!("action \"probe_notify\" \"a\" {{\n  config {{\n    {config}\n  }}\n}}\n"))
}

/// The arguments that invoke the action `a`.
fn invoke(bench: &Bench) -> Vec<String> {
    let target = bench.for_provider("-invoke=action.probe_notify.a");
    INVOKE.iter().map(|it| (*it).to_owned()).chain([target]).collect()
}

fn run(bench: &Bench) -> ferroform_testing::workspace::Result<ferroform_testing::workspace::Output> {
    let arguments = invoke(bench);
    bench.space.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn action_is_invoked_alone(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    notify(&bench, "to = \"me\"")?;
    let output = run(&bench)?.expect_success()?;
    let (first, second) = (output.stdout.find("step 1 for me"), output.stdout.find("step 2 for me"));
    assert!(first.is_some() && first < second, "{output}");
    assert_eq!(events(&bench), ["notified me with a token of 0 bytes"]);
    Ok(())
}

fn action_is_triggered_by_resource(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    bench.configure(
        r#"
        action "probe_notify" "a" {
          config {
            to    = probe_thing.a.id
            steps = 1
          }
        }
        resource "probe_thing" "a" {
          name = "one"
          lifecycle {
            action_trigger {
              events  = [after_create]
              actions = [action.probe_notify.a]
            }
          }
        }
        "#,
    )?;
    let output = bench.space.apply()?;
    assert!(output.contains("step 1 for"), "{output}");
    assert_eq!(events(&bench).len(), 1);
    assert!(bench.space.plan()?.is_empty());
    Ok(())
}

fn progress_is_printed_while_action_runs(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    notify(&bench, "to = \"stuck\"")?;
    let arguments = invoke(&bench);
    let running = bench.space.spawn(&arguments.iter().map(String::as_str).collect::<Vec<_>>())?;
    running.wait_for("step 2 for stuck")?;
    assert!(events(&bench).is_empty(), "the action is still running");
    running.interrupt()?;
    running.wait()?.expect_failure()?;
    Ok(())
}

fn errors_of_actions_are_reported(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    for (to, message) in [
        ("absent", "No Such Recipient"),
        ("broken", "The recipient is broken"),
        ("panic", "the recipient panics"),
    ] {
        notify(&bench, &format!("to = \"{to}\""))?;
        let failed = run(&bench)?.expect_failure()?;
        assert!(failed.contains(message), "{to}: {failed}");
    }
    assert!(events(&bench).is_empty());
    Ok(())
}

fn failed_trigger_keeps_created_resource(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    bench.configure(
        r#"
        action "probe_notify" "a" {
          config {
            to = "broken"
          }
        }
        resource "probe_thing" "a" {
          name = "one"
          lifecycle {
            action_trigger {
              events  = [after_create]
              actions = [action.probe_notify.a]
            }
          }
        }
        "#,
    )?;
    let failed = bench.space.run(INVOKE)?.expect_failure()?;
    assert!(failed.contains("The recipient is broken"), "{failed}");
    let state = bench.space.state()?;
    let object = state.get(&bench.for_provider("probe_thing.a"))?;
    assert!(!object.is_tainted && object.values["name"] == "one", "{object:?}");
    Ok(())
}

fn sensitive_values_are_masked(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    notify(&bench, "to = \"me\"\n    password = \"hunter2!\"")?;
    let output = run(&bench)?.expect_success()?;
    assert!(output.contains("log in with (sensitive value)") && !output.contains("hunter2!"), "{output}");
    Ok(())
}

fn write_only_value_reaches_invocation(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    bench.configure(
        r#"
        ephemeral "probe_lease" "a" {
          owner = "me"
        }
        action "probe_notify" "a" {
          config {
            to    = "me"
            token = ephemeral.probe_lease.a.secret
          }
        }
        resource "probe_thing" "a" {
          name = "one"
          lifecycle {
            action_trigger {
              events  = [after_create]
              actions = [action.probe_notify.a]
            }
          }
        }
        "#,
    )?;
    let plan = bench.space.plan()?;
    let shown = bench.space.run(&["show", "-json", &plan.file().display().to_string()])?.expect_success()?;
    assert!(!shown.contains("secret of me"), "{shown}");
    bench.space.apply_plan(&plan)?;
    assert_eq!(events(&bench), ["notified me with a token of 12 bytes"]);
    Ok(())
}

fn interrupted_action_is_canceled(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    notify(&bench, "to = \"stuck\"")?;
    let arguments = invoke(&bench);
    let running = bench.space.spawn(&arguments.iter().map(String::as_str).collect::<Vec<_>>())?;
    running.wait_for("step 2 for stuck")?;
    running.interrupt()?;
    let failed = running.wait()?.expect_failure()?;
    assert!(failed.contains("Operation Canceled"), "{failed}");
    assert_eq!(events(&bench), ["canceled"]);
    Ok(())
}

fn action_is_canceled_when_terraform_is_killed(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    notify(&bench, "to = \"stuck\"")?;
    let arguments = invoke(&bench);
    let running = bench.space.spawn(&arguments.iter().map(String::as_str).collect::<Vec<_>>())?;
    running.wait_for("step 2 for stuck")?;
    running.kill()?;
    let start = Instant::now();
    while events(&bench).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(30), "the action is still running");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(events(&bench), ["canceled"]);
    Ok(())
}

/// Every client runs this scenario: those without actions ignore the schemas of actions.
fn older_clients_read_schema_of_provider_with_actions(probe: Probe) -> Outcome {
    let Some(cli) = Cli::for_test() else { return Ok(()) };
    let bench = probe.bench_in(Workspace::new(&cli)?.provider(&probe.address(), probe.binary())?)?;
    bench.configure("resource \"probe_thing\" \"a\" {\n  name = \"one\"\n}\n")?;
    bench.space.apply()?;
    let schemas = bench.space.run(&["providers", "schema", "-json"])?.expect_success()?;
    let action = bench.for_provider("\"probe_notify\"");
    assert_eq!(schemas.stdout.contains(&action), cli.supports(Feature::Actions)?, "{schemas}");
    Ok(())
}
