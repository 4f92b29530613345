//! Plans of the CLI.

use std::path::{Path, PathBuf};

use super::{Error, Json, Result, json};

/// A plan, with its text and JSON output.
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::cli::Workspace) -> ferroform_testing::cli::Result<()> {
/// let plan = workspace.plan()?;
/// assert!(!plan.is_empty());
/// for change in plan.changes() {
///     println!("{}: {:?}", change.address, change.action);
/// }
/// workspace.apply_plan(&plan)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) file: PathBuf,
    pub(super) text: String,
    pub(super) is_empty: bool,
    pub(super) json: Json,
    changes: Vec<ResourceChange>,
    drift: Vec<ResourceChange>,
}

/// The planned action for an object.
///
/// ```no_run
/// use ferroform_testing::cli::{PlannedAction, Result, Workspace};
///
/// fn nothing_is_replaced(workspace: &Workspace) -> Result<()> {
///     for change in workspace.plan()?.changes() {
///         let is_replaced =
///             matches!(change.action, PlannedAction::Replace | PlannedAction::CreateBeforeDestroy);
///         assert!(!is_replaced, "{} is replaced because of {:?}", change.address, change.replace_paths);
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlannedAction {
    /// The object does not change.
    NoOp,
    /// The object is created.
    Create,
    /// A data source is read during apply.
    Read,
    /// The object is changed in place.
    Update,
    /// The object is deleted.
    Delete,
    /// The object is deleted and created again.
    Replace,
    /// A new object is created, then the old one is deleted (`create_before_destroy`).
    CreateBeforeDestroy,
    /// The object is removed from the state but continues to exist.
    Forget,
}

/// The planned change of one object.
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::cli::Workspace) -> ferroform_testing::cli::Result<()> {
/// use ferroform_testing::cli::PlannedAction;
///
/// let plan = workspace.plan()?;
/// let change = plan.change("local_file.a")?;
/// assert_eq!(change.action, PlannedAction::Replace);
/// assert_eq!(change.replace_paths, ["content"]);
/// assert!(change.is_unknown("id"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResourceChange {
    /// The address of the object: `local_file.a["key"]`.
    pub address: String,
    /// The action.
    pub action: PlannedAction,
    /// The prior state; null if the object does not exist.
    pub before: Json,
    /// The planned state; null if the object is deleted. Unknown values are absent.
    pub after: Json,
    /// The structure of the planned state with `true` for each unknown value.
    pub after_unknown: Json,
    /// The structure of the planned state with `true` for each sensitive value.
    pub after_sensitive: Json,
    /// The attribute paths that require replacement, as HCL: `disks[0].size`.
    pub replace_paths: Vec<String>,
    /// Terraform's reason for the action, such as `replace_because_tainted`; empty if Terraform reports none.
    pub reason: String,
}

impl Plan {
    pub(super) fn read(file: PathBuf, text: String, is_empty: bool, json: Json) -> Result<Plan> {
        let read =
            |name: &str| json::list(&json[name]).iter().map(ResourceChange::read).collect::<Result<Vec<_>>>();
        let (changes, drift) = (read("resource_changes")?, read("resource_drift")?);
        Ok(Plan { file, text, is_empty, json, changes, drift })
    }

    /// Returns true if the plan contains no changes.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Returns the planned change of each object, including those that do not change.
    pub fn changes(&self) -> &[ResourceChange] {
        &self.changes
    }

    /// Returns the planned change of an object by its address.
    ///
    /// # Errors
    ///
    /// Returns an error if the plan does not contain the object.
    pub fn change(&self, address: &str) -> Result<&ResourceChange> {
        let found = self.changes.iter().find(|it| it.address == address);
        found.ok_or_else(|| Error::new(format!("the plan does not contain {address}:\n{}", self.text)))
    }

    /// Returns the drift that the refresh found.
    pub fn drift(&self) -> &[ResourceChange] {
        &self.drift
    }

    /// Returns the text output of the CLI.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the plan as `terraform show -json` prints it.
    pub fn json(&self) -> &Json {
        &self.json
    }

    /// Returns the path of the plan file.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

impl ResourceChange {
    fn read(from: &Json) -> Result<ResourceChange> {
        let change = &from["change"];
        let actions: Vec<_> = json::list(&change["actions"]).iter().filter_map(Json::as_str).collect();
        let action = match actions.as_slice() {
            ["no-op"] => PlannedAction::NoOp,
            ["create"] => PlannedAction::Create,
            ["read"] => PlannedAction::Read,
            ["update"] => PlannedAction::Update,
            ["delete"] => PlannedAction::Delete,
            ["delete", "create"] => PlannedAction::Replace,
            ["create", "delete"] => PlannedAction::CreateBeforeDestroy,
            ["forget"] => PlannedAction::Forget,
            _ => {
                return Err(Error::new(format!("the plan contains unsupported actions: {actions:?}")));
            }
        };
        Ok(ResourceChange {
            address: json::string(&from["address"]),
            action,
            before: change["before"].clone(),
            after: change["after"].clone(),
            after_unknown: change["after_unknown"].clone(),
            after_sensitive: change["after_sensitive"].clone(),
            replace_paths: json::list(&change["replace_paths"]).iter().map(json::path).collect(),
            reason: json::string(&from["action_reason"]),
        })
    }

    /// Returns true if the whole attribute is unknown.
    pub fn is_unknown(&self, attribute: &str) -> bool {
        self.after_unknown[attribute] == true
    }
}
