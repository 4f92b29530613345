//! The `time_rotating` resource.

use std::collections::BTreeMap;

use ferroform::attr::Rfc3339;
use ferroform::schema::{ValueChange, map_changes};
use ferroform::validators::at_least;
use ferroform::{
    ApplyCx, Change, Context, Diagnostic, Known, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result,
    Unknown,
};

use crate::Time;
use crate::offset_date_time::{DAY, HOUR, MINUTE, OffsetDateTime, is_past, now, parse_without_fraction};
use crate::timestamp_fields::TimestampFields;

/// Stores a timestamp in state and recreates the resource once the rotation timestamp has passed.
///
/// Rotation happens only when Terraform runs, so it can be later than the rotation timestamp. The next rotation timestamp is
/// relative to the time at which Terraform recreates the resource.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(at_least_one_of(
    rotation_minutes,
    rotation_hours,
    rotation_days,
    rotation_months,
    rotation_years,
    rotation_rfc3339
))]
pub(crate) struct Rotating {
    /// The base timestamp in [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8) format, such as
    /// `2020-02-12T06:36:13Z`. Defaults to the time at which Terraform creates the resource.
    #[attr(optional, computed, requires_replace, use_state_for_unknown)]
    rfc3339: Rfc3339,
    #[attr(flatten)]
    interval: Interval,
    /// The rotation timestamp in RFC 3339 format. It takes precedence over the rotation intervals.
    #[attr(optional, computed, requires_replace_if = has_passed)]
    rotation_rfc3339: Rfc3339,
    /// Arbitrary map of values. Changing one of them replaces the resource. See [Resource "Triggers"](../index.md).
    #[attr(requires_replace_if = map_changes)]
    triggers: Option<BTreeMap<String, Option<String>>>,
    #[attr(flatten)]
    fields: TimestampFields,
    /// The base timestamp in RFC 3339 format.
    #[attr(computed)]
    id: Rfc3339,
}

/// The interval between the base timestamp and the rotation timestamp.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Interval {
    /// The number of years between the base timestamp and the rotation timestamp. It takes precedence over
    /// all other intervals.
    #[attr(validate = at_least(1))]
    rotation_years: Option<i64>,
    /// The number of months between the base timestamp and the rotation timestamp. It takes precedence
    /// over shorter intervals. If the target month has fewer days, the extra days carry over to the next month: one month
    /// after January 31 is March 2 or 3.
    #[attr(validate = at_least(1))]
    rotation_months: Option<i64>,
    /// The number of days between the base timestamp and the rotation timestamp.
    #[attr(validate = at_least(1))]
    rotation_days: Option<i64>,
    /// The number of hours between the base timestamp and the rotation timestamp. It takes precedence over days.
    #[attr(validate = at_least(1))]
    rotation_hours: Option<i64>,
    /// The number of minutes between the base timestamp and the rotation timestamp. It takes precedence over
    /// hours and days.
    #[attr(validate = at_least(1))]
    rotation_minutes: Option<i64>,
}

impl Interval {
    /// Returns the rotation timestamp. If several intervals are configured, only one is added, as in the original.
    fn add_to(&self, base: OffsetDateTime) -> Result<OffsetDateTime> {
        match self {
            Interval { rotation_years: Some(1..), .. } => base.add_months(self.rotation_years, 12),
            Interval { rotation_months: Some(1..), .. } => base.add_months(self.rotation_months, 1),
            Interval { rotation_minutes: Some(1..), .. } => base.add_seconds(self.rotation_minutes, MINUTE),
            Interval { rotation_hours: Some(1..), .. } => base.add_seconds(self.rotation_hours, HOUR),
            Interval { rotation_days: Some(1..), .. } => base.add_seconds(self.rotation_days, DAY),
            // Reachable only through an import ID, because validation rejects smaller intervals.
            _ => Err(Diagnostic::error("At least one rotation interval must be 1 or greater").into()),
        }
    }
}

/// Returns `true` if the rotation timestamp has passed. Then the plan shows a replacement instead of an update, for example
/// with `-refresh=false`.
fn has_passed(rotation: &ValueChange<Rfc3339>) -> bool {
    rotation.prior.as_ref().is_some_and(|it| is_past(it, rotation.clock()).unwrap_or_default())
}

impl Resource for Rotating {
    type Provider = Time;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let mut plan = change.plan;
        let Unknown = plan.id else { return Ok(plan) };
        if let Known(base) = &plan.rfc3339 {
            let base = OffsetDateTime::from(base);
            plan.id = Known(base.to_rfc3339()?);
            let is_omitted = change.config.rotation_rfc3339 == Known(None);
            if let (true, Ok(interval)) = (is_omitted, Interval::try_from(plan.interval.clone())) {
                plan.rotation_rfc3339 = Known(interval.add_to(base)?.to_rfc3339()?);
            }
        }
        if let Known(rotation) = &plan.rotation_rfc3339 {
            plan.fields = TimestampFields::from(OffsetDateTime::from(rotation)).to_proposed()?;
        }
        Ok(plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<RotatingComputed> {
        let base = plan.rfc3339.map_or_else(|| now(cx.clock()), Ok)?;
        let rotation = plan.rotation_rfc3339.known();
        Ok(Rotating::new(base, Interval::try_from(plan.interval)?, rotation)?.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let has_passed = is_past(&state.rotation_rfc3339, cx.clock())?;
        Ok((!has_passed).then_some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<RotatingComputed> {
        Self::create(cx, plan).await
    }

    /// The import ID consists of the base timestamp and either the rotation timestamp or the five intervals, separated by
    /// commas. Intervals can be empty.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        let number = |name: &str, text: &str| match text {
            "" => Ok(None),
            _ => text.parse().map(Some).context(format!("{name} {text:?} is not a whole number")),
        };
        let read = |base: &str, interval: [&str; 5], rotation: Option<&str>| {
            let [years, months, days, hours, minutes] = interval;
            let interval = Interval {
                rotation_years: number("rotation_years", years)?,
                rotation_months: number("rotation_months", months)?,
                rotation_days: number("rotation_days", days)?,
                rotation_hours: number("rotation_hours", hours)?,
                rotation_minutes: number("rotation_minutes", minutes)?,
            };
            let rotation = rotation.map(parse_without_fraction).transpose()?;
            Rotating::new(parse_without_fraction(base)?, interval, rotation)
        };
        let parts: Vec<&str> = id.split(',').collect();
        let imported = match parts[..] {
            [base, rotation] if !base.is_empty() && !rotation.is_empty() => {
                read(base, [""; 5], Some(rotation))
            }
            [base, ref interval @ ..] if !base.is_empty() && interval.iter().any(|it| !it.is_empty()) => {
                match interval.try_into() {
                    Ok(interval) => read(base, interval, None),
                    Err(_) => return Err(unexpected_format(&id)),
                }
            }
            _ => return Err(unexpected_format(&id)),
        };
        imported.context("Import time rotating error")
    }

    ferroform::state_only!(delete);
}

impl Rotating {
    /// Creates the model. `rotation` defaults to the base timestamp plus the interval.
    fn new(rfc3339: Rfc3339, interval: Interval, rotation: Option<Rfc3339>) -> Result<Rotating> {
        let base = OffsetDateTime::from(&rfc3339);
        let rotation_rfc3339 = rotation.map_or_else(|| interval.add_to(base)?.to_rfc3339(), Ok)?;
        let fields = OffsetDateTime::from(&rotation_rfc3339).into();
        Ok(Rotating { rfc3339, interval, rotation_rfc3339, triggers: None, fields, id: base.to_rfc3339()? })
    }
}

fn unexpected_format(id: &str) -> ferroform::Diagnostics {
    let detail = format!(
        "The import ID must have the format BASETIMESTAMP,YEARS,MONTHS,DAYS,HOURS,MINUTES with at least one interval, or \
         BASETIMESTAMP,ROTATIONTIMESTAMP, but got {id:?}."
    );
    Diagnostic::error("Unexpected Format of ID").detail(detail).into()
}
