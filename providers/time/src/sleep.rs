//! The `time_sleep` resource.

use std::collections::BTreeMap;

use ferroform::attr::{GoDuration, Rfc3339};
use ferroform::schema::map_changes;
use ferroform::validators::matches;
use ferroform::{ApplyCx, Context, Diagnostic, Model, Planned, ReadCx, RequestCx, Resource, Result};

use crate::Time;
use crate::offset_date_time::now;

const FORMAT: &str = r"^[0-9]+(\.[0-9]+)?(ms|s|m|h)$";
const FORMAT_MESSAGE: &str = "must be a number immediately followed by ms (milliseconds), s (seconds), m (minutes) or h (hours), such as 30s";

/// Delays creating or destroying resources.
///
/// Unlike a [`local-exec` provisioner](https://developer.hashicorp.com/terraform/language/provisioners#local-exec), it works
/// on all platforms and when Terraform destroys resources.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Sleep {
    /// How long to wait when Terraform creates the resource, such as `30s` or `5m`. Changing only this argument updates the
    /// resource without a delay.
    #[attr(at_least_one_of(destroy_duration), validate = matches(FORMAT, FORMAT_MESSAGE))]
    create_duration: Option<GoDuration>,
    /// How long to wait when Terraform destroys the resource, such as `30s` or `5m`. Changing only this argument updates the
    /// resource without a delay. Apply a change before you destroy the resource.
    #[attr(validate = matches(FORMAT, FORMAT_MESSAGE))]
    destroy_duration: Option<GoDuration>,
    /// Arbitrary map of values. Changing one of them replaces the resource. See [Resource "Triggers"](../index.md).
    #[attr(requires_replace_if = map_changes)]
    triggers: Option<BTreeMap<String, Option<String>>>,
    /// The time at which Terraform created the resource, in [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8)
    /// format.
    #[attr(computed, use_state_for_unknown)]
    id: Rfc3339,
}

impl Resource for Sleep {
    type Provider = Time;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SleepComputed> {
        sleep(cx, plan.create_duration).await.context("Create time sleep error")?;
        Ok(SleepComputed { id: now(cx.clock())? })
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        sleep(cx, state.destroy_duration).await.context("Delete time sleep error")
    }

    /// The import ID consists of the create duration and the destroy duration, separated by a comma. Either can be empty.
    async fn import(cx: &ReadCx<Self>, id: String) -> Result<Self> {
        let Some((create, destroy)) =
            id.split_once(',').filter(|_| id != "," && id.matches(',').count() == 1)
        else {
            let detail = format!(
                "The import ID must have the format CREATEDURATION,DESTROYDURATION with at least one duration, such as \
                 \"30s,\" or \",30s\", but got {id:?}."
            );
            return Err(Diagnostic::error("Unexpected Format of ID").detail(detail).into());
        };
        let parse = |text: &str| match text {
            "" => Ok(None),
            _ => text.parse().map(Some).context("Import time sleep error"),
        };
        Ok(Sleep {
            create_duration: parse(create)?,
            destroy_duration: parse(destroy)?,
            triggers: None,
            id: now(cx.clock())?,
        })
    }

    ferroform::state_only!(read, update);
}

/// Waits for the duration. Returns an error if the practitioner interrupts Terraform.
async fn sleep(cx: &RequestCx, duration: Option<GoDuration>) -> Result<()> {
    // A duration in an import ID can be negative.
    cx.sleep(duration.and_then(|it| it.try_into().ok()).unwrap_or_default()).await
}
