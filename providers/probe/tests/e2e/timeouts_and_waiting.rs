//! Timeouts, waiting and provider metadata.

use ferroform_testing::workspace::PlannedAction;
use serde_json::json;

use crate::common::{Bench, Outcome, Probe, SIX, on_both_protocols};

on_both_protocols! {
    create_ends_at_its_deadline
    changed_timeouts_call_no_method
    invalid_timeout_is_reported_at_its_line
    interrupt_ends_a_wait
    provider_meta_is_received
}

fn patient(rest: &str) -> String {
    format!("resource \"probe_patient\" \"p\" {{\n  name = \"p\"\n{rest}\n}}\n")
}

/// Makes the patient ready as soon as it exists, while `apply` waits for it.
fn apply_and_make_ready(bench: &Bench) -> Outcome {
    let running = bench.space.spawn(&["apply", "-auto-approve"])?;
    running.wait_for("looking at the patient")?;
    bench.drift("p", "stage", "Ready")?;
    running.wait()?.expect_success()?;
    Ok(())
}

fn bench_with_log(probe: Probe) -> Result<Option<Bench>, Box<dyn std::error::Error>> {
    // The provider logs when it waits.
    Ok(probe.bench()?.map(|it| it.with_env("TF_LOG_PROVIDER", "INFO")))
}

fn create_ends_at_its_deadline(probe: Probe) -> Outcome {
    let Some(bench) = bench_with_log(probe)? else { return Ok(()) };
    let (space, address) = (&bench.space, &bench.for_provider("probe_patient.p"));
    bench.configure(&patient("  timeouts {\n    create = \"700ms\"\n  }"))?;
    let failed = space.run(&["apply", "-auto-approve"])?.expect_failure()?;
    let expected = bench.for_provider(
        r#"
Error: Operation Timed Out

  with probe_patient.p,
  on main.tf line 4, in resource "probe_patient" "p":
   4:     create = "700ms"

The creation of probe_patient timed out after 700ms while waiting for the
patient to become Ready (last state: Waiting). The state contains the values
that the provider recorded. The object is tainted, so the next apply replaces
it.

To increase the timeout, configure for example: timeouts { create = "1.4s" }
"#,
    );
    let normalized =
        |output: &str| output.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    assert!(
        normalized(&failed.stderr).contains(&normalized(&expected)),
        "expected:\n{expected}\nprinted:\n{}",
        failed.stderr
    );
    let state = space.state()?;
    let object = state.get(address)?;
    assert!(object.is_tainted && object.values["id"] == "patient/p", "{object:?}");

    bench.configure(&patient("  timeouts {\n    create = \"1h\"\n  }"))?;
    assert_eq!(space.plan()?.change(address)?.action, PlannedAction::Replace);
    apply_and_make_ready(&bench)?;
    assert!(!space.state()?.get(address)?.is_tainted);
    assert!(space.plan()?.is_empty());
    Ok(())
}

fn changed_timeouts_call_no_method(probe: Probe) -> Outcome {
    let Some(bench) = bench_with_log(probe)? else { return Ok(()) };
    let (space, address) = (&bench.space, &bench.for_provider("probe_patient.p"));
    bench.configure(&patient(""))?;
    apply_and_make_ready(&bench)?;
    assert!(space.plan()?.is_empty());
    let before = std::fs::metadata(bench.file("p"))?.modified()?;

    bench.configure(&patient("  timeouts {\n    delete = \"1h\"\n  }"))?;
    let plan = space.plan()?;
    let change = plan.change(address)?;
    assert_eq!(change.action, PlannedAction::Update);
    assert_eq!(change.after_unknown, json!({}), "nothing else is recomputed");
    space.apply_plan(&plan)?;
    assert_eq!(space.state()?.get(address)?.values["timeouts"]["delete"], "1h");
    assert_eq!(std::fs::metadata(bench.file("p"))?.modified()?, before, "the real object was not written");
    // The same duration in another format.
    bench.configure(&patient("  timeouts {\n    delete = \"60m\"\n  }"))?;
    assert!(space.plan()?.is_empty());
    bench.configure(&patient("  note = \"new\"\n  timeouts {\n    delete = \"60m\"\n  }"))?;
    space.apply()?;
    assert_eq!(bench.object("p")?["note"], "new");
    space.run(&["destroy", "-auto-approve"])?.expect_success()?;
    assert!(!bench.file("p").exists());
    Ok(())
}

fn invalid_timeout_is_reported_at_its_line(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    bench.configure(&patient("  timeouts {\n    delete = \"1 hour\"\n  }"))?;
    let validation = bench.space.validate()?;
    let [problem] = validation.diagnostics.as_slice() else {
        panic!("one problem is expected: {validation:?}")
    };
    assert_eq!(
        (problem.location.as_str(), problem.snippet.as_str()),
        ("main.tf:4", "    delete = \"1 hour\"")
    );
    assert_eq!(problem.summary, "Invalid Attribute Value");
    // The schema does not have an argument for an operation without a timeout.
    bench.configure(&patient("  timeouts {\n    update = \"1h\"\n  }"))?;
    let validation = bench.space.validate()?;
    assert_eq!(validation.diagnostics[0].summary, "Unsupported argument");
    Ok(())
}

fn interrupt_ends_a_wait(probe: Probe) -> Outcome {
    let Some(bench) = bench_with_log(probe)? else { return Ok(()) };
    bench.configure(&patient(""))?;
    let running = bench.space.spawn(&["apply", "-auto-approve"])?;
    running.wait_for("looking at the patient")?;
    running.interrupt()?;
    let output = running.wait()?.expect_failure()?;
    let stderr = output.stderr.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
    let expected = bench.for_provider(
        "The creation of probe_patient was interrupted while waiting for the patient to become Ready",
    );
    assert!(stderr.contains("Error: Operation Canceled") && stderr.contains(&expected), "{output}");
    assert!(bench.space.state()?.get(&bench.for_provider("probe_patient.p"))?.is_tainted);
    // A failed object never becomes ready.
    let running = bench.space.spawn(&["apply", "-auto-approve"])?;
    running.wait_for("looking at the patient")?;
    bench.drift("p", "stage", "Lost")?;
    let output = running.wait()?.expect_failure()?;
    assert!(output.contains("Error: Unexpected State"), "{output}");
    Ok(())
}

fn provider_meta_is_received(probe: Probe) -> Outcome {
    let Some(bench) = bench_with_log(probe)? else { return Ok(()) };
    let (space, address) = (&bench.space, &bench.for_provider("probe_patient.p"));
    let team = |inside: &str| {
        let config = format!("terraform {{\n  provider_meta \"probe\" {{\n    {inside}\n  }}\n}}\n");
        space.write("meta.tf", &bench.for_provider(&config))
    };
    bench.configure(&patient(""))?;
    team("team = \"red\"")?;
    apply_and_make_ready(&bench)?;
    assert_eq!(space.state()?.get(address)?.values["team"], "red");
    assert!(space.plan()?.is_empty());
    team("team = \"blue\"")?;
    bench.configure(&patient("  note = \"new\""))?;
    space.apply()?;
    assert_eq!(space.state()?.get(address)?.values["team"], "blue");
    team("team = \"\"")?;
    let failed = space.run(&["plan", "-input=false"])?.expect_failure()?;
    assert!(failed.contains("In the provider_meta block of the module, team"), "{failed}");
    team("crew = \"red\"")?;
    let failed = space.run(&["plan", "-input=false"])?.expect_failure()?;
    assert!(failed.contains("Unsupported argument"), "{failed}");
    Ok(())
}

#[test]
fn timeouts_may_be_an_attribute() -> Outcome {
    let Some(bench) = SIX.bench()? else { return Ok(()) };
    let outpatient = |time: &str| {
        let config = "resource \"probe_outpatient\" \"p\" {\n  name     = \"p\"\n  timeouts = { create = \"TIME\" }\n}\n";
        bench.configure(&config.replace("TIME", time))
    };
    outpatient("200ms")?;
    let failed = bench.space.run(&["apply", "-auto-approve"])?.expect_failure()?;
    assert!(failed.contains("Error: Operation Timed Out"), "{failed}");
    assert!(failed.contains("timeouts = { create = \"400ms\" }"), "{failed}");
    outpatient("5 minutes")?;
    let failed = bench.space.run(&["validate"])?.expect_failure()?;
    assert!(failed.contains("timeouts.create: A duration such as"), "{failed}");
    Ok(())
}
