//! The changes after which stored states of a managed resource need a state upgrade.
//!
//! A state is JSON, and providers read it leniently. So no upgrade is needed for attributes that were added, which are
//! null, or removed, which are ignored; for numbers and bools that became strings; and for a list that became a set, or
//! the other way around.

use ferroform_engine::schema::{Block, Member, Schema};
use ferroform_value::Type;

use super::change::{Changes, join};

/// Compares the types of the values that states contain.
pub(super) fn compare(old: &Schema, new: &Schema, changes: &mut Changes) {
    if new.version < old.version {
        let versions = format!("the schema version decreased from {} to {}", old.version, new.version);
        changes.breaking("", format!("{versions}: Terraform rejects states of the newer version"));
    }
    let mut is_different = false;
    incompatible_types(
        &state_type(&old.block),
        &state_type(&new.block),
        "",
        &mut |path, old_type, new_type| {
            is_different = true;
            let change = format!("stored values change from {old_type} to {new_type}");
            changes.upgrade(path, &change, old.version, new.version, ("schema version", "a state upgrade"));
        },
    );
    if !is_different && new.version > old.version {
        let versions = format!("the schema version increased from {} to {}", old.version, new.version);
        changes.informational("", format!("{versions}: every older version needs a state upgrade"));
    }
}

/// Reports the innermost types that cannot be read as the new type, with their attribute path. An attribute that only
/// one of the types has is no difference.
fn incompatible_types(old: &Type, new: &Type, path: &str, report: &mut dyn FnMut(&str, &Type, &Type)) {
    match (old, new) {
        (Type::Number | Type::Bool, Type::String) => {}
        (Type::Object(old), Type::Object(new)) => {
            for it in old.attributes() {
                if let Some(new) = new.get(&it.name) {
                    incompatible_types(&it.ty, &new.ty, &join(path, &it.name), report);
                }
            }
        }
        // Lists and sets are arrays in a state.
        (Type::List(old) | Type::Set(old), Type::List(new) | Type::Set(new))
        | (Type::Map(old), Type::Map(new)) => incompatible_types(old, new, path, report),
        _ if old == new => {}
        _ => report(path, old, new),
    }
}

/// Returns the type of the values of a block in a state, which contains no write-only attributes.
fn state_type(block: &Block) -> Type {
    let is_stored = |it: &Member<'_>| !matches!(it, Member::Attribute(it) if it.is_write_only());
    let of = |it: Member<'_>| match it.nested() {
        Some((nesting, block)) => nesting.of(state_type(block)),
        None => it.ty().clone(),
    };
    Type::object(block.members().filter(is_stored).map(|it| (it.name().clone(), of(it))))
}
