//! Ctrl-C in the midst of a slow creation.

use std::time::{Duration, Instant};

use ferroform_testing::cli::PlannedAction;

use crate::common::{Outcome, Probe, on_both_protocols};

on_both_protocols! {
    a_slow_creation_is_interrupted
    a_creation_that_blocks_its_thread_is_interrupted
}

fn a_slow_creation_is_interrupted(probe: Probe) -> Outcome {
    interrupted(probe, false)
}

fn a_creation_that_blocks_its_thread_is_interrupted(probe: Probe) -> Outcome {
    interrupted(probe, true)
}

fn interrupted(probe: Probe, stubborn: bool) -> Outcome {
    let Some(mut bench) = probe.bench()? else {
        return Ok(());
    };
    // The provider tells when it has made the object, so that the interrupt comes in the right moment.
    bench.space = bench.space.env("TF_LOG_PROVIDER", "INFO");
    let (space, slow) = (&bench.space, &bench.own("probe_slow.s"));
    let configure = |wait: bool| {
        bench.configure(&format!(
            "resource \"probe_slow\" \"s\" {{\n  name = \"s\"\n  wait = {wait}\n  stubborn = {stubborn}\n}}\n"
        ))
    };

    configure(true)?;
    let running = space.spawn(&["apply", "-auto-approve"])?;
    running.wait_for("made, but not ready")?;
    let start = Instant::now();
    running.interrupt()?;
    let output = running.wait()?.expect_failure()?;
    let took = start.elapsed();
    assert!(took < Duration::from_secs(1), "it took {took:?}:\n{output}");
    assert!(output.contains("Error: Operation Canceled"), "{output}");
    assert!(
        output.contains("The state contains the values that the provider recorded before the interruption."),
        "{output}"
    );

    let state = space.state()?;
    let made = state.get(slow)?;
    assert!(made.is_tainted && made.values["id"] == "slow/s", "{made:?}");
    assert!(bench.file("s").exists());

    configure(false)?;
    let plan = space.plan()?;
    let change = plan.change(slow)?;
    assert_eq!((change.action, change.reason.as_str()), (PlannedAction::Replace, "replace_because_tainted"));
    space.apply_plan(&plan)?;
    let state = space.state()?;
    let made = state.get(slow)?;
    assert!(!made.is_tainted && made.values["address"] == "10.0.0.1", "{made:?}");
    assert!(space.plan()?.is_empty());
    Ok(())
}
