//! The resource `corpus_thing`: plain attributes, requested failures, and an identity.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::{
    ApplyCx, Change, Diagnostic, Maybe, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, path,
};

use super::Corpus;
use super::service::check;

/// A thing.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{id}")]
pub(super) struct Thing {
    pub(super) name: String,
    /// The zone. Changing it replaces the thing.
    #[attr(requires_replace)]
    pub(super) zone: Option<String>,
    pub(super) text: Option<String>,
    /// The size. The service chooses one by default.
    #[attr(optional, computed)]
    size: i64,
    #[attr(default = "blue")]
    color: String,
    tags: Option<BTreeMap<String, String>>,
    items: Option<Vec<String>>,
    labels: Option<BTreeSet<String>>,
    /// The operation that fails: `plan`, `create`, `partial` (after the thing exists), `read`, `update`, `delete`; `warn`
    /// is a warning of `create` and `update`.
    fail: Option<String>,
    #[attr(computed, use_state_for_unknown, identity, required_for_import)]
    pub(super) id: String,
    /// The length of the text.
    #[attr(computed, follows(text))]
    length: i64,
    /// The number of changes.
    #[attr(computed)]
    revision: i64,
    /// The service of the provider that created the thing.
    #[attr(computed, use_state_for_unknown)]
    service: String,
}

impl Thing {
    pub(super) fn text(&self) -> Option<String> {
        self.text.clone()
    }

    fn from_plan(plan: Planned<Self>, id: String, revision: i64, service: &str) -> Thing {
        let length = plan.text.as_ref().map_or(0, String::len);
        Thing {
            name: plan.name,
            zone: plan.zone,
            size: plan.size.unwrap_or(10),
            color: plan.color,
            tags: plan.tags,
            items: plan.items,
            labels: plan.labels.map(|it| it.into_iter().collect()),
            fail: plan.fail,
            id,
            length: i64::try_from(length).unwrap_or(i64::MAX),
            text: plan.text,
            revision,
            service: service.to_owned(),
        }
    }
}

impl Resource for Thing {
    type Provider = Corpus;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        if let Maybe::Known(fail) = &change.plan.fail {
            check(fail.as_ref(), "plan")?;
        }
        Ok(change.plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ThingComputed> {
        check(plan.fail.as_ref(), "create")?;
        if plan.fail.as_deref() == Some("warn") {
            cx.report(Diagnostic::warning("Unusual Thing").at(path!(name)));
        }
        let id = cx.provider.new_id(&plan.name);
        let thing = Thing::from_plan(plan, id, 1, cx.provider.service());
        cx.provider.create(&thing.id, &thing)?;
        let partial = check(thing.fail.as_ref(), "partial");
        let computed = ThingComputed::from(thing);
        if partial.is_err() {
            cx.checkpoint(computed.clone());
        }
        partial.map(|()| computed)
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        check(state.fail.as_ref(), "read")?;
        cx.provider.read(&state.id)
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<ThingComputed> {
        check(plan.fail.as_ref(), "update")?;
        if plan.fail.as_deref() == Some("warn") {
            cx.warn("Unusual Thing");
        }
        let thing = Thing::from_plan(plan, prior.id, prior.revision + 1, &prior.service);
        cx.provider.update(&thing.id, &thing)?;
        Ok(thing.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        check(state.fail.as_ref(), "delete")?;
        cx.provider.delete(&state.id)
    }
}
