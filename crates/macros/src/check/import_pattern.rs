//! Checks of the patterns of import IDs.

use super::siblings::no_field;
use crate::ast::{Model, Role};
use crate::errors::Errors;
use crate::import_pattern::Pattern;

pub(super) fn check(model: &Model, errors: &mut Errors) {
    for pattern in &model.imports {
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
        () if matches!(field.role, Role::WriteOnly) => {
            Some(format!("`{name}` is write-only, so an import cannot store its value"))
        }
        () => None,
    }
}
