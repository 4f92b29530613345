//! The delays of `time_sleep`.

use std::time::{Duration, Instant};

use ferroform_testing::workspace::PlannedAction;

use crate::{Outcome, workspace};

#[test]
fn create_and_destroy_are_delayed() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let configure =
        |text: &str| workspace.write("main.tf", &format!("resource \"time_sleep\" \"a\" {{\n  {text}\n}}\n"));
    configure("create_duration = \"1.5s\"\n  destroy_duration = \"1h\"")?;
    let started = Instant::now();
    workspace.apply()?;
    assert!(started.elapsed() >= Duration::from_millis(1500));
    assert!(workspace.plan()?.is_empty());

    configure("destroy_duration = \"2s\"")?;
    let plan = workspace.plan()?;
    assert_eq!(plan.change("time_sleep.a")?.action, PlannedAction::Update);
    workspace.apply_plan(&plan)?;
    let started = Instant::now();
    workspace.destroy()?;
    assert!(started.elapsed() >= Duration::from_secs(2));

    workspace.import("time_sleep.a", ",2s")?;
    assert!(workspace.plan()?.is_empty());
    workspace.destroy()?;
    Ok(())
}

/// A sleep does not block a thread of the provider.
#[test]
fn two_hundred_sleeps_take_as_long_as_one() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        "resource \"time_sleep\" \"a\" {\n  count = 200\n  create_duration = \"1s\"\n}\n",
    )?;
    let started = Instant::now();
    workspace.run(&["apply", "-auto-approve", "-parallelism=200"])?.expect_success()?;
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    assert_eq!(workspace.state()?.objects().len(), 200);
    Ok(())
}

#[cfg(unix)]
#[test]
fn interrupted_sleep_ends_immediately() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let interrupt = |arguments: &[&str], action: &str, summary: &str| -> Outcome {
        let running = workspace.spawn(arguments)?;
        // The CLI prints such a line every ten seconds.
        running.wait_for(&format!("{action}... ["))?;
        let started = Instant::now();
        running.interrupt()?;
        let failed = running.wait()?.expect_failure()?;
        assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
        assert!(failed.contains(&format!("Error: {summary}")), "{failed}");
        assert!(failed.contains("Operation Canceled"), "{failed}");
        Ok(())
    };
    workspace.write("main.tf", "resource \"time_sleep\" \"a\" {\n  create_duration = \"1h\"\n}\n")?;
    interrupt(&["apply", "-auto-approve"], "Still creating", "Create time sleep error")?;
    assert!(workspace.state()?.is_empty());

    workspace.write("main.tf", "resource \"time_sleep\" \"a\" {\n  destroy_duration = \"1h\"\n}\n")?;
    workspace.apply()?;
    interrupt(&["destroy", "-auto-approve"], "Still destroying", "Delete time sleep error")?;
    assert_eq!(workspace.state()?.objects().len(), 1);
    // A shorter delay allows the destroy.
    workspace.write("main.tf", "resource \"time_sleep\" \"a\" {\n  destroy_duration = \"1ms\"\n}\n")?;
    workspace.apply()?;
    workspace.destroy()?;
    Ok(())
}
