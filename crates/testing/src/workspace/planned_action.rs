//! Planned actions.

/// The planned action for an object.
///
/// ```no_run
/// use ferroform_testing::workspace::{PlannedAction, Result, Workspace};
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

impl PlannedAction {
    /// The form in the JSON of a plan.
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

    /// True if the object is destroyed and created again.
    pub(crate) fn is_replace(self) -> bool {
        matches!(self, PlannedAction::Replace | PlannedAction::CreateBeforeDestroy)
    }
}
