//! Configurations that a test writes, and their evaluation for a schema.

mod evaluate;
mod literal;

pub(crate) use evaluate::evaluate;
pub use literal::{Configuration, Literal, refined, unknown};
