//! The changes of resource identities.

use super::change::{Change, Changes, names};
use super::text::type_text;
use crate::provider_schema::model::{IdentitySchema, ProviderSchema};

/// Compares the identities of resources that exist in both versions. The identity of a new or removed resource is part
/// of the change of the resource.
pub(super) fn compare(old: &ProviderSchema, new: &ProviderSchema, found: &mut Vec<Change>) {
    let (old_identities, new_identities) = (&old.resource_identity_schemas, &new.resource_identity_schemas);
    for name in names(old_identities, new_identities) {
        if !old.resource_schemas.contains_key(name) || !new.resource_schemas.contains_key(name) {
            continue;
        }
        let mut changes = Changes::new(format!("resource identity {name}"));
        match (old_identities.get(name), new_identities.get(name)) {
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
    for name in names(&old.attributes, &new.attributes) {
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
        match (old.attributes.get(name), new.attributes.get(name)) {
            (Some(old), Some(new)) => {
                if old.ty != new.ty {
                    let types = (type_text(&old.ty), type_text(&new.ty));
                    let change = format!("the type changed from {} to {}", types.0, types.1);
                    changes.breaking(name, change.clone());
                    upgrade(changes, &change);
                }
                if new.required_for_import && !old.required_for_import {
                    changes.breaking(name, "is required for import now");
                } else if old.required_for_import && !new.required_for_import {
                    changes.additive(name, "is no longer required for import");
                }
                if old.description != new.description {
                    changes.informational(name, "the description changed");
                }
            }
            (Some(_), None) => {
                changes.breaking(name, "identity attribute removed");
                upgrade(changes, "stored identities contain the attribute");
            }
            (None, Some(it)) => {
                if it.required_for_import {
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
