//! A configuration as a test writes it, and its value for a schema.

mod literal;
mod read;

pub use literal::{Configuration, Literal, refined, unknown};
pub(crate) use read::read;
