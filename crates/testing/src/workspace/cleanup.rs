//! The end of a workspace: destroys the objects that are left in the state, and prints how to repeat a failed test.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::error::Reproduction;
use super::{Host, Json, Result, Runner, Workspace, json};
use crate::harness::lock;

/// The state file in the directory of the configuration.
const STATE: &str = "terraform.tfstate";

/// Addresses of objects.
#[derive(Debug, Default)]
pub(super) struct Objects(BTreeSet<String>);

impl Objects {
    pub(super) fn insert(&mut self, address: &str) {
        self.0.insert(address.to_owned());
    }

    pub(super) fn extend(&mut self, addresses: impl Iterator<Item = String>) {
        self.0.extend(addresses);
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let has_failed = std::thread::panicking();
        if has_failed {
            // An error that the test has printed contains it.
            if !self.is_reproduction_printed.load(Ordering::Relaxed) {
                eprintln!("{}", self.reproduction());
            }
            if let Runner::Cli(runner) = &self.runner {
                self.directory.keep();
                eprintln!("kept for inspection: {}", self.directory.path().display());
                if self.attached.is_empty() {
                    eprintln!("to continue: {}", runner.shell_command("plan"));
                }
            }
        }
        // A second panic would abort the process.
        let _ = catch_unwind(AssertUnwindSafe(|| self.destroy_created_objects(has_failed)));
    }
}

impl Workspace {
    /// Destroys the objects that the workspace has created, and prints what it did if the test has failed or if it does not
    /// succeed.
    fn destroy_created_objects(&self, has_failed: bool) {
        let path = self.path().join(STATE);
        let Some(mut state) = fs::read(&path).ok().and_then(|it| serde_json::from_slice(&it).ok()) else {
            return;
        };
        let addresses = keep_created(&mut state, &lock(&self.foreign));
        if addresses.is_empty() {
            return;
        }
        if has_failed {
            // For the inspection of the state in which the test failed.
            let _ = fs::copy(&path, self.directory.path().join(STATE));
        }
        let destroyed = fs::write(&path, state.to_string()).map_err(|it| it.to_string());
        let destroyed = destroyed.and_then(|()| self.destroy().map_err(|it| it.to_string()));
        let addresses = addresses.join(", ");
        match destroyed {
            Ok(_) if has_failed => {
                eprintln!(
                    "The test failed, so the workspace destroyed the objects that it created: {addresses}"
                );
            }
            Ok(_) => {}
            Err(problem) => eprintln!(
                "The workspace could not destroy all objects that it created, so delete them yourself: {addresses}\n{}",
                self.monitor.redact(&problem)
            ),
        }
    }

    /// Adds the text that repeats the test to an error.
    pub(super) fn reproducible<T>(&self, step: impl FnOnce() -> Result<T>) -> Result<T> {
        step().map_err(|error| {
            let is_printed = Arc::clone(&self.is_reproduction_printed);
            error.with_reproduction(Reproduction { text: self.reproduction(), is_printed })
        })
    }

    /// The configuration and the steps, with which a failed test can be repeated.
    fn reproduction(&self) -> String {
        let host = match self.host() {
            Host::InProcess => "in process".to_owned(),
            cli => format!("with {cli}"),
        };
        let mut text = format!("To repeat it {host}, use this configuration:\n");
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

/// Removes the objects from a state that the workspace has not created, and returns the addresses of the others.
fn keep_created(state: &mut Json, foreign: &Objects) -> Vec<String> {
    let mut created = Vec::new();
    let Some(resources) = state["resources"].as_array_mut() else { return created };
    for resource in resources.iter_mut().filter(|it| it["mode"] == "managed") {
        let mut name = format!("{}.{}", json::string(&resource["type"]), json::string(&resource["name"]));
        if let Some(module) = resource["module"].as_str() {
            name = format!("{module}.{name}");
        }
        let Some(instances) = resource["instances"].as_array_mut() else { continue };
        instances.retain(|instance| {
            let address = match &instance["index_key"] {
                Json::Null => name.clone(),
                key => format!("{name}[{key}]"),
            };
            let is_created = !foreign.0.contains(&address);
            if is_created {
                created.push(address);
            }
            is_created
        });
    }
    created
}

/// Collects the files of the configuration that can be shown as text, by their paths.
fn collect_files(directory: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut paths: Vec<_> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        let is_configuration = [".tf", ".tf.json", ".hcl", ".tfvars", ".tfvars.json", ".tofu"];
        if path.is_dir() {
            collect_files(&path, &format!("{name}/"), files);
        } else if is_configuration.iter().any(|it| name.ends_with(it))
            && let Ok(content) = fs::read_to_string(&path)
        {
            files.push((name, content));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_created_objects_are_destroyed() {
        let mut state = json!({ "resources": [
            { "mode": "managed", "type": "a", "name": "x", "instances": [{ "index_key": 0 }, { "index_key": "k" }] },
            { "mode": "managed", "type": "a", "name": "y", "module": "module.m", "instances": [{}] },
            { "mode": "data", "type": "a", "name": "z", "instances": [{}] },
        ] });
        let mut foreign = Objects::default();
        foreign.insert("a.x[0]");
        assert_eq!(keep_created(&mut state, &foreign), ["a.x[\"k\"]", "module.m.a.y"]);
        assert_eq!(state["resources"][0]["instances"], json!([{ "index_key": "k" }]));
    }
}
