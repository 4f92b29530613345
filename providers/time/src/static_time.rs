//! The resource `time_static`.

use std::collections::BTreeMap;

use ferroform::attr::Rfc3339;
use ferroform::{
    ApplyCx, Change, Context, Known, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Unknown,
};

use crate::Time;
use crate::offset_date_time::{OffsetDateTime, now};
use crate::parts::Parts;

/// Keeps a time in the state, by default the time of its creation.
///
/// Unlike the result of the [function `timestamp`](https://developer.hashicorp.com/terraform/language/functions/timestamp),
/// the time does not change in each plan.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Static {
    /// The time in the format of [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8), such as
    /// `2020-02-12T06:36:13Z`. Defaults to the time of the creation.
    #[attr(optional, computed, requires_replace)]
    rfc3339: Rfc3339,
    /// Arbitrary values. A change of them replaces the time with the current one.
    #[attr(requires_replace)]
    triggers: Option<BTreeMap<String, Option<String>>>,
    #[attr(flatten)]
    parts: Parts,
    /// The time in the format of RFC 3339.
    #[attr(computed)]
    id: Rfc3339,
}

impl Resource for Static {
    type Provider = Time;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let mut plan = change.plan;
        if let (Known(time), Unknown) = (&plan.rfc3339, &plan.id) {
            plan.parts = Parts::from(OffsetDateTime::from(time)).to_proposed()?;
            plan.id = Known(time.clone());
        }
        Ok(plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<StaticComputed> {
        let time = plan.rfc3339.map_or_else(|| now(cx.clock()), Ok)?;
        Ok(Static::new(time)?.into())
    }

    /// The import ID is the time.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Static::new(id.parse().context("Import time static error")?)
    }

    ferroform::state_only!(read, delete);
}

impl Static {
    fn new(rfc3339: Rfc3339) -> Result<Static> {
        let parts = OffsetDateTime::from(&rfc3339).into();
        Ok(Static { id: rfc3339.clone(), rfc3339, triggers: None, parts })
    }
}
