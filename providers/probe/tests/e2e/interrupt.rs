//! Interruption of a slow create, by the practitioner, by its deadline, and by the end of Terraform.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use ferroform_testing::workspace::PlannedAction;

use crate::common::{Outcome, Probe, on_both_protocols, runs_windows_providers};

on_both_protocols! {
    slow_create_is_interrupted
    create_that_blocks_its_thread_is_interrupted
    blocked_tasks_delay_neither_deadline_nor_interruption
    killed_terraform_leaves_only_the_objects_of_running_methods
}

fn slow_create_is_interrupted(probe: Probe) -> Outcome {
    interrupted(probe, false)
}

fn create_that_blocks_its_thread_is_interrupted(probe: Probe) -> Outcome {
    interrupted(probe, true)
}

fn interrupted(probe: Probe, blocking: bool) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    // The provider logs when it has created the object, so that the test interrupts it afterwards.
    let bench = bench.with_env("TF_LOG_PROVIDER", "INFO");
    let (space, slow) = (&bench.space, &bench.for_provider("probe_slow.s"));
    let configure = |wait: bool| {
        bench.configure(&format!(
            "resource \"probe_slow\" \"s\" {{\n  name = \"s\"\n  wait = {wait}\n  blocking = {blocking}\n}}\n"
        ))
    };

    configure(true)?;
    let running = space.spawn(&["apply", "-auto-approve"])?;
    running.wait_for("created, but not ready")?;
    running.interrupt()?;
    let output = running.wait()?.expect_failure()?;
    assert!(output.contains("Error: Operation Canceled"), "{output}");
    assert!(output.contains("The object is tainted, so the next apply replaces it."), "{output}");

    let state = space.state()?;
    let object = state.get(slow)?;
    assert!(object.is_tainted && object.values["id"] == "slow/s", "{object:?}");
    assert!(bench.file("s").exists());

    configure(false)?;
    let plan = space.plan()?;
    let change = plan.change(slow)?;
    assert_eq!((change.action, change.reason.as_str()), (PlannedAction::Replace, "replace_because_tainted"));
    space.apply_plan(&plan)?;
    let state = space.state()?;
    let object = state.get(slow)?;
    assert!(!object.is_tainted && object.values["address"] == "10.0.0.1", "{object:?}");
    assert!(space.plan()?.is_empty());
    Ok(())
}

fn blocked_tasks_delay_neither_deadline_nor_interruption(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let bench = bench.with_env("TF_LOG_PROVIDER", "INFO");
    let configure = |timeouts: &str| {
        bench.configure(&format!(
            r#"
            resource "probe_slow" "blocked" {{
              name           = "blocked"
              blocking_tasks = true
              {timeouts}
            }}
            resource "probe_slow" "other" {{
              name  = "other"
              wait  = false
              delay = 500
            }}
            "#
        ))
    };
    // `create` waits with a timer of tokio, which no longer fires. The deadline does.
    configure("timeouts {\n create = \"3s\"\n }")?;
    let output = bench.space.run(&["apply", "-auto-approve"])?.expect_failure()?;
    assert!(output.contains("Error: Operation Timed Out"), "{output}");
    let state = bench.space.state()?;
    assert!(state.get(&bench.for_provider("probe_slow.blocked"))?.is_tainted);
    assert_eq!(state.get(&bench.for_provider("probe_slow.other"))?.values["address"], "10.0.0.1");

    configure("")?;
    let running = bench.space.spawn(&["apply", "-auto-approve"])?;
    running.wait_for("created, but not ready")?;
    running.interrupt()?;
    let output = running.wait()?.expect_failure()?;
    assert!(output.contains("Error: Operation Canceled"), "{output}");
    Ok(())
}

fn killed_terraform_leaves_only_the_objects_of_running_methods(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let sockets = bench.space.path().join("s");
    fs::create_dir(&sockets)?;
    // The log contains the process ID.
    let bench = bench.with_env("TF_LOG", "DEBUG").with_env("PROBE_CONCURRENCY_LIMIT", "3");
    let bench = bench.with_env("PLUGIN_UNIX_SOCKET_DIR", &sockets.to_string_lossy());
    bench.configure(
        r#"
        resource "probe_slow" "s" {
          count = 30
          name  = "s${count.index}"
          wait  = false
          delay = 2000
        }
        "#,
    )?;
    let running = bench.space.spawn(&["apply", "-auto-approve", "-parallelism=30"])?;
    running.wait_for("creating")?;
    // A Windows provider binary listens on a port.
    assert_eq!(file_names(&sockets)?.is_empty(), runs_windows_providers());
    running.kill()?;
    let output = running.wait()?;
    let started = output.stderr.lines().rfind(|it| it.contains("plugin started:"));
    let (_, process) = started.and_then(|it| it.split_once("pid=")).ok_or("the log has no process ID")?;
    // The methods in flight take two seconds and create their objects.
    let end = Instant::now() + Duration::from_secs(20);
    while is_running(process) || !file_names(&sockets)?.is_empty() {
        assert!(Instant::now() < end, "the provider is still running:\n{output}");
        thread::sleep(Duration::from_millis(50));
    }
    let created = file_names(&bench.space.path().join("things"))?;
    // At most two rounds of three methods, if this test was slow.
    assert!((1..=6).contains(&created.len()), "{created:?}");
    Ok(())
}

fn file_names(directory: &Path) -> std::io::Result<Vec<String>> {
    fs::read_dir(directory)?.map(|it| Ok(it?.file_name().to_string_lossy().into_owned())).collect()
}

/// True if the process is running. The command line of a process that has ended is empty. Without `/proc`, only the
/// socket shows the end of the process.
fn is_running(process: &str) -> bool {
    fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|it| !it.is_empty())
}
