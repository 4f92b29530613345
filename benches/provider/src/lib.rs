//! A provider whose methods do nothing, to measure the framework.
//!
//! Its types are fixed, so that the same provider on another framework can be compared. With `BENCH_TYPES=N` in the
//! environment it has N further types, which are built at run time, and with `BENCH_DEEP=N` N types with deeply nested
//! blocks. With `BENCH_SCHEMAS=FILE` it has the resources and data sources in the output of
//! `terraform providers schema -json`, which must contain one provider. With `BENCH_SLOW=1` it has a type whose
//! creation blocks its thread. With `BENCH_SMALL=1` it has three types whose collections have elements of one to three bytes.

mod collections;
mod described;
mod generated;
mod item;
mod provider;
mod slow;
mod wide;

use std::sync::OnceLock;
use std::{env, fmt};

use ferroform::raw::Definition;
use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

pub use crate::provider::Bench;

const TYPES_VARIABLE: &str = "BENCH_TYPES";
const DEEP_VARIABLE: &str = "BENCH_DEEP";
const SCHEMAS_VARIABLE: &str = "BENCH_SCHEMAS";

/// The number of further types that the environment requests.
///
/// # Errors
///
/// Returns an error if it is not a number.
pub fn more_types() -> Result<usize, NotANumber> {
    number(TYPES_VARIABLE)
}

/// The number of types with deeply nested blocks that the environment requests.
///
/// # Errors
///
/// Returns an error if it is not a number.
pub fn deep_types() -> Result<usize, NotANumber> {
    number(DEEP_VARIABLE)
}

/// Reads the types that the environment names, before the provider is served.
///
/// # Errors
///
/// Returns an error if the file does not contain the schemas of one provider.
pub fn read_described_types() -> Result<()> {
    if let Some(file) = env::var_os(SCHEMAS_VARIABLE) {
        let described = described::read(&file)?;
        DESCRIBED.get_or_init(|| described);
    }
    Ok(())
}

/// The types of `BENCH_SCHEMAS`.
static DESCRIBED: OnceLock<described::Described> = OnceLock::new();

fn number(variable: &'static str) -> Result<usize, NotANumber> {
    let Some(value) = env::var_os(variable) else { return Ok(0) };
    let number = value.to_str().and_then(|it| it.parse().ok());
    number.ok_or_else(|| NotANumber(variable, value.display().to_string()))
}

/// The environment variable whose value is not a number, and the value.
#[derive(Debug)]
pub struct NotANumber(&'static str, String);

impl fmt::Display for NotANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: a number of types is required, but got {:?}", self.0, self.1)
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
            registry.raw(format!("bench_gen_{number:04}"), Definition::Resource(generated::resource(number)));
        }
        for number in 0..deep_types().unwrap_or(0) {
            registry.raw(
                format!("bench_deep_{number:04}"),
                Definition::Resource(generated::deep_resource(number)),
            );
        }
        if let Some(described) = DESCRIBED.get() {
            for (name, resource) in &described.resources {
                registry.raw(name, Definition::Resource(resource.clone()));
            }
            for (name, data_source) in &described.data_sources {
                registry.raw(name, Definition::DataSource(data_source.clone()));
            }
        }
    }
}
