//! A provider that falls over says where, and goes on.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use ferroform_testing::cli::{Output, Workspace};

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    a_panic_is_an_error_and_the_others_go_on
    one_process_goes_on_after_panics
}

/// The panic is printed with its file and line, as an error of its resource.
fn says_where(output: &Output, what: &str) {
    let words = output.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let file = "tests/probe/src/provider/panic.rs:";
    let line = words.split_once(file).map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).count());
    assert!(line.is_some_and(|digits| digits > 0), "{output}");
    assert!(output.contains("Error: Provider Panicked") && output.contains(what), "{output}");
    // The words of Terraform for a process that is gone.
    assert!(!output.contains("Plugin did not respond") && !output.contains("crashed"), "{output}");
}

fn a_panic_is_an_error_and_the_others_go_on(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let (space, name) = (&bench.space, |it: &str| bench.own(it));
    // The second waits for the first's failure in no way: one process serves both.
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
    says_where(&output, "fell over in create");
    assert!(output.stderr.contains(&name("with probe_panic.falls")), "{output}");
    let state = space.state()?;
    assert!(state.get(&name("probe_thing.stands")).is_ok(), "the other was made: {output}");
    assert!(state.get(&name("probe_panic.falls")).is_err(), "nothing is known of the one that fell");
    Ok(())
}

/// The provider in debug mode: one process for several runs of the CLI.
struct Attached(Child);

impl Attached {
    fn start(bench: &Bench) -> Result<(Attached, String), Box<dyn std::error::Error>> {
        let mut command = Command::new(bench.probe.binary);
        command.arg("--debug").current_dir(bench.space.path()).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let stdout = child.stdout.take().ok_or("no output")?;
        let attached = Attached(child);
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            if let Some((_, value)) = line.split_once("TF_REATTACH_PROVIDERS=") {
                return Ok((attached, value.trim_matches('\'').to_owned()));
            }
        }
        Err("the provider did not say where it is".into())
    }

    fn is_alive(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        // It may have ended by itself, which the test has seen then.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn one_process_goes_on_after_panics(probe: Probe) -> Outcome {
    let Some(mut bench) = probe.bench()? else {
        return Ok(());
    };
    let (mut attached, value) = Attached::start(&bench)?;
    bench.space = bench.space.env("TF_REATTACH_PROVIDERS", value);
    let space: &Workspace = &bench.space;
    let configure = |panics_in: &str| {
        let panics_in = if panics_in.is_empty() { "null".into() } else { format!("{panics_in:?}") };
        bench.configure(&format!(
            "resource \"probe_panic\" \"p\" {{\n  name      = \"p\"\n  panics_in = {panics_in}\n}}\n"
        ))
    };

    configure("create")?;
    says_where(&space.run(&["apply", "-auto-approve"])?.expect_failure()?, "fell over in create");
    configure("")?;
    space.apply()?;
    configure("update")?;
    says_where(&space.run(&["apply", "-auto-approve"])?.expect_failure()?, "fell over in update");
    configure("read")?;
    space.apply()?;
    says_where(&space.run(&["plan"])?.expect_failure()?, "fell over in read");
    configure("delete")?;
    space.run(&["apply", "-auto-approve", "-refresh=false"])?.expect_success()?;
    says_where(&space.run(&["destroy", "-auto-approve"])?.expect_failure()?, "fell over in delete");
    assert!(bench.file("p").exists() && !space.state()?.is_empty(), "what was not deleted is not forgotten");
    configure("")?;
    space.apply()?;
    space.destroy()?;
    assert!(attached.is_alive() && space.state()?.is_empty());
    Ok(())
}
