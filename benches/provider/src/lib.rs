//! A provider whose methods do nothing, to measure the framework.
//!
//! Its types are fixed, so that the same provider on another framework can be compared. With `BENCH_TYPES=N` in the
//! environment it has N further types, which are built at run time. With `BENCH_SLOW=1` it has a type whose
//! creation blocks its thread. With `BENCH_SMALL=1` it has three types whose collections have elements of one to three bytes.

mod collections;
mod generated;
mod item;
mod provider;
mod slow;
mod wide;

use std::{env, fmt};

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

pub use crate::provider::Bench;

const TYPES_VARIABLE: &str = "BENCH_TYPES";

/// The number of further types that the environment requests.
///
/// # Errors
///
/// Returns an error if it is not a number.
pub fn more_types() -> Result<usize, NotANumber> {
    match env::var_os(TYPES_VARIABLE) {
        None => Ok(0),
        Some(it) => {
            it.to_str().and_then(|it| it.parse().ok()).ok_or_else(|| NotANumber(it.display().to_string()))
        }
    }
}

/// The value of the environment variable that is not a number.
#[derive(Debug)]
pub struct NotANumber(String);

impl fmt::Display for NotANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{TYPES_VARIABLE}: a number of types is required, but got {:?}", self.0)
    }
}

impl Provider for Bench {
    const ADDRESS: &'static str = "registry.terraform.io/example/bench";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Bench))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<item::Item>("bench_item")
            .resource::<collections::OfSet>("bench_set")
            .resource::<collections::OfList>("bench_list")
            .resource::<collections::OfMap>("bench_map")
            .resource::<collections::OfSetBlock>("bench_setblock")
            .resource::<collections::OfStrings>("bench_setstring")
            .resource::<wide::Wide>("bench_wide");
        if env::var_os("BENCH_SLOW").is_some() {
            registry.resource::<slow::Slow>("bench_slow");
        }
        if env::var_os("BENCH_SMALL").is_some() {
            registry
                .resource::<collections::OfBools>("bench_bools")
                .resource::<collections::OfMaps>("bench_maps")
                .resource::<collections::OfNumbers>("bench_numbers");
        }
        // `main` has reported an invalid number.
        for number in 0..more_types().unwrap_or(0) {
            registry.raw_resource(format!("bench_gen_{number:04}"), generated::resource(number));
        }
    }
}
