//! The resource `probe_planned`: attributes with `plan_with`. It uses blocks, which both protocols support.

use std::collections::BTreeSet;

use ferroform::schema::ValueChange;
use ferroform::{
    ApplyCx, AttrValue, Diagnostic, Known, Maybe, Model, Planned as Plan, ReadCx, Resource, Result, Unknown,
};
use serde::{Deserialize, Serialize};

use super::Probe;

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Planned {
    #[attr(requires_replace)]
    name: String,
    note: Option<String>,
    /// The number of changes.
    #[attr(computed, plan_with = next)]
    revision: u64,
    /// An outdated image is replaced, unless it is configured.
    #[attr(optional, computed, plan_with = supported)]
    image: String,
    /// Built from the image.
    #[attr(computed, follows(image))]
    built: String,
    /// An open zone.
    #[attr(optional, computed, requires_replace, plan_with = open_zone)]
    zone: String,
    #[attr(block, mixed)]
    disk: Vec<Disk>,
    #[attr(block, mixed)]
    rule: BTreeSet<Rule>,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Disk {
    #[attr(key)]
    label: String,
    size: Option<i64>,
    #[attr(computed, plan_with = keep_prior)]
    serial: String,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Rule {
    #[attr(key)]
    port: u16,
    note: Option<String>,
    #[attr(computed, plan_with = keep_prior)]
    id: String,
}

fn next(it: &ValueChange<u64>) -> Maybe<u64> {
    let prior = it.prior.unwrap_or(0);
    Known(if it.plan.is_unknown() { prior + 1 } else { prior })
}

fn supported(it: &ValueChange<String>) -> Result<Maybe<String>> {
    match it.prior.as_deref() {
        Some("broken") => {
            Err(Diagnostic::error("Broken image").detail("No volume can be created from it.").into())
        }
        Some("v1") | None => Ok(Known("v2".to_owned())),
        Some(image) => Ok(Known(image.to_owned())),
    }
}

fn open_zone(it: &ValueChange<String>) -> Maybe<String> {
    Known(it.prior.clone().filter(|it| it != "closed").unwrap_or_else(|| "open".to_owned()))
}

/// Keeps the prior value of any attribute.
fn keep_prior<T: AttrValue>(it: &ValueChange<T>) -> Maybe<T> {
    it.prior.clone().map_or(Unknown, Known)
}

impl Planned {
    fn from_plan(plan: Plan<Self>) -> Result<Planned> {
        let missing = || Diagnostic::error("This was planned");
        let image = plan.image.known().ok_or_else(missing)?;
        let serial = |label: &str| format!("{}/{label}", plan.name);
        let id = |port: u16| format!("{}:{port}", plan.name);
        Ok(Planned {
            note: plan.note,
            revision: plan.revision.known().ok_or_else(missing)?,
            built: plan.built.unwrap_or_else(|| format!("of {image}")),
            image,
            zone: plan.zone.known().ok_or_else(missing)?,
            disk: plan
                .disk
                .into_iter()
                .map(|it| Disk {
                    serial: it.serial.unwrap_or_else(|| serial(&it.label)),
                    label: it.label,
                    size: it.size,
                })
                .collect(),
            rule: plan
                .rule
                .into_iter()
                .map(|it| Rule { id: it.id.unwrap_or_else(|| id(it.port)), port: it.port, note: it.note })
                .collect(),
            name: plan.name,
        })
    }
}

impl Resource for Planned {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Plan<Self>) -> Result<PlannedComputed> {
        let object = Planned::from_plan(plan)?;
        cx.provider.store.write(&object.name, &object)?;
        Ok(object.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Plan<Self>) -> Result<PlannedComputed> {
        Planned::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}
