//! The changes after which stored states of a managed resource need a state upgrade.
//!
//! A state is JSON, and providers read it leniently. So no upgrade is needed for attributes that were added, which are
//! null, or removed, which are ignored; for numbers and bools that became strings; and for a list that became a set, or
//! the other way around.

use serde_json::{Value, json};

use super::change::{Changes, join};
use super::text::type_text;
use super::types::constructor;
use crate::provider_schema::model::{Attribute, Block, ByName, Schema};

/// The name of a part of a state, with its type in the old and in the new schema.
type Part = (String, Value, Value);

/// Compares the types of the values that states contain.
pub(super) fn compare(old: &Schema, new: &Schema, changes: &mut Changes) {
    if new.version < old.version {
        let versions = format!("the schema version decreased from {} to {}", old.version, new.version);
        changes.breaking("", format!("{versions}: Terraform rejects states of the newer version"));
    }
    let (old_type, new_type) = (state_type(old.block()), state_type(new.block()));
    let mut parts = Vec::new();
    different_parts(&old_type, &new_type, "", &mut parts);
    for (path, old_type, new_type) in &parts {
        let change = format!("stored values change from {} to {}", type_text(old_type), type_text(new_type));
        changes.upgrade(path, &change, old.version, new.version, ("schema version", "a state upgrade"));
    }
    if parts.is_empty() && new.version > old.version {
        let versions = format!("the schema version increased from {} to {}", old.version, new.version);
        changes.informational("", format!("{versions}: every older version needs a state upgrade"));
    }
}

/// Finds the innermost parts that cannot be read as the new type. Parts that exist in only one of the types are no
/// differences.
fn different_parts(old: &Value, new: &Value, path: &str, parts: &mut Vec<Part>) {
    if old == new || (new == "string" && (old == "number" || old == "bool")) {
        return;
    }
    match (constructor(old), constructor(new)) {
        (Some(("object", old)), Some(("object", new))) => {
            let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return };
            for (name, old) in old {
                if let Some(new) = new.get(name) {
                    different_parts(old, new, &join(path, name), parts);
                }
            }
        }
        (Some((old_name, old)), Some((new_name, new)))
            if is_sequence(old_name) && is_sequence(new_name) || (old_name, new_name) == ("map", "map") =>
        {
            different_parts(old, new, path, parts);
        }
        _ => parts.push((path.to_owned(), old.clone(), new.clone())),
    }
}

/// Returns true for the collections that are arrays in a state.
fn is_sequence(constructor: &str) -> bool {
    constructor == "list" || constructor == "set"
}

/// Returns the type of the values of a block in a state.
fn state_type(block: &Block) -> Value {
    let mut members = members(&block.attributes);
    for (name, nested) in &block.block_types {
        members.insert(name.clone(), nested_type(&nested.nesting_mode, state_type(&nested.block)));
    }
    json!(["object", members])
}

fn members(attributes: &ByName<Attribute>) -> serde_json::Map<String, Value> {
    let stored = attributes.iter().filter(|(_, it)| !it.write_only);
    let member = |(name, it): (&String, &Attribute)| {
        let ty = match &it.nested_type {
            Some(nested) => nested_type(&nested.nesting_mode, json!(["object", members(&nested.attributes)])),
            None => it.ty.clone(),
        };
        (name.clone(), ty)
    };
    stored.map(member).collect()
}

fn nested_type(nesting_mode: &str, object: Value) -> Value {
    match nesting_mode {
        "list" | "set" | "map" => json!([nesting_mode, object]),
        _ => object,
    }
}
