//! The resource `probe_course`: the method `plan`, and the state after a failed update.

use ferroform::{
    ApplyCx, Change, Diagnostic, Known, Model, PlanCx, Planned, Proposed, Resource, Result, Timeouts,
    Unknown, path,
};

use super::super::Probe;
use super::methods::state_only_methods;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Course {
    name: String,
    /// The behavior of the methods: `set`, `unknown`, `replace`, `veto`, `around`, `fail` or `fail late`.
    how: Option<String>,
    text: Option<String>,
    /// The length of the text. The method `plan` may set it.
    #[attr(computed, use_state_for_unknown)]
    length: u64,
    /// The number of updates.
    #[attr(computed)]
    revision: u64,
    #[attr(block, timeouts(create = "30m", update))]
    timeouts: Option<Timeouts>,
}

fn length(text: Option<&String>) -> u64 {
    text.map_or(0, |it| it.len() as u64)
}

impl Resource for Course {
    type Provider = Probe;

    async fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let Change { prior, mut plan, .. } = change;
        let how = plan.how.as_known().cloned().flatten().unwrap_or_default();
        let changes = prior.as_ref().is_some_and(|it| plan.text.as_known() != Some(&it.text));
        match how.as_str() {
            "set" => plan.length = plan.text.as_ref().map(|it| length(it.as_ref())),
            "unknown" if changes => plan.length = Unknown,
            "replace" if changes => cx.requires_replace(path!(text)),
            "veto" => return Err(Diagnostic::error("No such course").at(path!(how)).into()),
            "around" => {
                let around = std::env::var("FERROFORM_MATRIX").unwrap_or_default();
                let known = Known(length(Some(&around)));
                // The engine keeps this value if the configuration does not change.
                if plan.length != known {
                    plan.revision = Unknown;
                }
                plan.length = known;
            }
            _ => {}
        }
        Ok(plan)
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<CourseComputed> {
        let length = plan.length.unwrap_or_else(|| length(plan.text.as_ref()));
        Ok(CourseComputed { length, revision: 0 })
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<CourseComputed> {
        match plan.how.as_deref() {
            Some("fail") => return Err(Diagnostic::error("The update failed").into()),
            Some("fail late") => {
                cx.checkpoint_at(path!(text), &plan.text);
                return Err(Diagnostic::error("The update failed after a checkpoint").into());
            }
            _ => {}
        }
        let length = plan.length.unwrap_or_else(|| length(plan.text.as_ref()));
        Ok(CourseComputed { length, revision: prior.revision + 1 })
    }

    state_only_methods!();
}
