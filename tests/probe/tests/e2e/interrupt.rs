//! Interruption of a slow create.

use std::time::{Duration, Instant};

use ferroform_testing::cli::PlannedAction;

use crate::common::{Outcome, Probe, on_both_protocols};

on_both_protocols! {
    slow_create_is_interrupted
    create_that_blocks_its_thread_is_interrupted
}

fn slow_create_is_interrupted(probe: Probe) -> Outcome {
    interrupted(probe, false)
}

fn create_that_blocks_its_thread_is_interrupted(probe: Probe) -> Outcome {
    interrupted(probe, true)
}

fn interrupted(probe: Probe, blocking: bool) -> Outcome {
    let Some(mut bench) = probe.bench()? else {
        return Ok(());
    };
    // The provider logs when it has created the object, so that the test interrupts it afterwards.
    bench.space = bench.space.env("TF_LOG_PROVIDER", "INFO");
    let (space, slow) = (&bench.space, &bench.for_provider("probe_slow.s"));
    let configure = |wait: bool| {
        bench.configure(&format!(
            "resource \"probe_slow\" \"s\" {{\n  name = \"s\"\n  wait = {wait}\n  blocking = {blocking}\n}}\n"
        ))
    };

    configure(true)?;
    let running = space.spawn(&["apply", "-auto-approve"])?;
    running.wait_for("created, but not ready")?;
    let start = Instant::now();
    running.interrupt()?;
    let output = running.wait()?.expect_failure()?;
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(1), "it took {elapsed:?}:\n{output}");
    assert!(output.contains("Error: Operation Canceled"), "{output}");
    assert!(
        output.contains("The state contains the values that the provider recorded before the interruption."),
        "{output}"
    );

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
