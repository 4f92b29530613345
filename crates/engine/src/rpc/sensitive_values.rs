//! The sensitive values of a request, which its diagnostics must not contain.

use std::borrow::Cow;

use ferroform_value::Value;

use crate::ProviderServer;
use crate::planning::defaults::{self, DefaultScope};
use crate::redaction::SensitiveValues;
use crate::schema::Block;

impl ProviderServer {
    /// The sensitive values in a request about a resource.
    pub(crate) fn sensitive_values_of<const N: usize>(
        &self,
        type_name: &str,
        values: [&Option<Value>; N],
    ) -> SensitiveValues {
        match self.resource(type_name) {
            Ok(resource) => sensitive_values(&resource.schema().block, values.into_iter().flatten()),
            Err(_) => SensitiveValues::default(),
        }
    }
}

/// The sensitive values in the objects and in the defaults of `default_with`, such as environment variables.
pub(super) fn sensitive_values<'a>(
    block: &Block,
    values: impl IntoIterator<Item = &'a Value>,
) -> SensitiveValues {
    if !block.facts().has_sensitive {
        return SensitiveValues::default();
    }
    let with_defaults = |it: &'a Value| match defaults::apply_defaults(block, it, DefaultScope::Configuration)
    {
        Ok(Cow::Owned(with_defaults)) => vec![Cow::Borrowed(it), Cow::Owned(with_defaults)],
        _ => vec![Cow::Borrowed(it)],
    };
    let all: Vec<Cow<'_, Value>> = values.into_iter().flat_map(with_defaults).collect();
    SensitiveValues::of(block, all.iter().map(AsRef::as_ref))
}
