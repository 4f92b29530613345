//! The changes of the types of attributes, at the innermost part that differs.

use serde_json::Value;

use super::change::{Changes, join};
use super::text::type_text;

/// Compares the types of an attribute. `is_configurable` is true if configurations can set it.
pub(super) fn compare(old: &Value, new: &Value, is_configurable: bool, path: &str, changes: &mut Changes) {
    if old == new {
        return;
    }
    match (constructor(old), constructor(new)) {
        (Some(("object", Value::Object(old))), Some(("object", Value::Object(new)))) => {
            for (name, old) in old {
                let path = join(path, name);
                match new.get(name) {
                    Some(new) => compare(old, new, is_configurable, &path, changes),
                    None => changes.breaking(&path, "attribute of the object removed"),
                }
            }
            for name in new.keys().filter(|it| !old.contains_key(*it)) {
                let path = join(path, name);
                match is_configurable {
                    true => changes
                        .breaking(&path, "attribute of the object added: configurations have to set it"),
                    false => changes.additive(&path, "attribute of the object added"),
                }
            }
        }
        (Some((old_name, old)), Some((new_name, new)))
            if old_name == new_name && ["list", "set", "map"].contains(&old_name) =>
        {
            compare(old, new, is_configurable, path, changes);
        }
        _ => {
            changes.breaking(path, format!("the type changed from {} to {}", type_text(old), type_text(new)))
        }
    }
}

/// Splits `["list", "string"]` into `list` and `"string"`.
pub(super) fn constructor(ty: &Value) -> Option<(&str, &Value)> {
    match ty.as_array()?.as_slice() {
        [Value::String(name), argument, ..] => Some((name, argument)),
        _ => None,
    }
}
