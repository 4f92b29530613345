//! The `time_static` resource.

use std::collections::BTreeMap;

use ferroform::attr::Rfc3339;
use ferroform::schema::map_changes;
use ferroform::{
    ApplyCx, Change, Context, Known, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Unknown,
};

use crate::Time;
use crate::offset_date_time::{OffsetDateTime, now, parse_without_fraction};
use crate::timestamp_fields::TimestampFields;

/// Stores a timestamp in state. The timestamp defaults to the time at which Terraform creates the resource.
///
/// Unlike the result of the [`timestamp` function](https://developer.hashicorp.com/terraform/language/functions/timestamp),
/// the timestamp does not change in each plan.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Static {
    /// The timestamp in [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8) format, such as
    /// `2020-02-12T06:36:13Z`. Defaults to the time at which Terraform creates the resource.
    #[attr(optional, computed, requires_replace, use_state_for_unknown)]
    rfc3339: Rfc3339,
    /// Arbitrary map of values. Changing one of them replaces the resource. See [Resource "Triggers"](../index.md).
    #[attr(requires_replace_if = map_changes)]
    triggers: Option<BTreeMap<String, Option<String>>>,
    #[attr(flatten)]
    fields: TimestampFields,
    /// The timestamp in RFC 3339 format.
    #[attr(computed)]
    id: Rfc3339,
}

impl Resource for Static {
    type Provider = Time;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let plan = change.plan;
        match (&plan.rfc3339, &plan.id) {
            (Known(time), Unknown) => {
                let planned = Static::new(time.clone())?.to_proposed()?;
                Ok(Proposed::<Self> { triggers: plan.triggers, ..planned })
            }
            _ => Ok(plan),
        }
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<StaticComputed> {
        let time = plan.rfc3339.map_or_else(|| now(cx.clock()), Ok)?;
        Ok(Static::new(time)?.into())
    }

    /// The import ID is the timestamp.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Static::new(parse_without_fraction(&id).context("Import time static error")?)
    }

    ferroform::state_only!(read, update, delete);
}

impl Static {
    fn new(rfc3339: Rfc3339) -> Result<Static> {
        let fields = OffsetDateTime::from(&rfc3339).into();
        Ok(Static { id: rfc3339.clone(), rfc3339, triggers: None, fields })
    }
}
