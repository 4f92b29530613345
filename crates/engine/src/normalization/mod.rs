//! Normalization: applies defaults to a configuration, and replaces omitted computed blocks with null.
//!
//! Example: `region` has the default `env("REGION")`, which is set to `eu`, and `size` has the static default 10.
//!
//! ```text
//! config         { region = null, size = null }   as the practitioner configured it
//! configured     { region = "eu", size = null }   as the provider's methods receive it
//! with_defaults  { region = "eu", size = 10 }     as the proposed new state uses it
//! ```

pub(crate) mod computed_blocks;
pub mod defaults;

use std::convert::Infallible;

use ferroform_value::{Set, Value};

use self::defaults::DefaultScope;
use crate::Result;
use crate::schema::Block;

/// A configuration before and after its defaults are applied. Elements of sets have the same indexes in each form.
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
        let config = without_defaults(block, config);
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

fn without_defaults(block: &Block, config: &Value) -> Value {
    computed_blocks::with_null_for_omitted(block, block.object_of(config))
}

/// The configuration of an object without a plan, with all defaults, and with null for each omitted computed block. A
/// configuration of null becomes an object whose attributes are null.
///
/// # Errors
///
/// Returns an error for each attribute that requires a value but has none.
pub(crate) fn with_defaults(block: &Block, config: &Value) -> Result<Value> {
    Ok(defaults::apply_defaults(block, &without_defaults(block, config), DefaultScope::All)?.into_owned())
}

/// The value without duplicate elements of sets.
fn without_duplicates(value: Value) -> Value {
    let unique = |it| if let Value::Set(it) = it { Value::Set(it.into_iter().collect::<Set>()) } else { it };
    let Ok(transformed) = value.transform::<Infallible>(&mut |_, it| Ok(unique(it)));
    transformed
}
