//! The changes of the signatures of functions.

use ferroform_engine::FunctionSignature;
use ferroform_engine::schema::{Attribute, Mode};

use super::attributes::compare_deprecation;
use super::change::Changes;

/// Compares two versions of a function.
pub(super) fn compare(old: &FunctionSignature, new: &FunctionSignature, changes: &mut Changes) {
    if old.result != new.result {
        changes.breaking("", format!("the return type changed from {} to {}", old.result, new.result));
    }
    let (old_parameters, new_parameters) = (old.positional_parameters(), new.positional_parameters());
    for (old, new) in old_parameters.iter().zip(new_parameters) {
        compare_parameter(old, new, changes);
    }
    for removed in old_parameters.iter().skip(new_parameters.len()) {
        changes.breaking(removed.name(), "parameter removed");
    }
    for added in new_parameters.iter().skip(old_parameters.len()) {
        changes.breaking(added.name(), "parameter added: existing calls have too few arguments");
    }
    match (old.variadic_parameter(), new.variadic_parameter()) {
        (Some(old), Some(new)) => compare_parameter(old, new, changes),
        (Some(old), None) => changes.breaking(old.name(), "variadic parameter removed"),
        (None, Some(new)) => changes.additive(new.name(), "variadic parameter added"),
        (None, None) => {}
    }
    let (old_block, new_block) = (&old.parameters, &new.parameters);
    compare_deprecation(old_block.deprecation(), new_block.deprecation(), "", changes);
    if (&old.summary, old_block.full_description()) != (&new.summary, new_block.full_description()) {
        changes.informational("", "the description changed");
    }
}

/// Compares the parameters of one position. Calls do not contain the name.
fn compare_parameter(old: &Attribute, new: &Attribute, changes: &mut Changes) {
    let path = &**new.name();
    if old.name() != new.name() {
        changes.informational(path, format!("the parameter was renamed from `{}`", old.name()));
    }
    if old.ty() != new.ty() {
        changes.breaking(path, format!("the type changed from {} to {}", old.ty(), new.ty()));
    }
    match (old.mode(), new.mode()) {
        (Mode::Optional, Mode::Required) => changes.breaking(path, "rejects null now"),
        (Mode::Required, Mode::Optional) => changes.additive(path, "accepts null now"),
        _ => {}
    }
    if old.full_description() != new.full_description() {
        changes.informational(path, "the description changed");
    }
}
