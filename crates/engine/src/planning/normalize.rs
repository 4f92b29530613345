//! Normalization: the configuration in the forms that the other phases of a plan use.
//!
//! Example: `region` has the default `env("REGION")`, which is set to `eu`, and `size` has the static default 10.
//!
//! ```text
//! config         { region = null, size = null }   as the practitioner configured it
//! configured     { region = "eu", size = null }   as the provider's methods receive it
//! with_defaults  { region = "eu", size = 10 }     as the proposed new state uses it
//! ```

use std::convert::Infallible;

use ferroform_value::{Set, Value};

use super::defaults::{self, DefaultScope};
use crate::Result;
use crate::schema::Block;
use crate::state::computed_blocks;

/// A configuration. Elements of sets have the same indexes in each form.
pub(crate) struct Normalized {
    /// The configuration as the practitioner configured it, with null for each omitted computed block.
    pub(crate) config: Value,
    /// The same with the defaults that count as configured (`default_with`).
    pub(crate) configured: Value,
    /// The same with all defaults.
    pub(crate) with_defaults: Value,
}

impl Normalized {
    /// Normalizes a configuration as Terraform sends it.
    ///
    /// # Errors
    ///
    /// Returns an error for each attribute that requires a value but has none.
    pub(crate) fn of(block: &Block, config: &Value) -> Result<Normalized> {
        let config = computed_blocks::with_null_for_omitted(block, block.object_of(config));
        let configured =
            defaults::apply_keeping_duplicates(block, &config, DefaultScope::Configuration)?.into_owned();
        let with_defaults =
            defaults::apply_keeping_duplicates(block, &configured, DefaultScope::All)?.into_owned();
        Ok(Normalized { config, configured, with_defaults })
    }

    /// The configuration as the provider's methods receive it.
    pub(crate) fn for_provider(&self, block: &Block) -> Value {
        match block.facts().has_configuration_defaults {
            true => without_duplicates(self.configured.clone()),
            false => self.configured.clone(),
        }
    }
}

/// The value without duplicate elements of sets.
fn without_duplicates(value: Value) -> Value {
    let unique = |it| if let Value::Set(it) = it { Value::Set(it.into_iter().collect::<Set>()) } else { it };
    let transformed = value.transform(&mut |_, it| Ok(unique(it)));
    transformed.unwrap_or_else(|never: Infallible| match never {})
}
