//! The sensitive values of a request, which its diagnostics must not contain.

use std::borrow::Cow;
use std::sync::PoisonError;

use ferroform_value::Value;

use crate::ProviderServer;
use crate::planning::defaults::{self, DefaultScope};
use crate::redaction::SensitiveValues;
use crate::schema::Block;

impl ProviderServer {
    /// The sensitive values in a request about a resource, and those of the provider's configuration.
    pub(crate) fn sensitive_values_of<const N: usize>(
        &self,
        type_name: &str,
        values: [&Option<Value>; N],
    ) -> SensitiveValues {
        match self.resource(type_name) {
            Ok(resource) => self.sensitive_values(&resource.schema().block, values.into_iter().flatten()),
            Err(_) => self.provider_sensitive_values(),
        }
    }

    /// The sensitive values in objects of the schema, and those of the provider's configuration.
    pub(crate) fn sensitive_values<'a>(
        &self,
        block: &Block,
        values: impl IntoIterator<Item = &'a Value>,
    ) -> SensitiveValues {
        let mut all = self.provider_sensitive_values();
        add_with_defaults(&mut all, block, values);
        all
    }

    /// The sensitive values of the provider's configuration.
    pub(crate) fn provider_sensitive_values(&self) -> SensitiveValues {
        let values = self.sensitive.read().unwrap_or_else(PoisonError::into_inner);
        SensitiveValues::of_provider(values.clone())
    }
}

/// The sensitive values in the objects and in the defaults of `default_with`, such as environment variables.
pub(super) fn sensitive_values<'a>(
    block: &Block,
    values: impl IntoIterator<Item = &'a Value>,
) -> SensitiveValues {
    let mut all = SensitiveValues::default();
    add_with_defaults(&mut all, block, values);
    all
}

fn add_with_defaults<'a>(
    all: &mut SensitiveValues,
    block: &Block,
    values: impl IntoIterator<Item = &'a Value>,
) {
    if !block.facts().has_sensitive {
        return;
    }
    for value in values {
        all.add(block, value);
        if let Ok(Cow::Owned(with_defaults)) =
            defaults::apply_defaults(block, value, DefaultScope::Configuration)
        {
            all.add(block, &with_defaults);
        }
    }
}
