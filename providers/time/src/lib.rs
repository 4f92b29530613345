//! A drop-in replacement for HashiCorp's `time` provider, which stores timestamps in state and delays operations.

mod calendar;
mod duration_parse;
mod offset;
mod offset_date_time;
mod rfc3339_parse;
mod rotating;
mod sleep;
mod static_time;
mod timestamp_fields;
mod unix_timestamp_parse;

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

use crate::duration_parse::DurationParse;
use crate::offset::Offset;
use crate::rfc3339_parse::Rfc3339Parse;
use crate::rotating::Rotating;
use crate::sleep::Sleep;
use crate::static_time::Static;
use crate::unix_timestamp_parse::UnixTimestampParse;

/// The provider, which has no configuration.
#[derive(Debug)]
pub struct Time;

impl Provider for Time {
    const ADDRESS: &'static str = "registry.terraform.io/hashicorp/time";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Time))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Offset>("time_offset")
            .resource::<Rotating>("time_rotating")
            .resource::<Sleep>("time_sleep")
            .resource::<Static>("time_static")
            .function::<DurationParse>("duration_parse")
            .function::<Rfc3339Parse>("rfc3339_parse")
            .function::<UnixTimestampParse>("unix_timestamp_parse");
    }
}

#[cfg(test)]
mod function_tests;
#[cfg(test)]
mod import_tests;
#[cfg(test)]
mod stored_state_tests;
#[cfg(test)]
mod tests;
