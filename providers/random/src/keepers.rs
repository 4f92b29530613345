//! The argument `keepers`, which most resources have.

use std::collections::BTreeMap;

use ferroform::Model;
use ferroform::schema::map_changes;

/// The argument `keepers`.
#[derive(Model, Clone, Debug, Default, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Keepers {
    /// Values of your choice. Changing one of them replaces the resource: see the page of the provider.
    #[attr(requires_replace_if = map_changes)]
    pub(crate) keepers: Option<BTreeMap<String, Option<String>>>,
}
