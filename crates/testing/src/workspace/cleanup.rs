//! The cleanup of a dropped workspace: destroys the objects that are left in the state, and prints how to reproduce a failure.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::{Error, Runner, RunnerState, Workspace};
use crate::harness::lock;
use crate::terraform::{Address, Mode, STATE_FILE, State, is_configuration_file};

impl Drop for Workspace {
    fn drop(&mut self) {
        let returns_error = Error::has_undropped() && !lock(&self.steps).is_empty();
        let has_failed = std::thread::panicking() || returns_error;
        if has_failed {
            eprintln!("{}", self.reproduction());
            if let RunnerState::Cli(runner) = &self.runner {
                self.directory.keep();
                eprintln!("The workspace is kept for inspection: {}", self.directory.path().display());
                if self.attached.is_empty() {
                    eprintln!("To continue, run: {}", runner.shell_command("plan"));
                }
            }
        }
        // A second panic would abort the process.
        let _ = catch_unwind(AssertUnwindSafe(|| self.destroy_created_objects(has_failed)));
    }
}

impl Workspace {
    /// Destroys the objects that the workspace has created. Prints their addresses if the test has failed, or if an object
    /// cannot be destroyed.
    fn destroy_created_objects(&self, has_failed: bool) {
        let Ok(mut state) = State::read(&self.path()) else { return };
        let count = state.objects.len();
        let external = lock(&self.external_objects).clone();
        let is_managed = |it: &Address| it.resource.mode == Mode::Managed;
        state.objects.retain(|(it, _), _| !is_managed(it) || !external.contains(&it.to_string()));
        // A deposed object has the address of the current one.
        let created: BTreeSet<&Address> = state.objects.keys().map(|(it, _)| it).collect();
        let created: Vec<String> =
            created.into_iter().filter(|it| is_managed(it)).map(ToString::to_string).collect();
        if created.is_empty() {
            return;
        }
        if has_failed {
            // For the inspection of the state in which the test failed.
            let _ = fs::copy(self.path().join(STATE_FILE), self.directory.path().join(STATE_FILE));
        }
        let is_unchanged = state.objects.len() == count;
        let written = if is_unchanged { Ok(()) } else { state.write(&self.path()) };
        let written = written.map_err(|_| "cannot write the state".to_owned());
        let destroyed = written.and_then(|()| self.destroy().map_err(|it| it.to_string()));
        let addresses = created.join(", ");
        match destroyed {
            Ok(_) if has_failed => {
                eprintln!(
                    "The test failed, so the workspace destroyed the objects that it created: {addresses}"
                );
            }
            Ok(_) => {}
            Err(error) => eprintln!(
                "The workspace could not destroy all of these objects. Check whether they still exist, and delete them manually: \
                 {addresses}\n{}",
                self.monitor.redact(&error)
            ),
        }
    }

    /// The configuration and the steps that reproduce a failure.
    fn reproduction(&self) -> String {
        let runner = match self.runner() {
            Runner::InProcess => "in process".to_owned(),
            cli => format!("with {cli}"),
        };
        let mut text = format!("To reproduce the failure {runner}, use this configuration:\n");
        let mut files = Vec::new();
        collect_files(&self.path(), "", &mut files);
        for (name, content) in files {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n# {name}\n{}\n", content.trim_matches('\n'));
        }
        text.push_str("\nand these steps:\n");
        let temporary = format!("{}{}", self.directory.path().display(), std::path::MAIN_SEPARATOR);
        for step in lock(&self.steps).iter() {
            let _ = write!(text, "\n  {}", step.replace(&temporary, ""));
        }
        text
    }
}

/// Collects the files of the configuration that can be shown as text, by their paths.
fn collect_files(directory: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut paths: Vec<_> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        let is_query_or_variables_file =
            [".hcl", ".tfvars", ".tfvars.json"].iter().any(|it| name.ends_with(it));
        if path.is_dir() {
            collect_files(&path, &format!("{name}/"), files);
        } else if (is_query_or_variables_file || is_configuration_file(&name))
            && let Ok(content) = fs::read_to_string(&path)
        {
            files.push((name, content));
        }
    }
}
