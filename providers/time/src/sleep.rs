//! The resource `time_sleep`.

use std::collections::BTreeMap;
use std::time::Duration;

use ferroform::attr::{GoDuration, Rfc3339};
use ferroform::validators::matches;
use ferroform::{
    ApplyCx, Config, Context, Diagnostic, Model, Planned, ReadCx, RequestCx, Resource, Result, path,
};

use crate::Time;
use crate::offset_date_time::now;

const FORMAT: &str = r"^[0-9]+(\.[0-9]+)?(ms|s|m|h)$";
const FORMAT_MESSAGE: &str = "must be a number immediately followed by ms (milliseconds), s (seconds), m (minutes) or h (hours), such as 30s";

/// Delays the creation or the destroy of resources that depend on it.
///
/// Unlike a [`local-exec` provisioner](https://developer.hashicorp.com/terraform/language/provisioners#local-exec), it works
/// on all platforms and during a destroy.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Sleep {
    /// The duration of the creation, such as `30s` or `5m`. A change of it alone causes no delay.
    #[attr(at_least_one_of(destroy_duration), validate = matches(FORMAT, FORMAT_MESSAGE))]
    create_duration: Option<String>,
    /// The duration of the destroy, such as `30s` or `5m`. A change of it alone causes no delay, and must be applied before
    /// the destroy.
    #[attr(validate = matches(FORMAT, FORMAT_MESSAGE))]
    destroy_duration: Option<String>,
    /// Arbitrary values. A change of them replaces the resource, which causes both delays.
    #[attr(requires_replace)]
    triggers: Option<BTreeMap<String, Option<String>>>,
    /// The time of the creation in the format of [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8).
    #[attr(computed, use_state_for_unknown)]
    id: Rfc3339,
}

impl Resource for Sleep {
    type Provider = Time;

    /// The format also matches durations of more than 292 years.
    async fn validate(cx: &RequestCx, config: Config<Self>) -> Result<()> {
        let durations = [
            (path!(create_duration), config.create_duration),
            (path!(destroy_duration), config.destroy_duration),
        ];
        for (path, duration) in durations {
            if let Err(errors) = parse(duration.known().flatten()).at(path) {
                cx.report(errors);
            }
        }
        Ok(())
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SleepComputed> {
        sleep(cx, plan.create_duration).await.context("Create time sleep error")?;
        Ok(SleepComputed { id: now(cx.clock())? })
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        sleep(cx, state.destroy_duration).await.context("Delete time sleep error")
    }

    /// The import ID is both durations, separated by a comma. One of them can be empty.
    async fn import(cx: &ReadCx<Self>, id: String) -> Result<Self> {
        let Some((create, destroy)) =
            id.split_once(',').filter(|_| id != "," && id.matches(',').count() == 1)
        else {
            let detail = format!(
                "The import ID must have the form CREATEDURATION,DESTROYDURATION with at least one duration, such as \
                 30s, or ,30s. But got {id:?}."
            );
            return Err(Diagnostic::error("Unexpected Format of ID").detail(detail).into());
        };
        let [create_duration, destroy_duration] =
            [create, destroy].map(|it| Some(it.to_owned()).filter(|it| !it.is_empty()));
        parse(create_duration.clone())
            .and(parse(destroy_duration.clone()))
            .context("Import time sleep error")?;
        let id = now(cx.clock())?;
        Ok(Sleep { create_duration, destroy_duration, triggers: None, id })
    }

    ferroform::state_only!(read, update);
}

/// The duration; zero if it is omitted or, in an import ID, negative.
fn parse(duration: Option<String>) -> Result<Duration> {
    let duration = duration.map(|it| it.parse::<GoDuration>()).transpose()?;
    Ok(duration.and_then(|it| it.try_into().ok()).unwrap_or_default())
}

/// Ends with an error if the practitioner stops Terraform.
async fn sleep(cx: &RequestCx, duration: Option<String>) -> Result<()> {
    cx.sleep(parse(duration)?).await
}
