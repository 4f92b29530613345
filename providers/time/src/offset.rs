//! The resource `time_offset`.

use std::collections::BTreeMap;

use ferroform::attr::Rfc3339;
use ferroform::{
    ApplyCx, Change, Context, Diagnostic, Known, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result,
    Unknown,
};

use crate::Time;
use crate::offset_date_time::{DAY, HOUR, MINUTE, OffsetDateTime, now};
use crate::parts::Parts;

/// Keeps a time in the state that has an offset from a base time, by default the time of its creation.
///
/// Unlike the result of the [function `timestamp`](https://developer.hashicorp.com/terraform/language/functions/timestamp),
/// the time does not change in each plan.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Offset {
    /// The base time in the format of [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8), such as
    /// `2020-02-12T06:36:13Z`. Defaults to the time of the creation.
    #[attr(optional, computed, use_state_for_unknown)]
    base_rfc3339: Rfc3339,
    #[attr(flatten)]
    offsets: Offsets,
    /// Arbitrary values. A change of them replaces the base time with the current one.
    #[attr(requires_replace)]
    triggers: Option<BTreeMap<String, Option<String>>>,
    /// The base time plus the offsets, in the format of RFC 3339.
    #[attr(computed)]
    rfc3339: Rfc3339,
    #[attr(flatten)]
    parts: Parts,
    /// The base time in the format of RFC 3339.
    #[attr(computed)]
    id: Rfc3339,
}

/// The offsets, which can be negative.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(at_least_one_of(
    offset_seconds,
    offset_minutes,
    offset_hours,
    offset_days,
    offset_months,
    offset_years
))]
pub(crate) struct Offsets {
    /// The number of years to add to the base time.
    offset_years: Option<i64>,
    /// The number of months to add to the base time. A day that the month does not have is counted from its start: one
    /// month after January 31 is March 2 or 3.
    offset_months: Option<i64>,
    /// The number of days to add to the base time.
    offset_days: Option<i64>,
    /// The number of hours to add to the base time.
    offset_hours: Option<i64>,
    /// The number of minutes to add to the base time.
    offset_minutes: Option<i64>,
    /// The number of seconds to add to the base time.
    offset_seconds: Option<i64>,
}

impl Offsets {
    /// The order is that of the original. It affects the result, because months have different lengths.
    fn add_to(&self, base: OffsetDateTime) -> Result<OffsetDateTime> {
        base.add_seconds(self.offset_days, DAY)?
            .add_seconds(self.offset_hours, HOUR)?
            .add_seconds(self.offset_minutes, MINUTE)?
            .add_months(self.offset_months, 1)?
            .add_seconds(self.offset_seconds, 1)?
            .add_months(self.offset_years, 12)
    }
}

impl Resource for Offset {
    type Provider = Time;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let mut plan = change.plan;
        if let (Unknown, Known(base), Ok(offsets)) =
            (&plan.rfc3339, &plan.base_rfc3339, Offsets::try_from(plan.offsets.clone()))
        {
            let offset = Offset::new(base.clone(), offsets)?;
            plan.rfc3339 = Known(offset.rfc3339);
            plan.parts = offset.parts.to_proposed()?;
            plan.id = Known(offset.id);
        }
        Ok(plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<OffsetComputed> {
        let base = plan.base_rfc3339.map_or_else(|| now(cx.clock()), Ok)?;
        Ok(Offset::new(base, Offsets::try_from(plan.offsets)?)?.into())
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<OffsetComputed> {
        Self::create(cx, plan).await
    }

    /// The import ID is the base time and the six offsets, separated by commas. An offset can be empty.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        let parts: Vec<&str> = id.split(',').collect();
        let [base, offsets @ ..] = &parts[..] else { return Err(unexpected_format(&id)) };
        let [years, months, days, hours, minutes, seconds] = offsets else {
            return Err(unexpected_format(&id));
        };
        if base.is_empty() || offsets.iter().all(|it| it.is_empty()) {
            return Err(unexpected_format(&id));
        }
        let number = |name: &str, text: &str| match text {
            "" => Ok(None),
            _ => text.parse().map(Some).context(format!("{name} {text:?} is not a whole number")),
        };
        let read = || {
            let offsets = Offsets {
                offset_years: number("offset_years", years)?,
                offset_months: number("offset_months", months)?,
                offset_days: number("offset_days", days)?,
                offset_hours: number("offset_hours", hours)?,
                offset_minutes: number("offset_minutes", minutes)?,
                offset_seconds: number("offset_seconds", seconds)?,
            };
            Offset::new(base.parse()?, offsets)
        };
        read().context("Import time offset error")
    }

    ferroform::state_only!(read, delete);
}

impl Offset {
    fn new(base_rfc3339: Rfc3339, offsets: Offsets) -> Result<Offset> {
        let base = OffsetDateTime::from(&base_rfc3339);
        let time = offsets.add_to(base)?;
        let (id, rfc3339) = (base.to_rfc3339()?, time.to_rfc3339()?);
        Ok(Offset { base_rfc3339, offsets, triggers: None, rfc3339, parts: time.into(), id })
    }
}

fn unexpected_format(id: &str) -> ferroform::Diagnostics {
    let detail = format!(
        "The import ID must have the form BASETIMESTAMP,YEARS,MONTHS,DAYS,HOURS,MINUTES,SECONDS with at least one \
         offset, such as 2020-02-12T06:36:13Z,,,7,,,. But got {id:?}."
    );
    Diagnostic::error("Unexpected Format of ID").detail(detail).into()
}
