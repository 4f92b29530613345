//! The sensitive values of a request, which its diagnostics must not contain.

use std::borrow::Cow;
use std::sync::PoisonError;

use ferroform_value::Value;

use crate::planning::defaults::{self, DefaultScope};
use crate::redaction::SensitiveValues;
use crate::schema::Block;
use crate::{Diagnostics, ProviderServer};

impl ProviderServer {
    /// The sensitive values in objects of the schema, and those of the provider's configuration. `block` is `None` if
    /// the request names an unknown type.
    pub(crate) fn sensitive_values<'a>(
        &self,
        block: Option<&Block>,
        values: impl IntoIterator<Item = &'a Value>,
    ) -> SensitiveValues {
        let mut all = self.provider_sensitive_values();
        if let Some(block) = block {
            add_with_defaults(&mut all, block, values);
        }
        all
    }

    /// The schema of a resource, if the provider has the resource.
    pub(crate) fn resource_block(&self, type_name: &str) -> Option<&Block> {
        self.resource(type_name).ok().map(|it| &it.schema().block)
    }

    /// The schema of a data source, if the provider has the data source.
    pub(crate) fn data_source_block(&self, type_name: &str) -> Option<&Block> {
        self.data_source(type_name).ok().map(|it| &it.schema().block)
    }

    /// The schema of an ephemeral resource, if the provider has it.
    pub(crate) fn ephemeral_resource_block(&self, type_name: &str) -> Option<&Block> {
        self.ephemeral_resource(type_name).ok().map(|it| &it.schema().block)
    }

    /// The sensitive values of the provider's configuration.
    pub(crate) fn provider_sensitive_values(&self) -> SensitiveValues {
        let values = self.sensitive.read().unwrap_or_else(PoisonError::into_inner);
        SensitiveValues::of_provider(values.clone())
    }
}

impl SensitiveValues {
    /// Masks the sensitive values of the request and those of the object that the response contains.
    pub(crate) fn mask_response(
        mut self,
        block: Option<&Block>,
        object: &Option<Value>,
        diagnostics: &mut Diagnostics,
    ) {
        if let (Some(block), Some(object)) = (block, object) {
            self.add(block, object);
        }
        self.mask(diagnostics);
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
