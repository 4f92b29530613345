//! Checks of the option `timeouts`.

use crate::ast::{Model, Role};
use crate::errors::Errors;
use crate::timeouts::{OPERATIONS, operation};

pub(super) fn check(model: &Model, errors: &mut Errors) {
    let mut all = model.fields.iter().filter_map(|it| Some((it, it.timeouts.as_ref()?)));
    let first = all.clone().next().map(|(it, _)| &it.ident);
    for (field, (option_name, pairs)) in &mut all {
        if let Some(first) = first.filter(|it| **it != field.ident) {
            errors.at(option_name, format!("the field `{first}` already has the timeouts"));
        }
        let has_other_options = field.replace.is_some()
            || field.keep.is_some()
            || field.mixed.is_some()
            || field.flatten.is_some()
            || field.sensitive.is_some()
            || !field.validate.is_empty()
            || !matches!(field.role, Role::Plain);
        if has_other_options {
            errors.at(option_name, "`timeouts` cannot be combined with other options");
        }
        for (i, (name, _)) in pairs.iter().enumerate() {
            if operation(name).is_none() {
                let known = OPERATIONS.map(|(it, _)| format!("`{it}`")).join(", ");
                errors.at(name, format!("unknown operation `{name}`; the operations are {known}"));
            }
            if pairs[..i].iter().any(|(it, _)| it == name) {
                errors.at(name, format!("`{name}` is specified more than once"));
            }
        }
    }
}
