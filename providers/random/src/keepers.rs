//! The argument `keepers`, which most resources share.

use std::collections::BTreeMap;

use ferroform::Model;
use ferroform::schema::map_changes;

/// The argument `keepers`.
#[derive(Model, Clone, Debug, Default, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Keepers {
    /// Arbitrary map of values. Changing one of them replaces the resource. See [Resource "Keepers"](../index.md).
    #[attr(requires_replace_if = map_changes)]
    pub(crate) keepers: Option<BTreeMap<String, Option<String>>>,
}
