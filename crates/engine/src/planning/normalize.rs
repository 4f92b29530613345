//! The configuration in the forms in which the rest of a plan uses it.

use std::convert::Infallible;

use ferroform_value::{Set, Value};

use super::defaults::{self, Which};
use crate::Result;
use crate::schema::Block;
use crate::state::blocks;

/// A configuration. In each form, the elements of sets have the same indexes.
pub(crate) struct Normalized {
    /// What the practitioner has configured: an object, with null for each block that is left to the provider.
    pub(crate) config: Value,
    /// The same with the defaults that count as configured (`default_with`).
    pub(crate) configured: Value,
    /// The same with all defaults.
    pub(crate) full: Value,
}

impl Normalized {
    /// Normalizes a configuration as Terraform sends it.
    ///
    /// # Errors
    ///
    /// Each attribute for which there is no value but must be one, at its path.
    pub(crate) fn of(block: &Block, config: &Value) -> Result<Normalized> {
        let config = blocks::prepared(block, block.object_of(config));
        let configured = defaults::fill_each(block, &config, Which::Given)?.into_owned();
        let full = defaults::fill_each(block, &configured, Which::All)?.into_owned();
        Ok(Normalized { config, configured, full })
    }

    /// The configuration as the provider's methods see it.
    pub(crate) fn for_provider(&self, block: &Block) -> Value {
        match block.facts().has_configuration_defaults {
            true => without_repeats(self.configured.clone()),
            false => self.configured.clone(),
        }
    }
}

/// The value with equal elements of sets as one.
fn without_repeats(value: Value) -> Value {
    let unique = |it| if let Value::Set(it) = it { Value::Set(it.into_iter().collect::<Set>()) } else { it };
    let made = value.transform(&mut |_, it| Ok(unique(it)));
    made.unwrap_or_else(|never: Infallible| match never {})
}
