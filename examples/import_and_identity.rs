//! Import by an import ID, import by resource identity, and generated configuration.
//!
//! ```hcl
//! import {
//!   to       = disks_disk.data
//!   identity = { project = "shop", number = 7 }
//! }
//! ```

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use ferroform::{
    ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result,
};

fn main() -> ExitCode {
    ferroform::serve::<Disks>()
}

/// The service: the size of each disk by project, zone and number.
static SERVICE: Mutex<BTreeMap<(String, String, u32), u64>> = Mutex::new(BTreeMap::new());

struct Disks;

impl Provider for Disks {
    const ADDRESS: &'static str = "registry.terraform.io/example/disks";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Disks))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Disk>("disks_disk");
    }
}

/// A disk. Its identity consists of the attributes that never change.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{project}/{zone}/{number}", import = "{project}/{number}")]
struct Disk {
    /// Project that owns the disk.
    #[attr(identity, requires_replace)]
    project: String,
    /// Zone of the disk.
    #[attr(identity, requires_replace, default = "north")]
    zone: String,
    /// Number of the disk in its project and zone.
    #[attr(identity, requires_replace)]
    number: u32,
    /// Size in gigabytes.
    size: u64,
}

impl Disk {
    fn key(&self) -> (String, String, u32) {
        (self.project.clone(), self.zone.clone(), self.number)
    }
}

impl Resource for Disk {
    type Provider = Disks;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<DiskComputed> {
        let key = (plan.project, plan.zone, plan.number);
        SERVICE.lock().unwrap_or_else(PoisonError::into_inner).insert(key, plan.size);
        Ok(DiskComputed {})
    }

    /// Import calls this method with the attributes of the import ID or identity. All other attributes are null,
    /// default or empty values.
    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let size = SERVICE.lock().unwrap_or_else(PoisonError::into_inner).get(&state.key()).copied();
        Ok(size.map(|size| Disk { size, ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<DiskComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        SERVICE.lock().unwrap_or_else(PoisonError::into_inner).remove(&state.key());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ferroform::path;
    use ferroform_testing::{Harness, config};

    use super::*;

    #[test]
    fn disk_is_imported_by_id_and_by_identity() {
        let harness = Harness::start::<Disks>(config! {});
        let mut disk = harness.resource("disks_disk");
        disk.apply(config! { project = "shop", number = 7, size = 10 });
        assert_eq!(disk.identity().get::<String>(path!(zone)), "north");

        // terraform import disks_disk.data shop/7
        let mut by_id = harness.resource("disks_disk");
        assert_eq!(by_id.import("shop/7").get::<u64>(path!(size)), 10);
        // import { to = disks_disk.data, identity = { project = "shop", number = 7 } }
        let mut by_identity = harness.resource("disks_disk");
        let state = by_identity.import_by_identity(config! { project = "shop", number = 7 });
        assert_eq!(state, by_id.state());
        // terraform plan -generate-config-out=generated.tf
        let generated = by_identity.generate_config().to_string();
        assert!(generated.contains("size"), "{generated}");
        assert!(!generated.contains("zone"), "the default is omitted: {generated}");
    }

    #[test]
    fn import_id_without_matching_pattern_is_rejected() {
        let harness = Harness::start::<Disks>(config! {});
        let error = harness.resource("disks_disk").try_import("shop/seven").error().to_string();
        assert!(error.contains("{project}/{zone}/{number}"), "{error}");
    }

    #[test]
    fn provider_violates_no_invariant() {
        ferroform_testing::check_provider::<Disks>();
    }
}
