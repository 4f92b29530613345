//! The changes of the attributes and nested blocks of a block.

use std::collections::BTreeSet;

use ferroform_engine::schema::{Block, Member, NestedBlock};

use super::attributes;
use super::change::{Changes, join};
use crate::provider_schema::nesting_text;

/// Compares two versions of a block. The path is empty for the block of the object itself.
pub(super) fn compare(old: &Block, new: &Block, path: &str, changes: &mut Changes) {
    attributes::compare_deprecation(old.deprecation(), new.deprecation(), path, changes);
    if attributes::is_description_changed(
        (old.full_description(), old.description_kind()),
        (new.full_description(), new.description_kind()),
    ) {
        changes.informational(path, "the description changed");
    }
    // An attribute can become a block, and the other way around.
    attributes::compare_all(old, new, path, changes);
    let names: BTreeSet<&str> = old.blocks().iter().chain(new.blocks()).map(|it| &**it.name()).collect();
    for name in names {
        let path = join(path, name);
        match (old.member(name), new.member(name)) {
            (Some(Member::Block(old)), Some(Member::Block(new))) => compare_nested(old, new, &path, changes),
            (Some(Member::Block(_)), Some(_)) => {
                changes.breaking(&path, "was a block, but is an attribute now");
            }
            (Some(_), Some(_)) => changes.breaking(&path, "was an attribute, but is a block now"),
            (Some(_), None) => changes.breaking(&path, "block removed"),
            (None, Some(Member::Block(it))) if it.min_items() > 0 => {
                changes.breaking(&path, "required block added");
            }
            (None, _) => changes.additive(&path, "block added"),
        }
    }
}

/// Returns a number of blocks in words.
fn blocks(count: u64) -> String {
    if count == 1 { "1 block".to_owned() } else { format!("{count} blocks") }
}

fn compare_nested(old: &NestedBlock, new: &NestedBlock, path: &str, changes: &mut Changes) {
    if old.nesting() != new.nesting() {
        let (old, new) = (nesting_text(old.nesting()), nesting_text(new.nesting()));
        changes.breaking(path, format!("the nesting changed from {old} to {new}"));
        return;
    }
    let limits = |change: &str, old: u64, new: u64| format!("{change} from {old} to {new}");
    if new.min_items() > old.min_items() {
        changes.breaking(
            path,
            limits("the minimum number of blocks increased", old.min_items(), new.min_items()),
        );
    } else if new.min_items() < old.min_items() {
        changes.additive(
            path,
            limits("the minimum number of blocks decreased", old.min_items(), new.min_items()),
        );
    }
    match (old.max_items(), new.max_items()) {
        (old, new) if old == new => {}
        (0, new) => changes.breaking(path, format!("at most {} now", blocks(new))),
        (old, 0) => changes.additive(path, format!("the limit of {} was removed", blocks(old))),
        (old, new) if new < old => {
            changes.breaking(path, limits("the maximum number of blocks decreased", old, new));
        }
        (old, new) => changes.additive(path, limits("the maximum number of blocks increased", old, new)),
    }
    compare(old.block(), new.block(), path, changes);
}
