//! What the CLI is about to do.

use std::path::{Path, PathBuf};

use super::{Failed, Json, Result, json};

/// A plan: what was printed, and its content.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) file: PathBuf,
    pub(super) text: String,
    pub(super) is_empty: bool,
    pub(super) json: Json,
    changes: Vec<Change>,
    drift: Vec<Change>,
}

/// What is about to happen to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    Nothing,
    /// It is made.
    Create,
    /// A data source is read, during apply.
    Read,
    /// It is changed in place.
    Update,
    /// It is deleted.
    Delete,
    /// It is deleted, then made anew.
    Replace,
    /// It is made anew, then the old one is deleted.
    ReplaceAfter,
    /// It leaves the state and goes on to exist.
    Forget,
}

/// The planned change of one object.
#[derive(Clone, Debug)]
pub struct Change {
    /// The object: `local_file.a["key"]`.
    pub address: String,
    /// What happens.
    pub action: Action,
    /// Its attributes now; null where it does not exist.
    pub before: Json,
    /// Its attributes then; null where it will be gone. What is not known yet is absent.
    pub after: Json,
    /// `true` in the place of each attribute that is not known yet.
    pub after_unknown: Json,
    /// `true` in the place of each attribute that is not shown.
    pub after_sensitive: Json,
    /// The attributes that make a new object necessary, as in the configuration: `disks[0].size`.
    pub replace_paths: Vec<String>,
    /// Why, in Terraform's words: `replace_because_tainted`. Empty for what is ordinary.
    pub reason: String,
}

impl Plan {
    pub(super) fn read(file: PathBuf, text: String, is_empty: bool, json: Json) -> Result<Plan> {
        let read = |name: &str| json::list(&json[name]).iter().map(Change::read).collect::<Result<Vec<_>>>();
        let (changes, drift) = (read("resource_changes")?, read("resource_drift")?);
        Ok(Plan { file, text, is_empty, json, changes, drift })
    }

    /// True where the CLI says that nothing is to change.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// What is to happen to each object, also where that is nothing.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What is to happen to the object of that address.
    ///
    /// # Errors
    ///
    /// Where the plan does not mention it.
    pub fn change(&self, address: &str) -> Result<&Change> {
        let found = self.changes.iter().find(|it| it.address == address);
        found.ok_or_else(|| Failed::new(format!("the plan does not mention {address}:\n{}", self.text)))
    }

    /// What was changed outside and noticed.
    pub fn drift(&self) -> &[Change] {
        &self.drift
    }

    /// What the CLI printed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All of it, as `show -json` prints it.
    pub fn json(&self) -> &Json {
        &self.json
    }

    /// The plan's file.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

impl Change {
    fn read(from: &Json) -> Result<Change> {
        let change = &from["change"];
        let actions: Vec<_> = json::list(&change["actions"]).iter().filter_map(Json::as_str).collect();
        let action = match actions.as_slice() {
            ["no-op"] => Action::Nothing,
            ["create"] => Action::Create,
            ["read"] => Action::Read,
            ["update"] => Action::Update,
            ["delete"] => Action::Delete,
            ["delete", "create"] => Action::Replace,
            ["create", "delete"] => Action::ReplaceAfter,
            ["forget"] => Action::Forget,
            _ => {
                return Err(Failed::new(format!(
                    "the plan has an action that is not known here: {actions:?}"
                )));
            }
        };
        Ok(Change {
            address: json::text(&from["address"]),
            action,
            before: change["before"].clone(),
            after: change["after"].clone(),
            after_unknown: change["after_unknown"].clone(),
            after_sensitive: change["after_sensitive"].clone(),
            replace_paths: json::list(&change["replace_paths"]).iter().map(json::path).collect(),
            reason: json::text(&from["action_reason"]),
        })
    }

    /// True where the attribute as a whole will be known during apply only.
    pub fn is_unknown(&self, attribute: &str) -> bool {
        self.after_unknown[attribute] == true
    }
}
