//! Checks of the options that take a function, and of `key`.

use proc_macro2::Span;
use syn::Error;

use crate::ast::{Field, Role};
use crate::errors::Errors;

/// Rejects invalid combinations. The caller rejects all of these options on blocks and flattened models.
pub(super) fn check(field: &Field, errors: &mut Errors) {
    let behavior = &field.behavior;
    let mut reject = |span: Span, message: &str| errors.push(Error::new(span, message));
    if let Some((option_name, _)) = &behavior.default_with {
        match field.role {
            Role::Computed | Role::OptionalComputed => {
                reject(
                    option_name.span(),
                    "`computed` cannot be combined with a default: remove one of the two",
                );
            }
            Role::Default(_) => reject(option_name.span(), "use either `default` or `default_with`"),
            Role::WriteOnly => {
                reject(
                    option_name.span(),
                    "`write_only` cannot be combined with a default: a write-only value is never stored",
                );
            }
            Role::Plain if field.mixed.is_some() => {
                reject(
                    option_name.span(),
                    "`mixed` cannot be combined with a default: add it to the attributes of the nested model",
                );
            }
            Role::Plain | Role::Variant => {}
        }
    }
    for (option_name, _) in behavior.suppress_diff.iter().chain(&behavior.semantic_eq) {
        if matches!(field.role, Role::WriteOnly) {
            reject(
                option_name.span(),
                "a write-only value is not stored, so there is no prior value to compare it with: remove this option",
            );
        }
    }
    if let (Some((option_name, _)), Role::Computed) = (&behavior.suppress_diff, &field.role) {
        reject(
            option_name.span(),
            "`suppress_diff` has no effect on a computed-only attribute: its configuration cannot change",
        );
    }
    if let (Some(span), None) = (behavior.suppress_on_refresh, &behavior.suppress_diff) {
        reject(span, "`suppress_on_refresh` needs `suppress_diff = …` on the same field");
    }
    if let Some((option_name, _)) = &behavior.plan_with {
        let message = match field.role {
            Role::Computed | Role::OptionalComputed => None,
            Role::Default(_) => Some("`plan_with` cannot be combined with a default: remove one of the two"),
            Role::Plain | Role::Variant if behavior.default_with.is_some() => {
                Some("`plan_with` cannot be combined with a default: remove one of the two")
            }
            Role::WriteOnly => {
                Some("`plan_with` cannot be combined with `write_only`: a write-only value is not planned")
            }
            Role::Plain | Role::Variant => Some("`plan_with` needs `computed`, or `optional, computed`"),
        };
        if let Some(message) = message {
            reject(option_name.span(), message);
        }
    }
    if let (Some(span), Role::Computed | Role::WriteOnly) = (behavior.key, &field.role) {
        reject(
            span,
            "`key` cannot be combined with `computed` or `write_only`: use an attribute that the configuration sets and the state stores",
        );
    }
}
