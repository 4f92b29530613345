//! Validators of objects receive the values of `default_with`.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::schema::Schema;
use ferroform::validators::{configured, each};
use ferroform::value::Step;
use ferroform::{Attr, Config, Diagnostic, Diagnostics, Known, Model, path};
use ferroform_testing::{Configuration, config, unknown};

use crate::common::instance;

/// A server.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(validate = not_in_mars)]
struct Server {
    #[attr(default_with = || Some("mars".to_owned()))]
    region: String,
    #[attr(validate = configured(no_slow_disk))]
    disk: Option<Disk>,
    #[attr(validate = each(configured(no_slow_disk)))]
    disks: Option<Vec<Disk>>,
    named: Option<BTreeMap<String, Disk>>,
    #[attr(block, validate = each(configured(no_slow_disk)))]
    spare: Vec<Disk>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[attr(validate = no_slow_disk)]
struct Disk {
    slot: u8,
    #[attr(default_with = || Some("rust".to_owned()))]
    kind: String,
}

fn not_in_mars(it: &Config<Server>) -> Result<(), &'static str> {
    if it.region == Known("mars".to_owned()) { Err("it is too far") } else { Ok(()) }
}

fn no_slow_disk(it: &Config<Disk>) -> Result<(), &'static str> {
    if it.kind == Known("rust".to_owned()) { Err("rust is slow") } else { Ok(()) }
}

fn check(schema: Schema, config: Configuration, expected: &str) {
    assert_eq!(instance(schema, true, None).try_apply(config).error().to_string(), expected);
}

#[test]
fn object_validator_receives_defaults() {
    check(Server::schema(), config! {}, "Invalid Attribute Value: It is too far.");
    instance(Server::schema(), true, None).plan(config! { region = "eu" });
    instance(Server::schema(), true, None).plan(config! { region = unknown() });
}

#[test]
fn nested_object_validator_receives_defaults() {
    check(
        Server::schema(),
        config! { region = "eu", disk = { slot = 1 } },
        "disk: Invalid Attribute Value: Rust is slow.",
    );
    check(
        Server::schema(),
        config! { region = "eu", disks = [{ slot = 1, kind = "ssd" }, { slot = 2 }] },
        "disks[1]: Invalid Attribute Value: Rust is slow.",
    );
    check(
        Server::schema(),
        config! { region = "eu", named = { a = { slot = 1 } } },
        "named[\"a\"]: Invalid Attribute Value: Rust is slow.",
    );
    check(
        Server::schema(),
        config! { region = "eu", spare { slot = 1 } },
        "spare[0]: Invalid Attribute Value: Rust is slow.",
    );
}

/// Validators of a set element receive the values of `default_with`, and their errors have the path of the configured
/// element. An error that several validators report is returned once.
#[test]
fn set_element_validator_receives_defaults() {
    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(validate = no_shelf_with_slow_disk)]
    struct Shelves {
        #[attr(validate = each(configured(no_slow_disk)))]
        disks: Option<BTreeSet<Disk>>,
        #[attr(block, validate = each(configured(no_slow_disk_in_shelf)))]
        shelf: BTreeSet<Shelf>,
    }

    #[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[attr(validate = no_slow_disk_in_shelf)]
    struct Shelf {
        #[attr(default_with = || Some("left".to_owned()))]
        side: String,
        #[attr(validate = each(configured(no_slow_disk)))]
        disks: Option<BTreeSet<Disk>>,
    }

    fn no_slow_disk_in_shelf(it: &Config<Shelf>) -> Result<(), Diagnostics> {
        let Known(Some(disks)) = &it.disks else { return Ok(()) };
        let mut found = Diagnostics::new();
        for disk in disks.iter().filter_map(|it| it.as_ref().known()) {
            let step = Step::Element(Box::new(disk.to_value()));
            let element = path!(disks).then(step);
            if no_slow_disk(disk).is_err() {
                found.push(Diagnostic::error("Invalid Attribute Value").detail("Rust is slow.").at(element));
            }
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    fn no_shelf_with_slow_disk(it: &Config<Shelves>) -> Result<(), Diagnostics> {
        let Known(shelves) = &it.shelf else { return Ok(()) };
        let mut found = Diagnostics::new();
        for shelf in shelves.iter().filter_map(|it| it.as_ref().known()) {
            if let Err(broken) = no_slow_disk_in_shelf(shelf) {
                found.extend(broken.at(path!(shelf).then(Step::Element(Box::new(shelf.to_value())))));
            }
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    check(
        Shelves::schema(),
        config! { disks = [{ slot = 1 }, { slot = 2, kind = "ssd" }] },
        "disks[an element of the set]: Invalid Attribute Value: Rust is slow.",
    );
    let slow =
        "shelf[an element of the set].disks[an element of the set]: Invalid Attribute Value: Rust is slow.";
    check(Shelves::schema(), config! { shelf { disks = [{ slot = 1 }] } }, slow);
}

/// If a default returns no value, only the missing value is reported.
#[test]
fn default_without_value_is_reported_as_missing() {
    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(validate = never)]
    struct Strict {
        #[attr(default_with = || None)]
        token: String,
        #[attr(validate = configured(never_inside))]
        inside: Option<Inside>,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Inside {
        #[attr(default_with = || None)]
        key: String,
    }

    fn never(_: &Config<Strict>) -> Result<(), &'static str> {
        Err("never")
    }

    fn never_inside(_: &Config<Inside>) -> Result<(), &'static str> {
        Err("never")
    }

    let missing = |path: &str, name: &str| {
        format!(
            "{path}: Missing Configuration for Required Attribute: The argument \"{name}\" is required, but it is not set. Set it in the configuration."
        )
    };
    let found = instance(Strict::schema(), true, None).try_apply(config! { inside = {} }).error();
    assert_eq!(found.to_string(), [missing("token", "token"), missing("inside.key", "key")].join("\n"));
}

/// A plain function receives a complete object with defaults, not a configuration.
#[test]
fn validator_function_receives_defaults() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Holder {
        #[attr(validate = no_flash)]
        it: Option<Drive>,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Drive {
        #[attr(default = "flash")]
        kind: String,
    }

    fn no_flash(it: &Drive) -> Result<(), String> {
        if it.kind == "flash" { Err(format!("{} is dear", it.kind)) } else { Ok(()) }
    }

    let found = instance(Holder::schema(), true, None).try_apply(config! { it = {} }).error();
    assert_eq!(found.to_string(), "it: Invalid Attribute Value: Flash is dear.");
}
