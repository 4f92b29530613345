//! The resource `corpus_quota`: plan customization.

use ferroform::{
    ApplyCx, Change, Diagnostic, Known, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, path,
};

use super::Corpus;

/// A quota. A lower limit replaces it.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Quota {
    #[attr(requires_replace)]
    name: String,
    limit: i64,
    /// The name and the limit, known as soon as they are.
    #[attr(computed)]
    summary: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

fn summary(name: &str, limit: i64) -> String {
    format!("{name}: {limit}")
}

impl Resource for Quota {
    type Provider = Corpus;

    async fn plan(cx: &PlanCx<Self>, mut change: Change<Self>) -> Result<Proposed<Self>> {
        let (Known(name), Known(limit)) = (&change.plan.name, &change.plan.limit) else {
            return Ok(change.plan);
        };
        if *limit < 0 {
            return Err(Diagnostic::error("Negative Limit").at(path!(limit)).into());
        }
        if *limit > 100 {
            cx.report(Diagnostic::warning("High Limit").at(path!(limit)));
        }
        if change.prior.as_ref().is_some_and(|it| it.limit > *limit) {
            cx.requires_replace(path!(limit));
        }
        change.plan.summary = Known(summary(name, *limit));
        Ok(change.plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<QuotaComputed> {
        let id = cx.provider.new_id(&plan.name);
        let object =
            Quota { summary: summary(&plan.name, plan.limit), name: plan.name, limit: plan.limit, id };
        cx.provider.create(&object.id, &object)?;
        Ok(object.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.read(&state.id)
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<QuotaComputed> {
        let summary = summary(&plan.name, plan.limit);
        let object = Quota { summary, name: plan.name, limit: plan.limit, id: prior.id };
        cx.provider.update(&object.id, &object)?;
        Ok(object.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.delete(&state.id)
    }
}
