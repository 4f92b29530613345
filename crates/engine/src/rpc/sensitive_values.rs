//! The sensitive values of a request, which its diagnostics must not contain.

use std::borrow::Cow;
use std::sync::PoisonError;

use ferroform_value::Value;

use crate::ProviderServer;
use crate::normalization::defaults::{self, DefaultScope};
use crate::redaction::SensitiveValues;
use crate::schema::Block;

impl ProviderServer {
    /// The sensitive values of the provider's configuration.
    pub(crate) fn provider_sensitive_values(&self) -> SensitiveValues {
        let values = self.sensitive.read().unwrap_or_else(PoisonError::into_inner);
        SensitiveValues::of_provider(values.clone())
    }
}

impl SensitiveValues {
    /// Adds the sensitive values in the objects and in the defaults of `default_with`, such as environment variables.
    pub(crate) fn add_with_defaults<'a>(
        &mut self,
        block: &Block,
        objects: impl IntoIterator<Item = &'a Value>,
    ) {
        if !block.facts().has_sensitive && !self.has_any() {
            return;
        }
        for object in objects {
            self.add(block, object);
            if let Ok(Cow::Owned(with_defaults)) =
                defaults::apply_defaults(block, object, DefaultScope::Configuration)
            {
                self.add(block, &with_defaults);
            }
        }
    }
}

/// The sensitive values in the objects and in the defaults of `default_with`, such as environment variables.
pub(super) fn sensitive_values<'a>(
    block: &Block,
    values: impl IntoIterator<Item = &'a Value>,
) -> SensitiveValues {
    let mut all = SensitiveValues::default();
    all.add_with_defaults(block, values);
    all
}
