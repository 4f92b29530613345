//! The `time_offset` resource.

use std::collections::BTreeMap;

use ferroform::attr::Rfc3339;
use ferroform::schema::map_changes;
use ferroform::{
    ApplyCx, Change, Context, Diagnostic, Known, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result,
    Unknown,
};

use crate::Time;
use crate::offset_date_time::{DAY, HOUR, MINUTE, OffsetDateTime, now, parse_without_fraction};
use crate::timestamp_fields::TimestampFields;

/// Stores a timestamp in state: a base timestamp plus an offset. The base timestamp defaults to the time at which Terraform
/// creates the resource.
///
/// Unlike the result of the [`timestamp` function](https://developer.hashicorp.com/terraform/language/functions/timestamp),
/// the timestamp does not change in each plan.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Offset {
    /// The base timestamp in [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8) format, such as
    /// `2020-02-12T06:36:13Z`. Defaults to the time at which Terraform creates the resource.
    #[attr(optional, computed, use_state_for_unknown)]
    base_rfc3339: Rfc3339,
    #[attr(flatten)]
    offsets: Offsets,
    /// Arbitrary map of values. Changing one of them replaces the resource. See [Resource "Triggers"](../index.md).
    #[attr(requires_replace_if = map_changes)]
    triggers: Option<BTreeMap<String, Option<String>>>,
    /// The base timestamp plus the offsets, in RFC 3339 format.
    #[attr(computed)]
    rfc3339: Rfc3339,
    #[attr(flatten)]
    fields: TimestampFields,
    /// The base timestamp in RFC 3339 format.
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
    /// The number of years to add to the base timestamp.
    offset_years: Option<i64>,
    /// The number of months to add to the base timestamp. If the target month has fewer days, the extra days carry over to
    /// the next month: one month after January 31 is March 2 or 3.
    offset_months: Option<i64>,
    /// The number of days to add to the base timestamp.
    offset_days: Option<i64>,
    /// The number of hours to add to the base timestamp.
    offset_hours: Option<i64>,
    /// The number of minutes to add to the base timestamp.
    offset_minutes: Option<i64>,
    /// The number of seconds to add to the base timestamp.
    offset_seconds: Option<i64>,
}

impl Offsets {
    /// Adds the offsets in the order of the original. The order affects the result, because the lengths of months differ.
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
        let plan = change.plan;
        match (&plan.rfc3339, &plan.base_rfc3339, Offsets::try_from(plan.offsets.clone())) {
            (Unknown, Known(base), Ok(offsets)) => {
                let planned = Offset::new(base.clone(), offsets)?.to_proposed()?;
                Ok(Proposed::<Self> { triggers: plan.triggers, ..planned })
            }
            _ => Ok(plan),
        }
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<OffsetComputed> {
        let base = plan.base_rfc3339.map_or_else(|| now(cx.clock()), Ok)?;
        Ok(Offset::new(base, Offsets::try_from(plan.offsets)?)?.into())
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<OffsetComputed> {
        Self::create(cx, plan).await
    }

    /// The import ID consists of the base timestamp and the six offsets, separated by commas. Offsets can be empty.
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
        let read = || -> Result<Offsets> {
            Ok(Offsets {
                offset_years: number("offset_years", years)?,
                offset_months: number("offset_months", months)?,
                offset_days: number("offset_days", days)?,
                offset_hours: number("offset_hours", hours)?,
                offset_minutes: number("offset_minutes", minutes)?,
                offset_seconds: number("offset_seconds", seconds)?,
            })
        };
        let offsets = read().context("Import time offset error")?;
        // The summary for an invalid timestamp is that of the original.
        parse_without_fraction(base)
            .and_then(|base| Offset::new(base, offsets))
            .context("Create time offset error")
    }

    ferroform::state_only!(read, delete);
}

impl Offset {
    fn new(base_rfc3339: Rfc3339, offsets: Offsets) -> Result<Offset> {
        let base = OffsetDateTime::from(&base_rfc3339);
        let time = offsets.add_to(base)?;
        let (id, rfc3339) = (base.to_rfc3339()?, time.to_rfc3339()?);
        Ok(Offset { base_rfc3339, offsets, triggers: None, rfc3339, fields: time.into(), id })
    }
}

fn unexpected_format(id: &str) -> ferroform::Diagnostics {
    let detail = format!(
        "The import ID must have the format BASETIMESTAMP,YEARS,MONTHS,DAYS,HOURS,MINUTES,SECONDS with at least one \
         offset, such as 2020-02-12T06:36:13Z,,,7,,,, but got {id:?}."
    );
    Diagnostic::error("Unexpected Format of ID").detail(detail).into()
}
