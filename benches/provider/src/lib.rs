//! A provider that does nothing, quickly: what is measured is the framework.
//!
//! Its types are fixed, so that the same provider on another framework can be measured beside it. With
//! `BENCH_TYPES=N` in the environment it has N types more, made at run time; with `BENCH_SLOW=1` it has a type whose
//! creation blocks its thread.

mod collections;
mod generated;
mod item;
mod slow;
mod wide;

use std::{env, fmt};

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

const MORE: &str = "BENCH_TYPES";

/// How many types more the environment asks for.
///
/// # Errors
///
/// Where it says something else than a number.
pub fn more_types() -> Result<usize, NotANumber> {
    match env::var_os(MORE) {
        None => Ok(0),
        Some(it) => {
            it.to_str().and_then(|it| it.parse().ok()).ok_or_else(|| NotANumber(it.display().to_string()))
        }
    }
}

/// What the environment says in the place of a number of types.
#[derive(Debug)]
pub struct NotANumber(String);

impl fmt::Display for NotANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{MORE}: a number of types is required, but got {:?}", self.0)
    }
}

/// The provider.
pub struct Bench;

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
        // What is no number has been refused by `main`.
        for number in 0..more_types().unwrap_or(0) {
            registry.raw_resource(format!("bench_gen_{number:04}"), generated::resource(number));
        }
    }
}
