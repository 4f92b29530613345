//! The changes of the signatures of functions.

use super::change::Changes;
use super::text::type_text;
use crate::provider_schema::model::{Function, Parameter};

/// Compares two versions of a function.
pub(super) fn compare(old: &Function, new: &Function, changes: &mut Changes) {
    if old.return_type != new.return_type {
        let types = (type_text(&old.return_type), type_text(&new.return_type));
        changes.breaking("", format!("the return type changed from {} to {}", types.0, types.1));
    }
    for (old, new) in old.parameters.iter().zip(&new.parameters) {
        compare_parameter(old, new, changes);
    }
    for removed in old.parameters.iter().skip(new.parameters.len()) {
        changes.breaking(&removed.name, "parameter removed");
    }
    for added in new.parameters.iter().skip(old.parameters.len()) {
        changes.breaking(&added.name, "parameter added: existing calls have too few arguments");
    }
    match (&old.variadic_parameter, &new.variadic_parameter) {
        (Some(old), Some(new)) => compare_parameter(old, new, changes),
        (Some(old), None) => changes.breaking(&old.name, "variadic parameter removed"),
        (None, Some(new)) => changes.additive(&new.name, "variadic parameter added"),
        (None, None) => {}
    }
    match (old.deprecation_message.is_empty(), new.deprecation_message.is_empty()) {
        (true, false) => {
            changes.informational("", format!("is deprecated now: {}", new.deprecation_message));
        }
        (false, true) => changes.informational("", "is no longer deprecated"),
        _ if old.deprecation_message != new.deprecation_message => {
            changes.informational("", "the deprecation message changed");
        }
        _ => {}
    }
    if (&old.summary, &old.description) != (&new.summary, &new.description) {
        changes.informational("", "the description changed");
    }
}

/// Compares the parameters of one position. Calls do not contain the name.
fn compare_parameter(old: &Parameter, new: &Parameter, changes: &mut Changes) {
    let path = &*new.name;
    if old.name != new.name {
        changes.informational(path, format!("the parameter was renamed from `{}`", old.name));
    }
    if old.ty != new.ty {
        let types = (type_text(&old.ty), type_text(&new.ty));
        changes.breaking(path, format!("the type changed from {} to {}", types.0, types.1));
    }
    match (old.is_nullable, new.is_nullable) {
        (true, false) => changes.breaking(path, "rejects null now"),
        (false, true) => changes.additive(path, "accepts null now"),
        _ => {}
    }
    if old.description != new.description {
        changes.informational(path, "the description changed");
    }
}
