//! The changes of attributes: their existence, type, mode and flags.

use std::collections::BTreeSet;

use ferroform_engine::schema::{Attribute, Block, DescriptionKind, Mode};

use super::change::{Changes, join};
use super::types;
use crate::provider_schema::{nesting_text, sorted_attributes};

/// Compares the attributes of a block or nested attribute. Names that are blocks in one version are compared by the
/// caller.
pub(super) fn compare_all(old: &Block, new: &Block, path: &str, changes: &mut Changes) {
    let is_block = |name: &str| [old, new].iter().any(|it| it.blocks().iter().any(|it| **it.name() == *name));
    let names: BTreeSet<&str> =
        old.attributes().iter().chain(new.attributes()).map(|it| &**it.name()).collect();
    for name in names.into_iter().filter(|it| !is_block(it)) {
        let path = join(path, name);
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => compare(old, new, &path, changes),
            (Some(removed), None) => {
                let renamed = possible_new_names(removed, old, new);
                let hint = match renamed.as_slice() {
                    [] => String::new(),
                    names => format!("; possibly renamed to {}", names.join(" or ")),
                };
                changes.breaking(&path, format!("attribute removed{hint}"));
            }
            (None, Some(it)) if it.mode() == Mode::Required => {
                changes.breaking(&path, "required attribute added");
            }
            (None, Some(it)) => changes.additive(&path, format!("{} attribute added", mode_text(it.mode()))),
            (None, None) => {}
        }
    }
}

/// Returns the names of the new attributes that equal a removed one except for their documentation. If there are several,
/// only those that have a word in common with the removed name.
fn possible_new_names(removed: &Attribute, old: &Block, new: &Block) -> Vec<String> {
    let added = new.attributes().iter().filter(|it| old.get(it.name()).is_none());
    let mut names: Vec<&str> =
        added.filter(|it| is_equal_except_name(it, removed)).map(|it| &**it.name()).collect();
    if names.len() > 1 {
        let words: Vec<&str> = removed.name().split('_').collect();
        names.retain(|it| it.split('_').any(|word| words.contains(&word)));
    }
    names.into_iter().map(|it| format!("`{it}`")).collect()
}

/// Returns true if two attributes differ only in their names and documentation.
fn is_equal_except_name(a: &Attribute, b: &Attribute) -> bool {
    let properties = |it: &Attribute| {
        (it.nested().map(|it| it.nesting()), it.mode(), it.is_sensitive(), it.is_write_only())
    };
    let [nested_a, nested_b] =
        [a, b].map(|it| it.nested().into_iter().flat_map(|it| sorted_attributes(it.block())));
    // The names of nested attributes are part of the type.
    a.ty() == b.ty()
        && properties(a) == properties(b)
        && nested_a.zip(nested_b).all(|(a, b)| is_equal_except_name(a, b))
}

fn compare(old: &Attribute, new: &Attribute, path: &str, changes: &mut Changes) {
    compare_mode(old.mode(), new.mode(), path, changes);
    match (old.is_sensitive(), new.is_sensitive()) {
        (false, true) => {
            let rejected = "outputs of root modules and `for_each` reject sensitive values";
            changes.breaking(path, format!("is sensitive now: {rejected}"));
        }
        (true, false) => changes.informational(path, "is no longer sensitive: plans show the value"),
        _ => {}
    }
    match (old.is_write_only(), new.is_write_only()) {
        (false, true) => changes.breaking(path, "is write-only now: references to it are null"),
        (true, false) => changes.breaking(
            path,
            "is no longer write-only: its value is stored in the state, and ephemeral values are rejected",
        ),
        _ => {}
    }
    let [old_deprecation, new_deprecation] = [old, new].map(|it| it.behavior().deprecated.as_deref());
    compare_deprecation(old_deprecation, new_deprecation, path, changes);
    if is_description_changed(
        (&old.full_description(), old.description_kind()),
        (&new.full_description(), new.description_kind()),
    ) {
        changes.informational(path, "the description changed");
    }
    match (old.nested(), new.nested()) {
        (Some(old), Some(new)) if old.nesting() == new.nesting() => {
            compare_all(old.block(), new.block(), path, changes);
        }
        (None, None) => types::compare(old.ty(), new.ty(), new.mode().is_configurable(), path, changes),
        _ => changes
            .breaking(path, format!("the type changed from {} to {}", content_text(old), content_text(new))),
    }
}

/// Compares the modes: required, optional, optional and computed, or computed.
fn compare_mode(old: Mode, new: Mode, path: &str, changes: &mut Changes) {
    if old == new {
        return;
    }
    let changed = format!("changed from {} to {}", mode_text(old), mode_text(new));
    if new == Mode::Required {
        changes.breaking(path, format!("{changed}: configurations that omit it are rejected"));
    } else if new == Mode::Computed {
        changes.breaking(path, format!("{changed}: configurations that set it are rejected"));
    } else if old.is_computed() && !new.is_computed() {
        changes.breaking(path, format!("{changed}: if it is omitted, it is null"));
    } else if matches!(old, Mode::Computed | Mode::Required) {
        changes.additive(path, changed);
    } else {
        changes.informational(path, format!("{changed}: if it is omitted, the provider can set it"));
    }
}

/// Compares deprecations, whose messages can be empty.
pub(super) fn compare_deprecation(old: Option<&str>, new: Option<&str>, path: &str, changes: &mut Changes) {
    match (old, new) {
        (None, Some("")) => changes.informational(path, "is deprecated now"),
        (None, Some(new)) => changes.informational(path, format!("is deprecated now: {new}")),
        (Some(_), None) => changes.informational(path, "is no longer deprecated"),
        _ if old != new => changes.informational(path, "the deprecation message changed"),
        _ => {}
    }
}

/// Compares descriptions with their kinds. The kind of an empty description has no effect.
pub(super) fn is_description_changed(
    (old, old_kind): (&str, DescriptionKind),
    (new, new_kind): (&str, DescriptionKind),
) -> bool {
    old != new || (!old.is_empty() && old_kind != new_kind)
}

fn mode_text(mode: Mode) -> &'static str {
    match mode {
        Mode::Required => "required",
        Mode::OptionalComputed => "optional and computed",
        Mode::Optional => "optional",
        Mode::Computed => "computed",
    }
}

fn content_text(it: &Attribute) -> String {
    match it.nested() {
        Some(nested) => nesting_text(nested.nesting()).to_owned(),
        None => it.ty().to_string(),
    }
}
