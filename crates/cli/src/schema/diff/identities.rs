//! The changes of resource identities.

use std::collections::BTreeSet;

use ferroform_engine::Kind;
use ferroform_engine::schema::{Attribute, IdentitySchema, Mode};

use super::change::{Change, Changes};
use crate::provider_schema::ProviderSchema;

/// Compares the identities of resources that exist in both versions. The identity of a new or removed resource is part
/// of the change of the resource.
pub(super) fn compare(old: &ProviderSchema, new: &ProviderSchema, found: &mut Vec<Change>) {
    let names: BTreeSet<&String> = old.identities.keys().chain(new.identities.keys()).collect();
    for name in names {
        if ![old, new].iter().all(|it| it.of_kind(Kind::Resource).contains_key(name)) {
            continue;
        }
        let mut changes = Changes::new(format!("resource identity {name}"));
        match (old.identities.get(name), new.identities.get(name)) {
            (Some(old), Some(new)) => compare_identity(old, new, &mut changes),
            (Some(_), None) => changes.breaking("", "removed: `import` blocks cannot use the identity"),
            (None, Some(_)) => changes.additive("", "added"),
            (None, None) => {}
        }
        found.append(&mut changes.found);
    }
}

fn compare_identity(old: &IdentitySchema, new: &IdentitySchema, changes: &mut Changes) {
    if new.version < old.version {
        let versions = format!("the identity version decreased from {} to {}", old.version, new.version);
        changes.breaking("", format!("{versions}: Terraform rejects identities of the newer version"));
    }
    let mut is_upgraded = false;
    let is_required = |it: &Attribute| it.mode() == Mode::Required;
    let names = old.block.attributes().iter().chain(new.block.attributes()).map(|it| &**it.name());
    for name in names.collect::<BTreeSet<&str>>() {
        let mut upgrade = |changes: &mut Changes, change: &str| {
            is_upgraded = true;
            changes.upgrade(
                name,
                change,
                old.version,
                new.version,
                ("identity version", "an identity upgrade"),
            );
        };
        match (old.block.get(name), new.block.get(name)) {
            (Some(old), Some(new)) => {
                if old.ty() != new.ty() {
                    let change = format!("the type changed from {} to {}", old.ty(), new.ty());
                    changes.breaking(name, change.clone());
                    upgrade(changes, &change);
                }
                match (is_required(old), is_required(new)) {
                    (false, true) => changes.breaking(name, "is required for import now"),
                    (true, false) => changes.additive(name, "is no longer required for import"),
                    _ => {}
                }
                if old.full_description() != new.full_description() {
                    changes.informational(name, "the description changed");
                }
            }
            (Some(_), None) => {
                changes.breaking(name, "identity attribute removed");
                upgrade(changes, "stored identities contain the attribute");
            }
            (None, Some(it)) => {
                if is_required(it) {
                    changes.breaking(name, "identity attribute added, which is required for import");
                } else {
                    changes.additive(name, "identity attribute added");
                }
                upgrade(changes, "stored identities do not contain the attribute");
            }
            (None, None) => {}
        }
    }
    if !is_upgraded && new.version > old.version {
        let versions = format!("the identity version increased from {} to {}", old.version, new.version);
        changes.informational("", format!("{versions}: every older version needs an identity upgrade"));
    }
}
