//! `requires_replace_if` with the sibling attributes, the provider and the clock.

use std::time::{Duration, SystemTime};

use ferroform::schema::ValueChange;
use ferroform::{Known, Maybe, Model, Planned, Provider, Registry, RequestCx, Resource, Result, path};
use ferroform_testing::{Harness, config};

struct Cloud {
    fixed_class: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    fixed_class: String,
}

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: ferroform::Config<Settings>) -> Result<Maybe<Self>> {
        Ok(config.fixed_class.map(|fixed_class| Cloud { fixed_class }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Volume>("cloud_volume");
    }
}

/// A volume with disks.
#[derive(Model, Clone, Debug, PartialEq)]
struct Volume {
    /// The seconds since 1970 at which the key expires.
    expires: u64,
    #[attr(requires_replace_if = is_expired)]
    key: String,
    disks: Vec<Disk>,
    #[attr(flatten)]
    placement: Placement,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Placement {
    movable: Option<bool>,
    #[attr(requires_replace_if = is_pinned)]
    zone: Option<String>,
}

/// A flattened model reads its own attributes and those of the resource.
fn is_pinned(change: &ValueChange<String>) -> bool {
    let (placement, volume) = (change.object::<Placement>().unwrap(), change.object::<Volume>().unwrap());
    assert_eq!(placement.prior, volume.prior.map(|it| it.placement));
    placement.plan.movable != Known(Some(true))
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    class: String,
    #[attr(requires_replace_if = is_fixed)]
    size: u64,
}

fn is_expired(change: &ValueChange<String>) -> bool {
    let Some(volume) = change.object::<Volume>() else { return true };
    let Some(prior) = volume.prior else { return true };
    SystemTime::UNIX_EPOCH + Duration::from_secs(prior.expires) <= change.clock().system_time()
}

/// The provider names the class of disks whose size is fixed.
fn is_fixed(change: &ValueChange<u64>) -> bool {
    let (Some(disk), Some(cloud)) = (change.object::<Disk>(), change.provider::<Cloud>()) else {
        return true;
    };
    assert_eq!(disk.plan.size, change.plan.map(|it| it.unwrap_or_default()));
    disk.config.class != Known("any".to_owned()) && disk.plan.class == Known(cloud.fixed_class.clone())
}

impl Resource for Volume {
    crate::common::state_only_resource!(Cloud, VolumeComputed { placement: PlacementComputed {} });
}

#[test]
fn condition_uses_the_siblings_and_the_provider() {
    let harness = Harness::start::<Cloud>(config! { fixed_class = "archive" });
    let mut volume = harness.resource("cloud_volume");
    let disks = |class: &str, size: u64| {
        config! { expires = 0, key = "k", disks = [{ class = "archive", size = 1 }, { class = class, size = size }] }
    };
    volume.apply(disks("archive", 1));
    assert_eq!(volume.plan(disks("archive", 2)).requires_replace, [path!(disks[1].size)]);
    assert_eq!(volume.plan(disks("standard", 2)).requires_replace, []);
}

#[test]
fn condition_uses_the_clock_of_the_test() {
    let harness = Harness::start::<Cloud>(config! { fixed_class = "archive" });
    let mut volume = harness.resource("cloud_volume");
    let now = harness.clock().system_time().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let key = |key: &str| config! { expires = now + 3600, key = key, disks = [] };
    volume.apply(key("a"));
    assert_eq!(volume.plan(key("b")).requires_replace, []);
    harness.clock().advance(Duration::from_secs(3600));
    assert_eq!(volume.plan(key("b")).requires_replace, [path!(key)]);
    harness.clock().set_system_time(SystemTime::UNIX_EPOCH);
    assert_eq!(volume.plan(key("b")).requires_replace, []);
}

#[test]
fn condition_in_a_flattened_model_uses_its_siblings() {
    let harness = Harness::start::<Cloud>(config! { fixed_class = "archive" });
    let mut volume = harness.resource("cloud_volume");
    let placed = |zone: &str, movable: bool| {
        config! { expires = 0, key = "k", disks = [], zone = zone, movable = movable }
    };
    volume.apply(placed("a", true));
    assert_eq!(volume.plan(placed("b", true)).requires_replace, []);
    assert_eq!(volume.plan(placed("b", false)).requires_replace, [path!(zone)]);
}
