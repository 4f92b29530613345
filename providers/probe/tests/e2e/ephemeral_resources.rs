//! Ephemeral resources.

use std::fs;
use std::time::{Duration, Instant};

use ferroform_testing::cli::Feature;

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    resource_is_opened_and_closed_in_every_run
    resource_is_renewed_while_it_is_used
    failed_resource_is_closed
    resource_is_closed_when_terraform_is_interrupted
    resource_is_closed_when_terraform_is_killed
}

const FEATURES: &[Feature] = &[Feature::EphemeralResources, Feature::WriteOnlyAttributes];

/// Returns the events of all leases so far, without the numbers that distinguish leases, and deletes them.
fn events(bench: &Bench) -> Vec<String> {
    let path = bench.space.path().join("things/leases.log");
    let log = fs::read_to_string(&path).unwrap_or_default();
    let _ = fs::remove_file(path);
    let line = |it: &str| {
        let (event, rest) = it.split_once(' ').unwrap_or_default();
        let (id, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let owner = id.split('-').next().unwrap_or_default();
        format!("{event} {owner} {rest}").trim().to_owned()
    };
    log.lines().map(line).collect()
}

fn thing(bench: &Bench, lease: &str) -> ferroform_testing::workspace::Result<()> {
    bench.configure(&format!(
        r#"
        ephemeral "probe_lease" "a" {{
          {lease}
        }}
        resource "probe_thing" "a" {{
          name  = "one"
          note  = "kept"
          token = ephemeral.probe_lease.a.secret
        }}
        "#
    ))
}

fn resource_is_opened_and_closed_in_every_run(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    thing(&bench, "owner = \"me\"")?;
    let plan = bench.space.plan()?;
    let once = ["open me", "close me after 0 renewals"];
    assert_eq!(events(&bench), once);
    bench.space.apply_plan(&plan)?;
    assert_eq!(events(&bench), once);
    let state = bench.space.state()?;
    let values = &state.get(&bench.for_provider("probe_thing.a"))?.values;
    assert_eq!(values["token_length"], "secret of me".len());
    assert!(!bench.space.run(&["show", "-json"])?.stdout.contains("secret of me"));
    Ok(())
}

fn resource_is_renewed_while_it_is_used(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    bench.configure(
        r#"
        ephemeral "probe_lease" "a" {
          owner       = "me"
          renew_after = 1
        }
        resource "terraform_data" "wait" {
          provisioner "local-exec" {
            command = "sleep 3"
          }
        }
        resource "probe_thing" "a" {
          name  = "one"
          token = "${terraform_data.wait.id}${ephemeral.probe_lease.a.secret}"
        }
        "#,
    )?;
    let plan = bench.space.plan()?;
    events(&bench);
    bench.space.apply_plan(&plan)?;
    assert_eq!(events(&bench), ["open me", "renew me", "close me after 1 renewals"]);
    Ok(())
}

fn failed_resource_is_closed(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    thing(&bench, "owner = \"broken\"")?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    assert!(failed.contains("The lease is broken"), "{failed}");
    assert_eq!(events(&bench), ["open broken", "close broken after 0 renewals"]);
    Ok(())
}

/// Waits until the lease is open.
fn wait_until_open(bench: &Bench) {
    let path = bench.space.path().join("things/leases.log");
    wait_for(|| fs::read_to_string(&path).is_ok_and(|it| it.starts_with("open")));
}

fn wait_for(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(30), "the condition was not met within 30 s");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn resource_is_closed_when_terraform_is_interrupted(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    thing(&bench, "owner = \"stuck\"")?;
    let running = bench.space.spawn(&["plan", "-input=false"])?;
    wait_until_open(&bench);
    running.interrupt()?;
    let failed = running.wait()?.expect_failure()?;
    assert!(failed.contains("Operation Canceled"), "{failed}");
    assert_eq!(events(&bench), ["open stuck", "close stuck after 0 renewals"]);
    Ok(())
}

fn resource_is_closed_when_terraform_is_killed(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    bench.configure(
        r#"
        ephemeral "probe_lease" "a" {
          owner = "me"
        }
        resource "terraform_data" "wait" {
          provisioner "local-exec" {
            command = "touch started && sleep 10"
          }
        }
        resource "probe_thing" "a" {
          name  = "one"
          token = "${terraform_data.wait.id}${ephemeral.probe_lease.a.secret}"
        }
        "#,
    )?;
    let plan = bench.space.plan()?;
    events(&bench);
    let running = bench.space.spawn(&["apply", "-input=false", &plan.file().display().to_string()])?;
    wait_until_open(&bench);
    let started = bench.space.path().join("started");
    wait_for(|| started.exists());
    running.kill()?;
    let log = bench.space.path().join("things/leases.log");
    wait_for(|| fs::read_to_string(&log).is_ok_and(|it| it.contains("close")));
    assert_eq!(events(&bench), ["open me", "close me after 0 renewals"]);
    Ok(())
}
