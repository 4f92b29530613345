//! Imports that must return the object in the state.

use std::collections::BTreeSet;

use super::attached::Attached;
use super::{Error, Json, Result, RunnerState, Workspace, copy_files, json};
use crate::harness::lock;

impl Workspace {
    /// Returns a workspace with a copy of the configuration, the same providers and variables, and no state: for an import of
    /// an object that this workspace has created.
    ///
    /// ```no_run
    /// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
    /// use ferroform_testing::workspace::PlannedAction;
    ///
    /// let other = workspace.without_state()?;
    /// other.write("import.tf", r#"
    ///     import {
    ///       to       = notes_note.a
    ///       identity = { title = "a" }
    ///     }
    /// "#)?;
    /// assert_eq!(other.plan()?.change("notes_note.a")?.action, PlannedAction::NoOp);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the temporary directory cannot be created.
    pub fn without_state(&self) -> Result<Workspace> {
        let mut other = Workspace::on(&self.runner())?;
        let directory = other.directory.path().to_owned();
        match (&mut other.runner, &self.runner) {
            (RunnerState::Cli(runner), RunnerState::Cli(this)) => *runner = this.in_directory(&directory),
            (RunnerState::InProcess(simulation), _) => {
                for it in &self.attached {
                    lock(simulation).attach(&it.address, it.create.clone());
                }
            }
            (RunnerState::Cli(_), RunnerState::InProcess(_)) => {}
        }
        other.binaries = self.binaries.clone();
        let attached = self.attached.iter();
        other.attached = attached
            .map(|it| Attached { address: it.address.clone(), create: it.create.clone(), server: None })
            .collect();
        other.monitor = self.monitor.clone();
        *lock(&other.variables) = lock(&self.variables).clone();
        copy_files(&self.path(), &other.path()).map_err(Error::context("cannot copy the configuration"))?;
        other.configure_cli()?;
        Ok(other)
    }

    /// Imports an object of the state by its import ID into a workspace without a state, and compares all attributes and the
    /// identity with those in the state. `ignoring` contains the paths of attributes that an import cannot know, such as
    /// `timeouts` or `disks[0].password`.
    ///
    /// ```no_run
    /// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
    /// workspace.apply()?;
    /// workspace.import_and_verify("notes_note.a", "a", &["force_destroy"])?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error that contains each difference, or that of the import.
    pub fn import_and_verify(&self, address: &str, id: &str, ignoring: &[&str]) -> Result<()> {
        let other = self.without_state()?;
        other.import(address, id)?;
        let (existing, imported) = (self.state()?, other.state()?);
        let (existing, imported) = (existing.get(address)?, imported.get(address)?);
        let ignored =
            ignoring.iter().map(|it| json::steps(it)).collect::<Result<Vec<_>, _>>().map_err(Error::new)?;
        let mut differences = Vec::new();
        collect_differences(&mut Vec::new(), &existing.values, &imported.values, &ignored, &mut differences);
        collect_differences(
            &mut vec!["identity".into()],
            &existing.identity,
            &imported.identity,
            &[],
            &mut differences,
        );
        if differences.is_empty() {
            return Ok(());
        }
        let differences = differences.join("\n- ");
        Err(Error::new(format!(
            "the import of {address} with the ID {id:?} differs from the state:\n- {differences}"
        )))
    }
}

/// Adds a line for each value in which the objects differ.
fn collect_differences(
    path: &mut Vec<Json>,
    existing: &Json,
    imported: &Json,
    ignored: &[Vec<Json>],
    differences: &mut Vec<String>,
) {
    if existing == imported || ignored.contains(path) {
        return;
    }
    let mut inner = |step: Json, existing: &Json, imported: &Json| {
        path.push(step);
        collect_differences(path, existing, imported, ignored, differences);
        path.pop();
    };
    match (existing, imported) {
        (Json::Object(old), Json::Object(new)) => {
            for name in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
                inner(name.as_str().into(), &existing[name], &imported[name]);
            }
        }
        (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
            for (i, (old, new)) in old.iter().zip(new).enumerate() {
                inner(i.into(), old, new);
            }
        }
        _ => {
            let path = json::path(&path.clone().into());
            differences.push(format!("{path}: {existing} in the state, but {imported} after the import"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_reported_unless_it_is_ignored() {
        let json = |text: &str| -> Json { serde_json::from_str(text).unwrap() };
        let existing =
            json(r#"{"id": "1", "disks": [{"size": 1, "key": "a"}], "tags": {"a": "x"}, "old": 1}"#);
        let imported = json(r#"{"id": "1", "disks": [{"size": 2, "key": null}], "tags": null}"#);
        let mut found = Vec::new();
        let ignored = [json::steps("disks[0].key").unwrap()];
        collect_differences(&mut Vec::new(), &existing, &imported, &ignored, &mut found);
        let expected = [
            "disks[0].size: 1 in the state, but 2 after the import",
            "old: 1 in the state, but null after the import",
            r#"tags: {"a":"x"} in the state, but null after the import"#,
        ];
        assert_eq!(found, expected);
    }
}
