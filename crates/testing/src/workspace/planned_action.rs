//! Planned actions.

use serde_json::json;

use super::{Error, Json, Result};

/// The planned action for an object.
///
/// ```no_run
/// use ferroform_testing::workspace::{Result, Workspace};
///
/// fn nothing_is_replaced(workspace: &Workspace) -> Result<()> {
///     for change in workspace.plan()?.changes() {
///         assert!(!change.action.is_replace(), "{}: {:?}", change.address, change.replace_paths);
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

impl PlannedAction {
    const ALL: [PlannedAction; 8] = [
        PlannedAction::NoOp,
        PlannedAction::Create,
        PlannedAction::Read,
        PlannedAction::Update,
        PlannedAction::Delete,
        PlannedAction::Replace,
        PlannedAction::CreateBeforeDestroy,
        PlannedAction::Forget,
    ];

    /// Parses the `actions` array in the JSON of a plan.
    pub(super) fn from_names(names: &Json) -> Result<PlannedAction> {
        let action = PlannedAction::ALL.into_iter().find(|it| json!(it.names()) == *names);
        action.ok_or_else(|| Error::new(format!("the plan contains unsupported actions: {names}")))
    }

    /// The `actions` array in the JSON of a plan.
    pub(crate) fn names(self) -> &'static [&'static str] {
        match self {
            PlannedAction::NoOp => &["no-op"],
            PlannedAction::Create => &["create"],
            PlannedAction::Read => &["read"],
            PlannedAction::Update => &["update"],
            PlannedAction::Delete => &["delete"],
            PlannedAction::Replace => &["delete", "create"],
            PlannedAction::CreateBeforeDestroy => &["create", "delete"],
            PlannedAction::Forget => &["forget"],
        }
    }

    /// Returns true if the object is destroyed and created again, in either order.
    pub fn is_replace(self) -> bool {
        matches!(self, PlannedAction::Replace | PlannedAction::CreateBeforeDestroy)
    }

    /// Returns true if the object is destroyed, alone or in a replacement.
    pub fn is_destroy(self) -> bool {
        self == PlannedAction::Delete || self.is_replace()
    }
}
