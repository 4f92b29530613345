//! The changes of the types of attributes, at the innermost part that differs.

use ferroform_value::Type;

use super::change::{Changes, join};

/// Compares the types of an attribute. `is_configurable` is true if configurations can set it.
pub(super) fn compare(old: &Type, new: &Type, is_configurable: bool, path: &str, changes: &mut Changes) {
    if old == new {
        return;
    }
    match (old, new) {
        (Type::Object(old), Type::Object(new)) => {
            for it in old.attributes() {
                let path = join(path, &it.name);
                match new.get(&it.name) {
                    Some(new) => compare(&it.ty, &new.ty, is_configurable, &path, changes),
                    None => changes.breaking(&path, "attribute of the object removed"),
                }
            }
            for it in new.attributes().iter().filter(|it| old.get(&it.name).is_none()) {
                let path = join(path, &it.name);
                match is_configurable {
                    true => changes
                        .breaking(&path, "attribute of the object added: configurations have to set it"),
                    false => changes.additive(&path, "attribute of the object added"),
                }
            }
        }
        (Type::List(old), Type::List(new))
        | (Type::Set(old), Type::Set(new))
        | (Type::Map(old), Type::Map(new)) => compare(old, new, is_configurable, path, changes),
        _ => changes.breaking(path, format!("the type changed from {old} to {new}")),
    }
}
