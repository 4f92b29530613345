//! Configurations that a test writes, and their evaluation for a schema.

mod literal;

use ferroform::Result;
use ferroform::schema::Block;
use ferroform::value::Value;

pub use literal::{Configuration, Literal, refined, unknown};

/// Evaluates a configuration for a schema, with Terraform's own errors.
pub(crate) fn evaluate(block: &Block, config: &Configuration) -> Result<Value> {
    ferroform_engine::configuration::evaluate(block, &config.0)
}
