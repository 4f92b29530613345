//! A provider that does nothing, quickly: what is measured is the framework.
//!
//! Its types are fixed, so that the same provider on another framework can be measured beside it. With
//! `BENCH_TYPES=N` in the environment it has N types more, made at run time.

mod collections;
mod generated;
mod item;
mod wide;

use std::env;

use ferroform::{Call, Known, Maybe, Provider, Registry, Result};

/// The provider.
pub struct Bench;

impl Provider for Bench {
    const ADDRESS: &'static str = "registry.terraform.io/example/bench";
    type Config = ();

    async fn configure(_: &Call, (): ()) -> Result<Maybe<Self>> {
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
        let more = env::var("BENCH_TYPES").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
        for number in 0..more {
            registry.raw_resource(format!("bench_gen_{number:04}"), generated::resource(number));
        }
    }
}
