//! Checks of the resource identity.

use syn::{Error, Ident};

use crate::ast::{Field, Model, Role};
use crate::derive_identity::Identity;
use crate::errors::Errors;

pub(super) fn check(model: &Model, errors: &mut Errors) {
    let Identity { named, version, upgrades, mutable } = &model.identity;
    if !model.may_have_identity() {
        let spans = [version.map(|(_, span)| span), upgrades.first().map(Ident::span), *mutable];
        for span in spans.into_iter().flatten() {
            let help = "this option needs an identity: mark fields with `#[attr(identity)]`";
            errors.push(Error::new(span, help));
        }
    }
    for field in &model.fields {
        if let Some(span) = field.required_for_import {
            let message = match field.identity {
                None => {
                    Some("`required_for_import` needs `identity`: an import sets only identity attributes")
                }
                Some(_) if field.is_always_set() => Some(
                    "`required_for_import` has no effect: an import requires this attribute, because every configuration sets it",
                ),
                Some(_) => None,
            };
            if let Some(message) = message {
                errors.push(Error::new(span, message));
            }
        }
        let Some(span) = field.identity else { continue };
        if named.is_some() {
            let message = "remove this option: the struct of `identity = …` defines the identity attributes";
            errors.push(Error::new(span, message));
        } else if let Some(message) = identity_error(field, mutable.is_some()) {
            errors.push(Error::new(span, message));
        }
    }
}

/// The reason why the field cannot be an identity attribute.
fn identity_error(field: &Field, mutable: bool) -> Option<&'static str> {
    let changes = !matches!(field.role, Role::Computed) && field.replace.is_none();
    match field.role {
        Role::WriteOnly => {
            Some("`identity` cannot be combined with `write_only`: a write-only value is not stored")
        }
        _ if field.sensitive.is_some() => {
            Some("`identity` cannot be combined with `sensitive`: Terraform shows identities")
        }
        _ if field.block.or(field.mixed).is_some() => {
            Some("an identity attribute must be a bool, a number, a string or a list of these")
        }
        _ if field.flatten.is_some() => {
            Some("`flatten` cannot be combined with `identity`: mark the fields of the flattened model")
        }
        _ if changes && !mutable => Some(
            "an identity attribute must not change in place: add `requires_replace`, or `#[attr(mutable_identity)]` to the struct",
        ),
        _ => None,
    }
}
