//! The provider type and its models. The resources refer to them, and the module `provider` registers the resources.

use ferroform::Model;
use ferroform::defaults::env;

use super::store::Store;

/// The provider's configuration.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// The directory with the objects.
    #[attr(default_with = env("FERROFORM_PROBE_DIRECTORY"))]
    pub(crate) directory: String,
    /// Credentials, which a real service would need.
    #[attr(sensitive)]
    pub(crate) token: Option<String>,
}

/// Provider metadata.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Team {
    /// The team that owns the resources of the module.
    #[attr(validate = not_empty)]
    pub(crate) team: Option<String>,
}

fn not_empty(team: &str) -> Result<(), &'static str> {
    if team.is_empty() { Err("the team must not be empty") } else { Ok(()) }
}

/// The provider.
pub(crate) struct Probe {
    pub(super) store: Store,
}
