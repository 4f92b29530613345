//! Checks of composed attributes.

use syn::Type;

use super::siblings::no_field;
use crate::ast::{Field, Model, Role};
use crate::errors::Errors;
use crate::import_pattern::Composed;

pub(super) fn check(field: &Field, model: &Model, errors: &mut Errors) {
    let Some(composed) = &field.composed else { return };
    let mut reject = |message: &str| errors.at(&composed.option_name, message);
    if !matches!(&field.ty, Type::Path(it) if it.path.is_ident("String")) {
        return reject("a composed attribute is a `String`");
    }
    if field.keep.is_some() || field.behavior.plan_with.is_some() {
        reject("remove the plan modifier: a composed attribute is known as soon as its parts are known");
    }
    match composed.pattern(&model.imports) {
        None => reject(
            "write the pattern, such as `composed = \"{project}/{name}\"`, or add `#[attr(import = \"…\")]` to the struct",
        ),
        Some(pattern) => {
            for message in pattern.fields().filter_map(|name| part_error(field, composed, model, name)) {
                errors.at(&composed.option_name, message);
            }
        }
    }
}

fn part_error(field: &Field, composed: &Composed, model: &Model, name: &str) -> Option<String> {
    let Some(part) = model.named(name) else {
        // The check of the import pattern reports it.
        return composed.pattern.is_some().then(|| no_field(name, model));
    };
    match part.role {
        _ if part.ident == field.ident => Some("a composed attribute cannot contain itself".to_owned()),
        _ if part.composed.is_some() => Some(format!("`{name}` is composed too: write its parts instead")),
        Role::WriteOnly => Some(format!("`{name}` is write-only, so it cannot be part of a stored string")),
        _ if part.is_option() => {
            Some(format!("`{name}` can be null, so it cannot be part of a composed attribute"))
        }
        _ => None,
    }
}
