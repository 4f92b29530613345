//! A panic is reported with its location, and the provider process continues.

use ferroform_testing::workspace::Output;

use crate::common::{Outcome, Probe, on_both_protocols};
use crate::debug_mode::DebugProvider;

on_both_protocols! {
    panic_is_an_error_and_other_resources_continue
    provider_process_continues_after_panics
}

/// Asserts that the panic is reported as an error with its file and line.
fn expect_panic_with_location(output: &Output, message: &str) {
    let stderr = output.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let file = "probe/src/provider/panic.rs:";
    let line = stderr.split_once(file).map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).count());
    assert!(line.is_some_and(|digits| digits > 0), "{output}");
    assert!(output.contains("Error: Provider Panicked") && output.contains(message), "{output}");
    // Terraform's messages for a crashed provider process.
    assert!(!output.contains("Plugin did not respond") && !output.contains("crashed"), "{output}");
}

fn panic_is_an_error_and_other_resources_continue(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let (space, name) = (&bench.space, |it: &str| bench.for_provider(it));
    // Both resources are independent, and the same process serves them.
    bench.configure(
        r#"
        resource "probe_panic" "falls" {
          name      = "falls"
          panics_in = "create"
        }
        resource "probe_thing" "stands" { name = "stands" }
        "#,
    )?;
    let output = space.run(&["apply", "-auto-approve", "-parallelism=1"])?.expect_failure()?;
    expect_panic_with_location(&output, "the method create panics");
    assert!(output.stderr.contains(&name("with probe_panic.falls")), "{output}");
    let state = space.state()?;
    assert!(state.get(&name("probe_thing.stands")).is_ok(), "the other object was created: {output}");
    assert!(state.get(&name("probe_panic.falls")).is_err(), "nothing is known of the one that fell");
    Ok(())
}

fn provider_process_continues_after_panics(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let (mut provider, bench) = DebugProvider::start(bench)?;
    let space = &bench.space;
    let configure = |panics_in: &str| {
        let panics_in = if panics_in.is_empty() { "null".into() } else { format!("{panics_in:?}") };
        bench.configure(&format!(
            "resource \"probe_panic\" \"p\" {{\n  name      = \"p\"\n  panics_in = {panics_in}\n}}\n"
        ))
    };

    configure("create")?;
    expect_panic_with_location(
        &space.run(&["apply", "-auto-approve"])?.expect_failure()?,
        "the method create panics",
    );
    configure("")?;
    space.apply()?;
    configure("update")?;
    expect_panic_with_location(
        &space.run(&["apply", "-auto-approve"])?.expect_failure()?,
        "the method update panics",
    );
    configure("read")?;
    space.apply()?;
    expect_panic_with_location(&space.run(&["plan"])?.expect_failure()?, "the method read panics");
    configure("delete")?;
    space.run(&["apply", "-auto-approve", "-refresh=false"])?.expect_success()?;
    expect_panic_with_location(
        &space.run(&["destroy", "-auto-approve"])?.expect_failure()?,
        "the method delete panics",
    );
    assert!(
        bench.file("p").exists() && !space.state()?.is_empty(),
        "the object that was not deleted is in the state"
    );
    configure("")?;
    space.apply()?;
    space.destroy()?;
    assert!(provider.is_running() && space.state()?.is_empty());
    Ok(())
}
