//! Plans.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::schemas::Schemas;
use super::{Diagnostic, Error, Json, PlannedAction, Result, json};
use crate::render;
use crate::terraform::SimulatedPlan;

/// A plan, with its text and JSON output.
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
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
    pub(super) source: PlanSource,
    text: String,
    is_empty: bool,
    json: Json,
    changes: Vec<ResourceChange>,
    drift: Vec<ResourceChange>,
    deferred: Vec<DeferredChange>,
    warnings: Vec<Diagnostic>,
    schemas: Arc<Schemas>,
}

/// The source of a plan for `apply_plan`: a plan file of a CLI, or a plan of the simulation.
#[derive(Clone, Debug)]
pub(super) enum PlanSource {
    File(PathBuf),
    Simulated(Arc<SimulatedPlan>),
}

/// The planned change of one object.
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
/// use ferroform_testing::workspace::PlannedAction;
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
    /// The address before the plan; empty if the object is not moved.
    pub previous_address: String,
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
    /// The `id` or `identity` of an object that is imported; null for other objects.
    pub importing: Json,
    /// The attribute paths that require replacement, as HCL: `disks[0].size`.
    pub replace_paths: Vec<String>,
    /// Terraform's reason for the action, such as `replace_because_tainted`; empty if Terraform reports none.
    pub reason: String,
}

impl Plan {
    /// Reads the JSON of a plan. Without `text`, the text is that of `Display`.
    pub(super) fn from_json(
        source: PlanSource,
        text: Option<String>,
        is_empty: bool,
        json: Json,
        warnings: Vec<Diagnostic>,
        schemas: Arc<Schemas>,
    ) -> Result<Plan> {
        let read = |name: &str| {
            json::list(&json[name]).iter().map(ResourceChange::from_json).collect::<Result<Vec<_>>>()
        };
        let (changes, drift) = (read("resource_changes")?, read("resource_drift")?);
        let deferred = json::list(&json["deferred_changes"]).iter().map(|it| {
            let change = ResourceChange::from_json(&it["resource_change"])?;
            Ok(DeferredChange { reason: json::string(&it["reason"]), change })
        });
        let deferred = deferred.collect::<Result<Vec<_>>>()?;
        let empty = String::new();
        let mut plan =
            Plan { source, text: empty, is_empty, json, changes, drift, deferred, warnings, schemas };
        plan.text = text.unwrap_or_else(|| plan.to_string());
        Ok(plan)
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
        found.ok_or_else(|| Error::new(format!("the plan does not contain {address}:\n{self}")))
    }

    /// Returns the drift that the refresh found.
    pub fn drift(&self) -> &[ResourceChange] {
        &self.drift
    }

    /// Returns the changes that Terraform defers to a later plan.
    pub fn deferred(&self) -> &[DeferredChange] {
        &self.deferred
    }

    /// Returns the planned change of an output.
    ///
    /// # Errors
    ///
    /// Returns an error if the plan does not contain the output.
    pub fn output(&self, name: &str) -> Result<OutputChange> {
        let change = self.json["output_changes"].get(name);
        let change = change
            .ok_or_else(|| Error::new(format!("the plan does not contain the output {name}:\n{self}")))?;
        Ok(OutputChange {
            action: PlannedAction::from_names(&change["actions"])?,
            before: change["before"].clone(),
            after: change["after"].clone(),
            after_unknown: change["after_unknown"].clone(),
            is_sensitive: change["after_sensitive"] == true,
        })
    }

    /// Returns the warnings.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Returns the plan if it contains no changes, as after an apply of the same configuration.
    ///
    /// # Errors
    ///
    /// Returns an error that contains the changes.
    pub fn expect_empty(self) -> Result<Plan> {
        if self.is_empty {
            return Ok(self);
        }
        Err(Error::new(format!("the plan contains changes, but none were expected:\n{self}")))
    }

    /// Returns the text output of the CLI. In process, it is the plan as `Display` prints it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the plan as `terraform show -json` prints it.
    pub fn json(&self) -> &Json {
        &self.json
    }

    /// Returns the path of the plan file.
    ///
    /// # Panics
    ///
    /// Panics in process, where plans have no file.
    #[track_caller]
    pub fn file(&self) -> &Path {
        match &self.source {
            PlanSource::File(file) => file,
            PlanSource::Simulated(_) => panic!("a plan in process has no file: use the workspace of a CLI"),
        }
    }
}

/// Writes the changes as Terraform prints them, for snapshot tests: without the legend, so that the text of a plan without
/// changes is `No changes. Your infrastructure matches the configuration.`
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
/// // With the crate `expect-test`: expect![[r#"…"#]].assert_eq(&plan.to_string());
/// let plan = workspace.plan()?;
/// assert!(plan.to_string().contains("# notes_note.a will be created"));
/// # Ok(())
/// # }
/// ```
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render::plan(self, &self.schemas))
    }
}

/// The planned change of an output; see [`Plan::output`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OutputChange {
    /// The action.
    pub action: PlannedAction,
    /// The prior value; null if there is none.
    pub before: Json,
    /// The planned value. Unknown values are absent, and a wholly unknown value is null.
    pub after: Json,
    /// The structure of the planned value with `true` for each unknown value.
    pub after_unknown: Json,
    /// True if the output is sensitive.
    pub is_sensitive: bool,
}

/// A change that Terraform defers to a later plan; see [`Plan::deferred`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeferredChange {
    /// The reason, such as `resource_config_unknown`.
    pub reason: String,
    /// The incomplete change.
    pub change: ResourceChange,
}

impl ResourceChange {
    fn from_json(from: &Json) -> Result<ResourceChange> {
        let change = &from["change"];
        Ok(ResourceChange {
            address: json::string(&from["address"]),
            previous_address: json::string(&from["previous_address"]),
            action: PlannedAction::from_names(&change["actions"])?,
            before: change["before"].clone(),
            after: change["after"].clone(),
            after_unknown: change["after_unknown"].clone(),
            after_sensitive: change["after_sensitive"].clone(),
            importing: change["importing"].clone(),
            replace_paths: json::list(&change["replace_paths"]).iter().map(json::path).collect(),
            reason: json::string(&from["action_reason"]),
        })
    }

    /// Returns true if the plan imports the object.
    pub fn is_imported(&self) -> bool {
        !self.importing.is_null()
    }

    /// Returns true if the plan moves the object to another address, because of a `moved` block or because `count` was added or removed.
    pub fn is_moved(&self) -> bool {
        !self.previous_address.is_empty()
    }

    /// Returns true if the planned value at an attribute path, such as `disks[0].size`, is unknown.
    ///
    /// # Panics
    ///
    /// Panics if it is not an attribute path.
    #[track_caller]
    pub fn is_unknown(&self, path: &str) -> bool {
        marked(&self.after_unknown, path)
    }

    /// Returns true if the planned value at an attribute path, such as `disks[0].password`, is sensitive.
    ///
    /// # Panics
    ///
    /// Panics if it is not an attribute path.
    #[track_caller]
    pub fn is_sensitive(&self, path: &str) -> bool {
        marked(&self.after_sensitive, path)
    }
}

/// The numbers of planned changes.
pub(crate) struct Counts {
    pub(crate) imported: usize,
    pub(crate) added: usize,
    pub(crate) changed: usize,
    pub(crate) destroyed: usize,
}

impl Counts {
    pub(crate) fn of(changes: &[ResourceChange]) -> Counts {
        let count = |matches: fn(&ResourceChange) -> bool| changes.iter().filter(|it| matches(it)).count();
        Counts {
            imported: count(ResourceChange::is_imported),
            added: count(|it| it.action == PlannedAction::Create || it.action.is_replace()),
            changed: count(|it| it.action == PlannedAction::Update),
            destroyed: count(|it| it.action.is_destroy()),
        }
    }
}

#[track_caller]
fn marked(tree: &Json, path: &str) -> bool {
    json::is_marked(tree, path).unwrap_or_else(|error| panic!("{error}"))
}
