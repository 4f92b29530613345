//! The changes of attributes: their existence, type, mode and flags.

use super::change::{Changes, join, names};
use super::text::{nesting_text, type_text};
use super::types;
use crate::provider_schema::model::{Attribute, ByName};

/// Compares the attributes of a block or nested attribute. Names that are blocks in one version are compared by the
/// caller.
pub(super) fn compare_all(
    old: &ByName<Attribute>,
    new: &ByName<Attribute>,
    path: &str,
    is_block: &dyn Fn(&str) -> bool,
    changes: &mut Changes,
) {
    for name in names(old, new).into_iter().filter(|it| !is_block(it)) {
        let path = join(path, name);
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => compare(old, new, &path, changes),
            (Some(removed), None) => {
                let renamed = possible_new_names(name, removed, old, new);
                let hint = match renamed.as_slice() {
                    [] => String::new(),
                    names => format!("; possibly renamed to {}", names.join(" or ")),
                };
                changes.breaking(&path, format!("attribute removed{hint}"));
            }
            (None, Some(it)) if it.required => changes.breaking(&path, "required attribute added"),
            (None, Some(it)) => changes.additive(&path, format!("{} attribute added", mode_text(it))),
            (None, None) => {}
        }
    }
}

/// Returns the names of the new attributes that equal a removed one except for their documentation. If there are several,
/// only those that have a word in common with the removed name.
fn possible_new_names(
    name: &str,
    removed: &Attribute,
    old: &ByName<Attribute>,
    new: &ByName<Attribute>,
) -> Vec<String> {
    let signature =
        |it: &Attribute| (it.ty.clone(), it.nested_type.clone(), mode_text(it), it.sensitive, it.write_only);
    let added = new.iter().filter(|(name, _)| !old.contains_key(*name));
    let mut names: Vec<&str> =
        added.filter(|(_, it)| signature(it) == signature(removed)).map(|(name, _)| &**name).collect();
    if names.len() > 1 {
        let words: Vec<&str> = name.split('_').collect();
        names.retain(|it| it.split('_').any(|word| words.contains(&word)));
    }
    names.into_iter().map(|it| format!("`{it}`")).collect()
}

fn compare(old: &Attribute, new: &Attribute, path: &str, changes: &mut Changes) {
    if old == new {
        return;
    }
    compare_mode(old, new, path, changes);
    match (old.sensitive, new.sensitive) {
        (false, true) => {
            let rejected = "outputs of root modules and `for_each` reject sensitive values";
            changes.breaking(path, format!("is sensitive now: {rejected}"));
        }
        (true, false) => changes.informational(path, "is no longer sensitive: plans show the value"),
        _ => {}
    }
    match (old.write_only, new.write_only) {
        (false, true) => changes.breaking(path, "is write-only now: references to it are null"),
        (true, false) => changes.breaking(
            path,
            "is no longer write-only: its value is stored in the state, and ephemeral values are rejected",
        ),
        _ => {}
    }
    compare_deprecation(
        (old.deprecated, &old.deprecation_message),
        (new.deprecated, &new.deprecation_message),
        path,
        changes,
    );
    if is_description_changed(
        (&old.description, &old.description_kind),
        (&new.description, &new.description_kind),
    ) {
        changes.informational(path, "the description changed");
    }
    match (&old.nested_type, &new.nested_type) {
        (Some(old), Some(new)) if old.nesting_mode == new.nesting_mode => {
            compare_all(&old.attributes, &new.attributes, path, &|_| false, changes);
        }
        (None, None) => types::compare(&old.ty, &new.ty, is_configurable(new), path, changes),
        _ => changes
            .breaking(path, format!("the type changed from {} to {}", content_text(old), content_text(new))),
    }
}

/// Compares the modes: required, optional, optional and computed, or computed.
fn compare_mode(old: &Attribute, new: &Attribute, path: &str, changes: &mut Changes) {
    let (before, after) = (mode_text(old), mode_text(new));
    if before == after {
        return;
    }
    let changed = format!("changed from {before} to {after}");
    if new.required && !old.required {
        changes.breaking(path, format!("{changed}: configurations that omit it are rejected"));
    } else if is_configurable(old) && !is_configurable(new) {
        changes.breaking(path, format!("{changed}: configurations that set it are rejected"));
    } else if old.computed && !new.computed {
        changes.breaking(path, format!("{changed}: if it is omitted, it is null"));
    } else if !is_configurable(old) || old.required {
        changes.additive(path, changed);
    } else {
        changes.informational(path, format!("{changed}: if it is omitted, the provider can set it"));
    }
}

/// Compares a deprecation, which is a flag with an optional message.
pub(super) fn compare_deprecation(
    (was_deprecated, old): (bool, &str),
    (is_deprecated, new): (bool, &str),
    path: &str,
    changes: &mut Changes,
) {
    match (was_deprecated, is_deprecated) {
        (false, true) if new.is_empty() => changes.informational(path, "is deprecated now"),
        (false, true) => changes.informational(path, format!("is deprecated now: {new}")),
        (true, false) => changes.informational(path, "is no longer deprecated"),
        _ if old != new => changes.informational(path, "the deprecation message changed"),
        _ => {}
    }
}

fn is_configurable(it: &Attribute) -> bool {
    it.required || it.optional
}

/// Compares descriptions with their kinds. The kind of an empty description has no effect.
pub(super) fn is_description_changed((old, old_kind): (&str, &str), (new, new_kind): (&str, &str)) -> bool {
    old != new || (!old.is_empty() && old_kind != new_kind)
}

fn mode_text(it: &Attribute) -> &'static str {
    match (it.required, it.optional, it.computed) {
        (true, ..) => "required",
        (_, true, true) => "optional and computed",
        (_, true, false) => "optional",
        (_, false, _) => "computed",
    }
}

fn content_text(it: &Attribute) -> String {
    match &it.nested_type {
        Some(nested) => nesting_text(&nested.nesting_mode).to_owned(),
        None => type_text(&it.ty),
    }
}
