//! The provider and its models. The resources refer to them, and the module `provider` registers the resources.

use ferroform::Model;
use ferroform::defaults::env;

use super::store::Store;

/// The provider's configuration.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// Where the objects are.
    #[attr(default_with = env("FERROFORM_PROBE_FOLDER"))]
    pub(crate) folder: String,
    /// What one would need at a real service.
    #[attr(sensitive)]
    pub(crate) token: Option<String>,
}

/// What a module can say of itself.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Team {
    /// Who answers for it.
    #[attr(validate = not_empty)]
    pub(crate) team: Option<String>,
}

fn not_empty(team: &str) -> Result<(), &'static str> {
    if team.is_empty() { Err("somebody must answer for it") } else { Ok(()) }
}

/// The provider.
pub(crate) struct Probe {
    pub(super) store: Store,
}
