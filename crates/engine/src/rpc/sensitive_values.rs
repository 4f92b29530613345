//! The sensitive values of a request, which must not be shown in its diagnostics.

use std::borrow::Cow;

use ferroform_value::Value;

use crate::ProviderServer;
use crate::planning::defaults::{self, Which};
use crate::redaction::Secrets;
use crate::schema::Block;

impl ProviderServer {
    /// The sensitive values in a request about a resource.
    pub(crate) fn secrets<const N: usize>(&self, type_name: &str, values: [&Option<Value>; N]) -> Secrets {
        match self.resource(type_name) {
            Ok(resource) => sensitive_values(&resource.schema().block, values.into_iter().flatten()),
            Err(_) => Secrets::default(),
        }
    }
}

/// The sensitive values in the objects and in their defaults.
pub(super) fn sensitive_values<'a>(block: &Block, values: impl IntoIterator<Item = &'a Value>) -> Secrets {
    if !block.facts().has_sensitive {
        return Secrets::default();
    }
    let with_defaults = |it: &'a Value| match defaults::fill(block, it, Which::Given) {
        Ok(Cow::Owned(filled)) => vec![Cow::Borrowed(it), Cow::Owned(filled)],
        _ => vec![Cow::Borrowed(it)],
    };
    let all: Vec<Cow<'_, Value>> = values.into_iter().flat_map(with_defaults).collect();
    Secrets::of(block, all.iter().map(AsRef::as_ref))
}
