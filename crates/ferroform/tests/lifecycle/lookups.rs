//! Lookups: data sources with the attributes of a resource.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use ferroform::raw::Kind;
use ferroform::schema::Mode;
use ferroform::value::Value;
use ferroform::{
    ApplyCx, Args, Config, Context as _, Deferral, Diagnostic, Known, Lookup, LookupCx, Model, Planned,
    ReadCx, RequestCx, Resource, Result, Timeouts, path,
};
use ferroform_testing::{Harness, config, provider};

provider! { Cloud { resource Machine = "cloud_machine", lookup MachineByName = "cloud_machine" } }

/// A virtual machine.
#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    /// The name of the machine.
    #[attr(requires_replace, validate = ferroform::validators::length_at_least(3))]
    name: String,
    /// The region of the machine.
    #[attr(default = "eu")]
    region: String,
    #[attr(sensitive)]
    password: Option<String>,
    #[attr(write_only)]
    key: Option<String>,
    #[attr(computed)]
    id: String,
    tags: Option<BTreeMap<String, String>>,
    #[attr(block)]
    disks: Vec<Disk>,
    #[attr(deprecated = "use disks")]
    volumes: Option<BTreeSet<String>>,
    network: Option<Network>,
    /// The number of CPUs.
    cpus: Option<u64>,
    #[attr(timeouts(create = "5m"))]
    timeouts: Option<Timeouts>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    size: u64,
    #[attr(sensitive)]
    passphrase: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Network {
    /// The name of the network.
    name: String,
    #[attr(write_only)]
    psk: Option<String>,
}

impl Resource for Machine {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<MachineComputed> {
        Ok(MachineComputed { id: "m-1".into() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<MachineComputed> {
        Ok(MachineComputed { id: "m-1".into() })
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// Looks up a machine by its name, and optionally by its region.
#[derive(Model, Clone, Debug, PartialEq)]
struct MachineByName {
    #[attr(validate = ferroform::validators::length_at_least(2))]
    name: String,
    region: Option<String>,
    /// Not an attribute of the resource.
    newest: Option<bool>,
    #[attr(default = 3)]
    cpus: u64,
}

impl Lookup for MachineByName {
    type Resource = Machine;

    async fn validate(_: &RequestCx, config: Config<Self>) -> Result<()> {
        match config.newest {
            Known(Some(false)) => Err(Diagnostic::error("Use newest = true").at(path!(newest)).into()),
            _ => Ok(()),
        }
    }

    async fn read(cx: &LookupCx<Self>, args: Args<Self>) -> Result<Machine> {
        if args.name == "later" {
            return Err(cx.defer(Deferral::AbsentPrerequisite));
        }
        let found = (args.name != "missing").then_some(());
        found.context("No Such Machine").at(path!(name))?;
        Ok(Machine {
            name: args.name,
            region: args.region.unwrap_or_else(|| "us".into()),
            password: Some("hunter22".into()),
            key: Some("never stored".into()),
            id: "m-7".into(),
            tags: Some(BTreeMap::from([("a".into(), "b".into())])),
            disks: vec![Disk { size: 4, passphrase: "passphrase".into() }],
            volumes: None,
            network: Some(Network { name: "net".into(), psk: Some("never stored".into()) }),
            cpus: Some(args.cpus),
            timeouts: None,
        })
    }
}

fn harness() -> Harness {
    Harness::start::<Cloud>(config! {})
}

#[test]
fn attributes_of_the_resource_are_computed() {
    let server = ferroform::server::<Cloud>();
    let block = server.block(Kind::DataSource.named("cloud_machine")).unwrap();
    let line = |it: &ferroform::schema::Attribute| {
        let sensitive = if it.is_sensitive() { ", sensitive" } else { "" };
        format!("{}: {} {:?}{sensitive} {:?}\n", it.name(), it.ty(), it.mode(), it.full_description())
    };
    let lines: String = block.attributes().iter().map(line).collect();
    expect![[r#"
        name: string Required "The name of the machine."
        region: string OptionalComputed "The region of the machine."
        newest: bool Optional "Not an attribute of the resource."
        cpus: number OptionalComputed "The number of CPUs. Defaults to `3`."
        password: string Computed, sensitive ""
        id: string Computed ""
        tags: map(string) Computed ""
        volumes: set(string) Computed ""
        network: object({name = string}) Computed ""
        disks: list(object({passphrase = string, size = number})) Computed ""
    "#]]
    .assert_eq(&lines);
    assert!(block.blocks().is_empty());
    assert!(block.get("key").is_none() && block.get("timeouts").is_none());
    assert_eq!(block.get("region").unwrap().mode(), Mode::OptionalComputed);
    assert!(server.definition_errors().is_empty(), "{}", server.definition_errors());
}

#[test]
fn read_returns_the_object() {
    let found = harness().data_source("cloud_machine").read(config! { name = "web" });
    assert_eq!(found.get::<String>(path!(id)), "m-7");
    assert_eq!(found.get::<String>(path!(region)), "us");
    assert_eq!(found.get::<u64>(path!(disks[0].size)), 4);
    assert_eq!(found.get::<String>(path!(network.name)), "net");
    assert_eq!(found.value().at(&path!(newest)), Some(&Value::Null));
    let all = format!("{:?}", found.value());
    assert!(!all.contains("never stored"), "write-only values are omitted");
}

#[test]
fn configured_arguments_are_kept() {
    let found =
        harness().data_source("cloud_machine").read(config! { name = "web", region = "asia", newest = true });
    assert_eq!(found.get::<String>(path!(region)), "asia");
    assert!(found.get::<bool>(path!(newest)));
}

#[test]
fn arguments_are_validated() {
    let machines = harness().data_source("cloud_machine");
    let errors = machines.try_read(config! { name = "w" }).error();
    assert!(errors.to_string().contains("name: Invalid Attribute Value Length"), "{errors}");
    let errors = machines.try_read(config! { name = "web", newest = false }).error();
    assert_eq!(errors.to_string(), "newest: Use newest = true");
    let errors = machines.try_read(config! { name = "web", id = "m-1" }).error();
    assert!(errors.to_string().contains("id: Invalid Configuration for Read-Only Attribute"), "{errors}");
}

#[test]
fn missing_object_is_reported_at_the_argument() {
    let errors = harness().data_source("cloud_machine").try_read(config! { name = "missing" }).error();
    assert_eq!(errors.to_string(), "name: No Such Machine");
}

#[test]
fn lookup_can_be_deferred() {
    let machines = harness().allow_deferral().data_source("cloud_machine");
    assert_eq!(machines.try_read(config! { name = "later" }).deferral(), Deferral::AbsentPrerequisite);
}

provider! { Wrong { resource Volume = "wrong_volume", lookup VolumeByLabel = "wrong_volume" } }

#[derive(Model, Clone, Debug, PartialEq)]
struct Volume {
    #[attr(requires_replace)]
    label: u64,
}

impl Resource for Volume {
    type Provider = Wrong;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<VolumeComputed> {
        Ok(VolumeComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// An argument with another type than the attribute, and a validator of the whole struct.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(validate = anything)]
struct VolumeByLabel {
    label: String,
}

fn anything(_: &Config<VolumeByLabel>) -> Result<(), &'static str> {
    Ok(())
}

impl Lookup for VolumeByLabel {
    type Resource = Volume;

    async fn read(_: &LookupCx<Self>, _: Args<Self>) -> Result<Volume> {
        Ok(Volume { label: 7 })
    }
}

#[test]
fn mistakes_in_lookups_are_definition_errors() {
    let errors = ferroform::server::<Wrong>().definition_errors();
    expect![[r#"
        Invalid Provider Definition: In the provider: lookup wrong_volume: the argument `label` is string, but the attribute of the resource is number. This is a bug in the provider; please report it to its authors.
        Invalid Provider Definition: In the provider: lookup wrong_volume: a model with `#[attr(validate = …)]` cannot be a lookup: implement `Lookup::validate`. This is a bug in the provider; please report it to its authors."#]].assert_eq(&errors.to_string());
}
