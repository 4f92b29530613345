//! What can be said of timeouts.

use syn::Ident;

use crate::ast::{Model, Role};
use crate::errors::Errors;

/// The operations by their names, and the variants of `ferroform::timeouts::Operation`.
const OPERATIONS: [(&str, &str); 5] = [
    ("create", "Create"),
    ("read", "Read"),
    ("update", "Update"),
    ("delete", "Delete"),
    ("default", "Default"),
];

/// The variant of an operation.
pub(crate) fn operation(name: &Ident) -> Option<&'static str> {
    OPERATIONS.iter().find(|(it, _)| name == it).map(|(_, variant)| *variant)
}

pub(crate) fn check(model: &Model, errors: &mut Errors) {
    let mut all = model.fields.iter().filter_map(|it| Some((it, it.timeouts.as_ref()?)));
    let first = all.clone().next().map(|(it, _)| &it.ident);
    for (field, (word, pairs)) in &mut all {
        if let Some(first) = first.filter(|it| **it != field.ident) {
            errors.at(word, format!("`{first}` holds the timeouts already"));
        }
        let has_behavior = field.replace.is_some()
            || field.keep.is_some()
            || field.mixed.is_some()
            || field.flatten.is_some()
            || field.sensitive.is_some()
            || !field.validate.is_empty()
            || !matches!(field.role, Role::Plain);
        if has_behavior {
            errors.at(word, "timeouts are optional, and nothing else can be said of them");
        }
        for (i, (name, _)) in pairs.iter().enumerate() {
            if operation(name).is_none() {
                let known = OPERATIONS.map(|(it, _)| format!("`{it}`")).join(", ");
                errors.at(name, format!("there is no operation `{name}`; there are {known}"));
            }
            if pairs[..i].iter().any(|(it, _)| it == name) {
                errors.at(name, format!("`{name}` is said twice"));
            }
        }
    }
}
