//! The checks of a model that need no type information, one function for each rule.

mod behavior;
mod composed;
mod derive_identity;
mod import_pattern;
mod relations;
pub(crate) mod siblings;
mod timeouts;

use std::collections::BTreeMap;

use proc_macro2::Span;
use syn::Error;

use self::siblings::siblings;
use crate::ast::{Field, Keep, Model, Replace, Role};
use crate::errors::Errors;

pub(crate) fn check(model: &Model, errors: &mut Errors) {
    names(model, errors);
    version(model, errors);
    derive_identity::check(model, errors);
    import_pattern::check(model, errors);
    relations::check(model, errors);
    for field in &model.fields {
        option_of_option(field, errors);
        maybe(field, errors);
        check_default_is_not_optional(field, errors);
        keep(field, model, errors);
        fingerprint(field, errors);
        replace(field, errors);
        validate(field, errors);
        behavior::check(field, errors);
        composed::check(field, model, errors);
        mixed(field, errors);
        block(field, errors);
        object(field, errors);
        flatten(field, errors);
        items(field, errors);
    }
    timeouts::check(model, errors);
}

pub(crate) fn names(model: &Model, errors: &mut Errors) {
    let mut seen = BTreeMap::new();
    for field in model.attribute_fields() {
        let first = |c: char| c.is_ascii_lowercase() || c == '_';
        if !(field.name.starts_with(first) && field.name.chars().all(|c| first(c) || c.is_ascii_digit())) {
            let rule = "use lowercase letters, digits and underscores, and do not start with a digit";
            let message = format!("`{}` is not a valid attribute name: {rule}", field.name);
            errors.push(Error::new(field.name_span, message));
        }
        if let Some(other) = seen.insert(field.name.clone(), &field.ident) {
            let message = format!("the field `{}` already has the attribute name `{}`", other, field.name);
            errors.push(Error::new(field.name_span, message));
        }
    }
}

/// A version above 0 needs `upgrade_from`, `upgrade_from_sdkv2` or `oldest`.
fn version(model: &Model, errors: &mut Errors) {
    let (Some(version), version_span) = model.version.unwrap_or((Some(0), Span::call_site())) else { return };
    let first = model.first_version.unwrap_or(version);
    if let (Some((option_name, _)), None) = (&model.upgrade_warnings, &model.upgrade_from) {
        errors.at(
            option_name,
            "`upgrade_warnings` needs the model of the previous version: add `upgrade_from = …`",
        );
    }
    if let Some(span) = model.upgrade_from_sdkv2 {
        let others = [model.upgrade_from.as_ref().map(|(it, _)| it.span()), model.oldest];
        if others.iter().any(Option::is_some) {
            let message = "`upgrade_from_sdkv2` cannot be combined with `upgrade_from` or `oldest`: remove one of the two";
            errors.push(Error::new(span, message));
        } else if first != version {
            errors.push(Error::new(
                version_span,
                "`upgrade_from_sdkv2` cannot be combined with a range of versions",
            ));
        } else if version == 0 {
            let message =
                "`upgrade_from_sdkv2` needs a version above 0: the version of the SDKv2 provider plus 1";
            errors.push(Error::new(span, message));
        }
        return;
    }
    match (&model.upgrade_from, model.oldest) {
        (Some(_), Some(span)) => {
            let message = "`oldest` cannot be combined with `upgrade_from`: remove one of the two";
            errors.push(Error::new(span, message));
        }
        (Some((option_name, _)), None) if first == 0 => {
            errors.at(option_name, "`upgrade_from` needs a version above 0: add `version = 1`");
        }
        (None, Some(span)) if first == 0 => {
            errors
                .push(Error::new(span, "`oldest` needs a version above 0: version 0 has no earlier version"));
        }
        (None, None) if first > 0 => {
            let message = format!(
                "missing state upgrade from version {}: add `upgrade_from = …` with the model of that version, or \
                 `oldest` if such states are rejected or upgraded by `Resource::upgrade`",
                first - 1
            );
            errors.push(Error::new(version_span, message));
        }
        _ => {}
    }
}

fn option_of_option(field: &Field, errors: &mut Errors) {
    let bare = &field.bare;
    if field.is_option() && quote::quote!(#bare).to_string().starts_with("Option <") {
        errors.at(&field.ty, "use `Option<T>`: Terraform has only one null value");
    }
}

fn maybe(field: &Field, errors: &mut Errors) {
    let bare = &field.bare;
    if quote::quote!(#bare).to_string().starts_with("Maybe <") {
        let help = "remove `Maybe`: a model contains known values, and its views (`Config`, `Proposed`, `Planned`) add `Maybe`";
        errors.at(&field.ty, help);
    }
}

fn check_default_is_not_optional(field: &Field, errors: &mut Errors) {
    if matches!(field.role, Role::Default(_)) && field.is_option() {
        errors.at(&field.ty, "remove `Option`: an attribute with a default is never null");
    }
}

fn keep(field: &Field, model: &Model, errors: &mut Errors) {
    let Some((keep, span)) = &field.keep else { return };
    if !matches!(field.role, Role::Computed | Role::OptionalComputed) {
        errors.push(Error::new(*span, "this option needs `computed`, or `optional, computed`"));
    }
    if let Keep::Follow(names) = keep {
        if let Some(name) = names.iter().find(|it| **it == field.ident) {
            errors.at(name, "`follows` cannot name its own field");
        }
        for name in names {
            let followed = model.attribute_fields().find(|it| it.ident == *name);
            if followed.is_some_and(|it| matches!(it.role, Role::WriteOnly) && it.fingerprint.is_none()) {
                errors.at(name, follows_write_only(&name.to_string()));
            }
        }
        siblings(names, model, errors);
    }
}

/// The message about `follows` with a write-only field whose changes cannot be detected.
pub(crate) fn follows_write_only(name: &str) -> String {
    format!(
        "`{name}` is write-only, so its changes cannot be detected: follow a version attribute such as \
         `{name}_version`, or add `fingerprint` to `{name}`"
    )
}

fn fingerprint(field: &Field, errors: &mut Errors) {
    if let Some(span) = field.fingerprint
        && !matches!(field.role, Role::WriteOnly)
    {
        let message =
            "`fingerprint` needs `write_only`: changes of other attributes are detected by their values";
        errors.push(Error::new(span, message));
    }
}

fn replace(field: &Field, errors: &mut Errors) {
    let Some((_, span)) = &field.replace else { return };
    match field.role {
        Role::WriteOnly => {
            let message = "a write-only value is not stored, so a change cannot require replacement: add the option to a version attribute next to it";
            errors.push(Error::new(*span, message));
        }
        Role::Computed if field.mixed.is_none() => {
            let message = "`requires_replace` has no effect on a computed-only attribute";
            errors.push(Error::new(*span, message));
        }
        _ => {}
    }
}

fn validate(field: &Field, errors: &mut Errors) {
    if let (Some((option_name, _)), Role::Computed) = (field.validate.first(), &field.role) {
        errors.at(option_name, "`validate` has no effect on a computed-only attribute");
    }
}

fn mixed(field: &Field, errors: &mut Errors) {
    let plain = matches!(field.role, Role::Plain);
    if let Some(span) = field.mixed.filter(|_| !plain) {
        errors
            .push(Error::new(span, "`mixed` cannot be combined with `computed`, a default or `write_only`"));
    }
}

fn block(field: &Field, errors: &mut Errors) {
    if field.block.is_none() {
        return;
    }
    let message = match field.role {
        Role::Plain | Role::OptionalComputed | Role::Variant => None,
        Role::Computed => Some(
            "a block cannot be `computed` only, because the configuration can always contain it: use `optional, computed`",
        ),
        Role::Default(_) => {
            Some("a block cannot have a default: add it to the attributes of the block's model")
        }
        Role::WriteOnly => {
            Some("a block cannot be `write_only`: add the option to the attributes of the block's model")
        }
    };
    if let Some(message) = message {
        errors.push(Error::new(field.role_span, message));
    }
    if let Some(span) = field.sensitive {
        errors.push(Error::new(
            span,
            "a block cannot be `sensitive`: add the option to the attributes of the block's model",
        ));
    }
    let condition = field.replace.as_ref().filter(|(it, _)| matches!(it, Replace::If(_)));
    if let Some(span) = field.behavior.span().or(condition.map(|(_, span)| *span)) {
        errors.push(Error::new(
            span,
            "this option is not supported on a block: add it to the attributes of the block's model",
        ));
    }
}

fn object(field: &Field, errors: &mut Errors) {
    let Some(span) = field.object else { return };
    let conflicts = [
        (
            field.block,
            "`object` cannot be combined with `block`: an attribute of an object type is not a block",
        ),
        (
            field.mixed,
            "`object` cannot be combined with `mixed`: an object is configured or computed as a whole",
        ),
        (field.flatten, "`object` cannot be combined with `flatten`: a flattened model is not an attribute"),
    ];
    for (_, message) in conflicts.into_iter().filter(|(conflict, _)| conflict.is_some()) {
        errors.push(Error::new(span, message));
    }
}

fn flatten(field: &Field, errors: &mut Errors) {
    let Some(span) = field.flatten else {
        if let Some(span) = field.inputs_only {
            errors.push(Error::new(span, "`inputs_only` is an option of a flattened model: add `flatten`"));
        }
        return;
    };
    if field.has_options() {
        errors.push(Error::new(
            span,
            "`flatten` cannot be combined with this option: add it to the fields of the flattened model",
        ));
    }
    if let (Some((option_name, _)), Some(_)) = (&field.plan_flattened, field.inputs_only) {
        errors.at(option_name, "`plan_with` has no effect on a model without computed attributes: remove `plan_with` or `inputs_only`");
    }
}

fn items(field: &Field, errors: &mut Errors) {
    if let (Some((option_name, _)), Role::Computed) =
        (field.min_items.as_ref().or(field.max_items.as_ref()), &field.role)
    {
        errors.at(option_name, "`min_items` and `max_items` have no effect on a computed-only attribute");
    }
}
