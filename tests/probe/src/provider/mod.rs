//! A provider whose objects are JSON files in a folder, so that a test can change them behind its back.

mod behaviour;
mod cluster;
mod machine;
mod panic;
mod parcel;
mod patient;
mod slow;
mod store;
mod thing;
mod volume;

use std::path::PathBuf;

use ferroform::defaults::env;
use ferroform::{Call, Config, Known, Maybe, Model, Provider, Registry, Result, Unknown};

use self::store::Store;

/// The provider's configuration.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// Where the objects are.
    #[attr(default_with = env("FERROFORM_PROBE_FOLDER"))]
    folder: String,
    /// What one would need at a real service.
    #[attr(sensitive)]
    token: Option<String>,
}

/// What a module can say of itself.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Team {
    /// Who answers for it.
    #[attr(validate = not_empty)]
    team: Option<String>,
}

fn not_empty(team: &str) -> Result<(), &'static str> {
    if team.is_empty() { Err("somebody must answer for it") } else { Ok(()) }
}

pub(crate) struct Probe {
    store: Store,
}

impl Provider for Probe {
    const ADDRESS: &'static str = crate::ADDRESS;
    type Config = Settings;

    async fn configure(_: &Call, config: Config<Settings>) -> Result<Maybe<Self>> {
        tracing::debug!(?config, "configure");
        Ok(match config.folder {
            Known(folder) => Known(Probe { store: Store::new(PathBuf::from(folder))? }),
            Unknown => Unknown,
        })
    }

    fn register(registry: &mut Registry<Self>) {
        let name = crate::ADDRESS.rsplit('/').next().unwrap_or_default();
        registry
            .meta::<Team>()
            .resource::<patient::Patient>(format!("{name}_patient"))
            .resource::<thing::Thing>(format!("{name}_thing"))
            .resource::<behaviour::Behaviour>(format!("{name}_behaviour"))
            .resource::<machine::Machine>(format!("{name}_machine"))
            .resource::<volume::Volume>(format!("{name}_volume"))
            .resource::<slow::Slow>(format!("{name}_slow"))
            .resource::<panic::Fragile>(format!("{name}_panic"))
            .resource::<parcel::Parcel>(format!("{name}_parcel"))
            .data_source::<thing::Found>(format!("{name}_thing"));
        if crate::HAS_NESTED_ATTRIBUTES {
            registry.resource::<cluster::Cluster>(format!("{name}_cluster"));
            registry.resource::<patient::Outpatient>(format!("{name}_outpatient"));
        }
    }
}
