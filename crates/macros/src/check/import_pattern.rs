//! Checks of the patterns of import IDs.

use super::siblings::no_field;
use crate::ast::{Model, Role};
use crate::errors::Errors;
use crate::import_pattern::Pattern;

pub(super) fn check(model: &Model, errors: &mut Errors) {
    for (i, pattern) in model.imports.iter().enumerate() {
        let forms = pattern.forms();
        let earlier = model.imports.iter().take(i);
        let is_same = |it: &&Pattern| {
            let has_optional = [*it, pattern].iter().any(|it| it.optional_fields().next().is_some());
            has_optional && it.forms().iter().any(|form| forms.contains(form))
        };
        if let Some(same) = earlier.clone().find(is_same) {
            let message = format!("IDs that match this pattern can also match \"{}\"", same.literal.value());
            errors.at(&pattern.literal, message);
        }
        for (i, name) in pattern.fields().enumerate() {
            if let Some(message) = field_error(model, pattern, i, name) {
                errors.at(&pattern.literal, message);
            }
        }
    }
}

fn field_error(model: &Model, pattern: &Pattern, i: usize, name: &str) -> Option<String> {
    let Some(field) = model.named(name) else {
        // A flattened model may have it, which is checked when the provider starts.
        return model.flattened().next().is_none().then(|| no_field(name, model));
    };
    match () {
        () if pattern.fields().take(i).any(|it| it == name) => {
            Some(format!("`{name}` is used more than once"))
        }
        () if pattern.optional_fields().any(|it| it == name) && !field.is_option() => Some(format!(
            "`{name}?` needs a field of the type `Option`, which is null if the ID does not contain it"
        )),
        () if matches!(field.role, Role::WriteOnly) => {
            Some(format!("`{name}` is write-only, so an import cannot store its value"))
        }
        () => None,
    }
}
