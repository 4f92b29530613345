//! The resource `corpus_values`: an attribute of every type.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::{ApplyCx, Dynamic, Model, Planned, ReadCx, Resource, Result};

use super::Corpus;

/// Values of every type.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Values {
    #[attr(requires_replace)]
    name: String,
    flag: Option<bool>,
    integer: Option<i64>,
    number: Option<f64>,
    text: Option<String>,
    numbers: Option<Vec<f64>>,
    flags: Option<BTreeMap<String, bool>>,
    ports: Option<BTreeSet<i64>>,
    matrix: Option<Vec<Vec<String>>>,
    groups: Option<BTreeMap<String, Vec<String>>>,
    #[attr(object)]
    point: Option<Point>,
    #[attr(object)]
    points: Option<Vec<Point>>,
    #[attr(sensitive)]
    secret: Option<String>,
    #[attr(sensitive)]
    secrets: Option<BTreeMap<String, String>>,
    any: Option<Dynamic>,
    /// The dynamic value again, so that its type is unknown before the apply.
    #[attr(computed, follows(any))]
    copy: Option<Dynamic>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Point {
    x: i64,
    y: Option<i64>,
}

impl Values {
    fn from_plan(plan: Planned<Self>, id: String) -> Values {
        let point = |it: Planned<Point>| Point { x: it.x, y: it.y };
        Values {
            name: plan.name,
            flag: plan.flag,
            integer: plan.integer,
            number: plan.number,
            text: plan.text,
            numbers: plan.numbers,
            flags: plan.flags,
            ports: plan.ports.map(|it| it.into_iter().collect()),
            matrix: plan.matrix,
            groups: plan.groups,
            point: plan.point.map(point),
            points: plan.points.map(|it| it.into_iter().map(point).collect()),
            secret: plan.secret,
            secrets: plan.secrets,
            copy: plan.any.clone(),
            any: plan.any,
            id,
        }
    }
}

impl Resource for Values {
    type Provider = Corpus;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ValuesComputed> {
        let id = cx.provider.new_id(&plan.name);
        let object = Values::from_plan(plan, id);
        cx.provider.create(&object.id, &object)?;
        Ok(object.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.read(&state.id)
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<ValuesComputed> {
        let object = Values::from_plan(plan, prior.id);
        cx.provider.update(&object.id, &object)?;
        Ok(object.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.delete(&state.id)
    }
}
