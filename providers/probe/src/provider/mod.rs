//! A provider whose objects are JSON files in a directory, so that a test can change them outside of Terraform.
//!
//! `check_provider` does not check it: many of its types violate invariants, because the end-to-end tests show what Terraform does then.

mod badge;
mod behavior;
mod cluster;
mod functions;
mod lease;
mod machine;
mod matching;
mod matrix;
mod notify;
mod panic;
mod parcel;
mod patient;
mod planned;
mod probe;
mod quote;
mod rack;
mod service;
mod shelf;
mod slow;
mod store;
mod talker;
mod thing;
mod volume;
mod volumes;

use std::env;
use std::path::PathBuf;

use ferroform::{Config, Diagnostic, Known, Maybe, Provider, Registry, RequestCx, Result, Unknown, path};

pub(crate) use self::probe::{Probe, Settings, Team};
use self::store::Store;

/// The environment variable with the concurrency limit. By default, there is none.
const CONCURRENCY_LIMIT: &str = "PROBE_CONCURRENCY_LIMIT";

impl Provider for Probe {
    const ADDRESS: &'static str = crate::ADDRESS;
    type Config = Settings;

    async fn validate(_: &RequestCx, config: Config<Settings>) -> Result<()> {
        let is_relative = |it: &String| !it.starts_with('/');
        match (&config.directory, &config.token) {
            (Known(directory), Known(Some(token))) if is_relative(directory) && token == "strict" => {
                let message = format!("The token {token:?} requires an absolute path");
                Err(Diagnostic::error(message).at(path!(directory)).into())
            }
            _ => Ok(()),
        }
    }

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        tracing::debug!(?config, "configure");
        Ok(match config.directory {
            Known(directory) => Known(Probe { store: Store::new(PathBuf::from(directory))? }),
            Unknown => Unknown,
        })
    }

    fn register(registry: &mut Registry<Self>) {
        let name = crate::ADDRESS.rsplit('/').next().unwrap_or_default();
        if let Some(limit) = env::var(CONCURRENCY_LIMIT).ok().and_then(|it| it.parse().ok()) {
            registry.concurrency_limit(limit);
        }
        registry
            .provider_meta::<Team>()
            .resource::<patient::Patient>(format!("{name}_patient"))
            .resource::<thing::Thing>(format!("{name}_thing"))
            .resource::<behavior::Behavior>(format!("{name}_behavior"))
            .resource::<planned::Planned>(format!("{name}_planned"))
            .resource::<quote::Quote>(format!("{name}_quote"))
            .resource::<machine::Machine>(format!("{name}_machine"))
            .resource::<rack::Rack>(format!("{name}_rack"))
            .resource::<badge::Badge>(format!("{name}_badge"))
            .list_resource::<badge::Badges>(format!("{name}_badge"))
            .resource::<volume::Volume>(format!("{name}_volume"))
            .lookup::<volumes::VolumeByNumber>(format!("{name}_volume"))
            .list_resource::<volumes::Volumes>(format!("{name}_volume"))
            .resource::<shelf::Shelf>(format!("{name}_shelf"))
            .resource::<slow::Slow>(format!("{name}_slow"))
            .resource::<talker::Talker>(format!("{name}_talker"))
            .resource::<panic::Fragile>(format!("{name}_panic"))
            .resource::<parcel::Parcel>(format!("{name}_parcel"))
            .resource::<service::Service>(format!("{name}_service"))
            .ephemeral_resource::<lease::Lease>(format!("{name}_lease"))
            .action::<notify::Notify>(format!("{name}_notify"))
            .function::<functions::Join>("join")
            .function::<functions::Describe>("describe")
            .function::<functions::Echo>("echo")
            .function::<functions::Fail>("fail")
            .data_source::<thing::Found>(format!("{name}_thing"));
        matrix::register(registry, name);
        if crate::HAS_NESTED_ATTRIBUTES {
            registry.resource::<cluster::Cluster>(format!("{name}_cluster"));
            registry.resource::<matching::Matching>(format!("{name}_matching"));
            registry.resource::<patient::Outpatient>(format!("{name}_outpatient"));
            registry.resource::<service::Endpoints>(format!("{name}_endpoints"));
        }
    }
}
