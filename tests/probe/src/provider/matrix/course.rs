//! The resource `probe_course`: what the author's code does in a plan, and what is left of an update that fails.

use ferroform::{
    ApplyCx, Change, Diagnostic, Known, Model, PlanCx, Planned, Proposed, Resource, Result, Timeouts,
    Unknown, path,
};

use super::super::Probe;
use super::methods::only_in_the_state;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Course {
    name: String,
    /// What the code does: `set`, `unknown`, `replace`, `veto`, `around`, `fail` or `fail late`.
    how: Option<String>,
    text: Option<String>,
    /// Of the text, as a plan may say.
    #[attr(computed, use_state_for_unknown)]
    length: u64,
    /// How often it was updated.
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

    async fn plan(cx: &PlanCx<Probe>, change: Change<Self>) -> Result<Proposed<Self>> {
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
                // What the engine keeps where the configuration stays as it was.
                if plan.length != known {
                    plan.revision = Unknown;
                }
                plan.length = known;
            }
            _ => {}
        }
        Ok(plan)
    }

    async fn create(_: &ApplyCx<Probe>, plan: Planned<Self>) -> Result<CourseComputed> {
        let length = plan.length.unwrap_or_else(|| length(plan.text.as_ref()));
        Ok(CourseComputed { length, revision: 0 })
    }

    async fn update(cx: &ApplyCx<Probe>, prior: Self, plan: Planned<Self>) -> Result<CourseComputed> {
        match plan.how.as_deref() {
            Some("fail") => return Err(Diagnostic::error("The course broke off").into()),
            Some("fail late") => {
                cx.checkpoint_at(path!(text), &plan.text);
                return Err(Diagnostic::error("The course broke off late").into());
            }
            _ => {}
        }
        let length = plan.length.unwrap_or_else(|| length(plan.text.as_ref()));
        Ok(CourseComputed { length, revision: prior.revision + 1 })
    }

    only_in_the_state!();
}
