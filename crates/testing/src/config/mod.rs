//! Configurations that a test writes, and their evaluation for a schema.

mod literal;

use ferroform::schema::Block;
use ferroform::value::{Path, Value};
use ferroform::{Diagnostics, Result};

pub use literal::{Configuration, Literal, refined, unknown};

/// Evaluates a configuration for a schema, with Terraform's own errors.
pub(crate) fn evaluate(block: &Block, config: &Configuration) -> Result<Value> {
    let mut errors = Diagnostics::new();
    let config = config.typed(&Path::ROOT, &mut errors);
    match errors.ok_or_extend(ferroform_engine::configuration::evaluate(block, &config)) {
        Some(value) if errors.is_empty() => Ok(value),
        _ => Err(errors),
    }
}
