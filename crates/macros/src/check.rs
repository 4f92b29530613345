//! What cannot be meant: one function for each rule.

use std::collections::BTreeMap;

use proc_macro2::Span;
use syn::{Error, Ident};

use crate::ast::{Field, Keep, Model, Replace, Role};
use crate::behaviour;
use crate::errors::Errors;
use crate::{identity, import, relation, timeouts};

pub(crate) fn check(model: &Model, errors: &mut Errors) {
    names(model, errors);
    version(model, errors);
    identity::check(model, errors);
    import::check(model, errors);
    relation::check(model, errors);
    for field in &model.fields {
        option_of_option(field, errors);
        maybe(field, errors);
        required_beside_option(field, errors);
        keep(field, model, errors);
        replace(field, errors);
        validate(field, errors);
        behaviour::check(field, errors);
        mixed(field, errors);
        block(field, errors);
        flatten(field, errors);
        items(field, errors);
    }
    timeouts::check(model, errors);
}

pub(crate) fn names(model: &Model, errors: &mut Errors) {
    let mut seen = BTreeMap::new();
    for field in model.own() {
        let first = |c: char| c.is_ascii_lowercase() || c == '_';
        if !(field.name.starts_with(first) && field.name.chars().all(|c| first(c) || c.is_ascii_digit())) {
            let rule = "a name is lowercase letters, digits and underscores, and does not begin with a digit";
            let why = format!("`{}` cannot be an attribute's name: {rule}", field.name);
            errors.push(Error::new(field.name_span, why));
        }
        if let Some(other) = seen.insert(field.name.clone(), &field.ident) {
            let why = format!("`{}` is the attribute `{}` too", other, field.name);
            errors.push(Error::new(field.name_span, why));
        }
    }
}

/// A version says where states of the one before it go.
fn version(model: &Model, errors: &mut Errors) {
    let (Some(version), place) = model.version.unwrap_or((Some(0), Span::call_site())) else { return };
    match (&model.upgrade_from, model.oldest) {
        (Some(_), Some(span)) => {
            let why = "the oldest version is upgraded from none: leave out `oldest` or `upgrade_from`";
            errors.push(Error::new(span, why));
        }
        (Some((word, _)), None) if version == 0 => {
            errors.at(word, "what is upgraded has a version above 0: `version = 1`");
        }
        (None, Some(span)) if version == 0 => {
            errors.push(Error::new(span, "version 0 is the oldest that there is"));
        }
        (None, None) if version > 0 => {
            let why = format!(
                "what becomes of states of version {}? Say `upgrade_from = …` with the model of that version, or \
                 `oldest` where they are refused or left to `Resource::upgrade`",
                version - 1
            );
            errors.push(Error::new(place, why));
        }
        _ => {}
    }
}

/// A name that is not a field's is a typo, unless it may be one of what is flattened: that the compiler knows.
pub(crate) fn siblings(names: &[Ident], model: &Model, errors: &mut Errors) {
    if model.flattened().next().is_some() {
        return;
    }
    for name in names.iter().filter(|name| !model.own().any(|it| it.ident == **name)) {
        errors.at(name, no_field(&name.to_string(), model));
    }
}

/// What is said of such a typo.
pub(crate) fn no_field(name: &str, model: &Model) -> String {
    let known: Vec<_> = model.own().map(|it| format!("`{}`", it.ident)).collect();
    format!("there is no field `{name}` here; there are {}", known.join(", "))
}

fn option_of_option(field: &Field, errors: &mut Errors) {
    let bare = &field.bare;
    if field.is_option() && quote::quote!(#bare).to_string().starts_with("Option <") {
        errors.at(&field.ty, "there is one null: `Option<Option<T>>` cannot be told apart");
    }
}

fn maybe(field: &Field, errors: &mut Errors) {
    let bare = &field.bare;
    if quote::quote!(#bare).to_string().starts_with("Maybe <") {
        let help = "a model holds what is known; its views say `Maybe` where a value may be unknown";
        errors.at(&field.ty, help);
    }
}

fn required_beside_option(field: &Field, errors: &mut Errors) {
    if matches!(field.role, Role::Default(_)) && field.is_option() {
        errors.at(&field.ty, "an attribute with a default is never null: write the type without `Option`");
    }
}

fn keep(field: &Field, model: &Model, errors: &mut Errors) {
    let Some((keep, span)) = &field.keep else { return };
    if !matches!(field.role, Role::Computed | Role::OptionalComputed) {
        errors.push(Error::new(*span, "only what is `computed` can be kept from the state"));
    }
    if let Keep::Follow(names) = keep {
        if let Some(name) = names.iter().find(|it| **it == field.ident) {
            errors.at(name, "an attribute cannot follow itself");
        }
        siblings(names, model, errors);
    }
}

fn replace(field: &Field, errors: &mut Errors) {
    let Some((_, span)) = &field.replace else { return };
    match field.role {
        Role::WriteOnly => {
            let why = "what is write-only is not stored, so its change cannot be seen and cannot replace";
            errors.push(Error::new(*span, why));
        }
        Role::Computed if field.mixed.is_none() => {
            let why = "only the provider writes it: the configuration cannot change it";
            errors.push(Error::new(*span, why));
        }
        _ => {}
    }
}

fn validate(field: &Field, errors: &mut Errors) {
    if let (Some((word, _)), Role::Computed) = (field.validate.first(), &field.role) {
        errors.at(word, "only the provider writes it: there is nothing to validate");
    }
}

fn mixed(field: &Field, errors: &mut Errors) {
    let plain = matches!(field.role, Role::Plain);
    if let Some(span) = field.mixed.filter(|_| !plain) {
        errors.push(Error::new(
            span,
            "`mixed` is for what the configuration writes and the provider completes",
        ));
    }
}

fn block(field: &Field, errors: &mut Errors) {
    if field.block.is_none() {
        return;
    }
    let why = match field.role {
        Role::Plain | Role::OptionalComputed | Role::Variant => None,
        Role::Computed => {
            Some("the configuration can always hold a block: write `optional, computed` where it need not")
        }
        Role::Default(_) => Some("a block has no default: say it in the attributes inside"),
        Role::WriteOnly => Some("a block is not write-only: say it in the attributes inside"),
    };
    if let Some(why) = why {
        errors.push(Error::new(field.role_span, why));
    }
    if let Some(span) = field.sensitive {
        errors.push(Error::new(span, "a block is not sensitive: say it in the attributes inside"));
    }
    let condition = field.replace.as_ref().filter(|(it, _)| matches!(it, Replace::If(_)));
    if let Some(span) = field.behaviour.span().or(condition.map(|(_, span)| *span)) {
        errors.push(Error::new(span, "a block has no behaviour of its own: say it in the attributes inside"));
    }
}

fn flatten(field: &Field, errors: &mut Errors) {
    let Some(span) = field.flatten else { return };
    if field.says_anything() {
        errors.push(Error::new(span, "what is flattened has no behaviour of its own: say it in its fields"));
    }
}

fn items(field: &Field, errors: &mut Errors) {
    if let (Some((word, _)), Role::Computed) =
        (field.min_items.as_ref().or(field.max_items.as_ref()), &field.role)
    {
        errors.at(word, "only the provider writes it: there is nothing to count in the configuration");
    }
}
