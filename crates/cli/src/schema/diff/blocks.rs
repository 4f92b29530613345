//! The changes of the attributes and nested blocks of a block.

use super::attributes;
use super::change::{Changes, join, names};
use super::text::nesting_text;
use crate::provider_schema::model::{Block, BlockType};

/// Compares two versions of a block. The path is empty for the block of the object itself.
pub(super) fn compare(old: &Block, new: &Block, path: &str, changes: &mut Changes) {
    attributes::compare_deprecation(
        (old.deprecated, &old.deprecation_message),
        (new.deprecated, &new.deprecation_message),
        path,
        changes,
    );
    if attributes::is_description_changed(
        (&old.description, &old.description_kind),
        (&new.description, &new.description_kind),
    ) {
        changes.informational(path, "the description changed");
    }
    // An attribute can become a block, and the other way around.
    let is_block = |name: &str| new.block_types.contains_key(name) || old.block_types.contains_key(name);
    attributes::compare_all(&old.attributes, &new.attributes, path, &is_block, changes);
    for name in names(&old.block_types, &new.block_types) {
        let path = join(path, name);
        match (old.block_types.get(name), new.block_types.get(name)) {
            (Some(old), Some(new)) => compare_nested(old, new, &path, changes),
            (Some(_), None) if new.attributes.contains_key(name) => {
                changes.breaking(&path, "was a block, but is an attribute now");
            }
            (None, Some(_)) if old.attributes.contains_key(name) => {
                changes.breaking(&path, "was an attribute, but is a block now");
            }
            (Some(_), None) => changes.breaking(&path, "block removed"),
            (None, Some(it)) if it.min_items > 0 => changes.breaking(&path, "required block added"),
            (None, Some(_)) => changes.additive(&path, "block added"),
            (None, None) => {}
        }
    }
}

/// Returns a number of blocks in words.
fn blocks(count: u64) -> String {
    if count == 1 { "1 block".to_owned() } else { format!("{count} blocks") }
}

fn compare_nested(old: &BlockType, new: &BlockType, path: &str, changes: &mut Changes) {
    if old.nesting_mode != new.nesting_mode {
        let (old, new) = (nesting_text(&old.nesting_mode), nesting_text(&new.nesting_mode));
        changes.breaking(path, format!("the nesting changed from {old} to {new}"));
        return;
    }
    let limits = |change: &str, old: u64, new: u64| format!("{change} from {old} to {new}");
    if new.min_items > old.min_items {
        changes
            .breaking(path, limits("the minimum number of blocks increased", old.min_items, new.min_items));
    } else if new.min_items < old.min_items {
        changes
            .additive(path, limits("the minimum number of blocks decreased", old.min_items, new.min_items));
    }
    match (old.max_items, new.max_items) {
        (old, new) if old == new => {}
        (0, new) => changes.breaking(path, format!("at most {} now", blocks(new))),
        (old, 0) => changes.additive(path, format!("the limit of {} was removed", blocks(old))),
        (old, new) if new < old => {
            changes.breaking(path, limits("the maximum number of blocks decreased", old, new));
        }
        (old, new) => changes.additive(path, limits("the maximum number of blocks increased", old, new)),
    }
    compare(&old.block, &new.block, path, changes);
}
