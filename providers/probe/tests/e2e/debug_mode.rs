//! Debug mode: a provider that Terraform does not start, and that serves several runs.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    provider_serves_several_runs_until_it_is_interrupted
}

/// The file with the environment variable, in the directory of the configuration.
const FILE: &str = "reattach.env";

/// A provider in debug mode.
pub(crate) struct DebugProvider(Child);

impl DebugProvider {
    /// Starts the provider, and returns it with the bench whose CLI reattaches to it.
    pub(crate) fn start(bench: Bench) -> Result<(DebugProvider, Bench), Box<dyn std::error::Error>> {
        let mut command = Command::new(bench.probe.binary());
        command.args(["--debug", "--debug-env-file", FILE]).current_dir(bench.space.path());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().ok_or("no output")?;
        let provider = DebugProvider(child);
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            if let Some((_, value)) = line.split_once("TF_REATTACH_PROVIDERS=") {
                let value = value.trim_end().trim_matches('\'');
                return Ok((provider, bench.with_env("TF_REATTACH_PROVIDERS", value)));
            }
        }
        Err("the provider did not print its reattach configuration".into())
    }

    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }

    /// Interrupts the provider, as Ctrl-C does, and waits for its end.
    fn interrupt(&mut self) -> Result<ExitStatus, Box<dyn std::error::Error>> {
        let kill = format!("kill -s INT {}", self.0.id());
        assert!(Command::new("sh").args(["-c", &kill]).status()?.success());
        Ok(self.0.wait()?)
    }
}

impl Drop for DebugProvider {
    fn drop(&mut self) {
        // The process may have ended already, which the test detects elsewhere.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn provider_serves_several_runs_until_it_is_interrupted(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    bench.configure("resource \"probe_thing\" \"a\" {\n  name = \"one\"\n}\n")?;
    let (mut provider, bench) = DebugProvider::start(bench)?;
    let variable = fs::read_to_string(bench.space.path().join(FILE))?;
    let value = variable.strip_prefix("TF_REATTACH_PROVIDERS='").and_then(|it| it.strip_suffix("'\n"));
    assert!(value.is_some_and(|it| it.contains(&probe.address())), "{variable}");
    let plan = bench.space.plan()?;
    bench.space.apply_plan(&plan)?;
    assert!(bench.space.plan()?.is_empty());
    bench.space.destroy()?;
    assert!(provider.is_running());
    assert!(provider.interrupt()?.success());
    // Terraform does not start another process.
    assert!(bench.space.run(&["plan"])?.expect_failure()?.contains("Error:"));
    Ok(())
}
