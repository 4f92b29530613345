//! The options that take a function, such as `suppress_diff` and `plan_with`, and `key`: parsing, checks and code.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, Pat};

use crate::ast::{Field, Role};
use crate::errors::Errors;
use crate::option_names;
use crate::options::Options;

/// The options of a field that take a function, and `key`.
#[derive(Default)]
pub(crate) struct Behavior {
    pub(crate) default_with: Option<(Ident, Expr)>,
    suppress_diff: Option<(Ident, Expr)>,
    suppress_on_refresh: Option<Span>,
    semantic_eq: Option<(Ident, Expr)>,
    plan_with: Option<(Ident, Expr)>,
    pub(crate) key: Option<Span>,
}

impl Behavior {
    pub(crate) fn read(options: &mut Options, errors: &mut Errors) -> Behavior {
        Behavior {
            default_with: options.expr(option_names::DEFAULT_WITH, errors),
            suppress_diff: options.expr(option_names::SUPPRESS_DIFF, errors),
            suppress_on_refresh: options.flag(option_names::SUPPRESS_ON_REFRESH, errors),
            semantic_eq: options.expr(option_names::SEMANTIC_EQ, errors),
            plan_with: options.expr(option_names::PLAN_WITH, errors),
            key: options.flag(option_names::KEY, errors),
        }
    }

    /// The span of the first of these options.
    pub(crate) fn span(&self) -> Option<Span> {
        let options = [&self.default_with, &self.suppress_diff, &self.semantic_eq, &self.plan_with];
        let option_name = options.into_iter().flatten().next().map(|(option_name, _)| option_name.span());
        option_name.or(self.suppress_on_refresh).or(self.key)
    }
}

/// Rejects invalid combinations. The caller rejects all of these options on blocks and flattened models.
pub(crate) fn check(field: &Field, errors: &mut Errors) {
    let behavior = &field.behavior;
    let mut reject = |span: Span, why: &str| errors.push(Error::new(span, why));
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
        let why = match field.role {
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
        if let Some(why) = why {
            reject(option_name.span(), why);
        }
    }
    if let (Some(span), Role::Computed | Role::WriteOnly) = (behavior.key, &field.role) {
        reject(
            span,
            "`key` cannot be combined with `computed` or `write_only`: use an attribute that the configuration sets and the state stores",
        );
    }
}

/// The calls of the schema builder.
pub(crate) fn expand(field: &Field) -> TokenStream {
    let (behavior, ty) = (&field.behavior, &field.bare);
    let call = |method: TokenStream, behavior: &Option<(Ident, Expr)>| {
        behavior.as_ref().map(|(_, f)| {
            let given = typed(f, &quote!(comparison::<#ty>));
            quote_spanned!(f.span()=> .#method::<#ty, _>(#given))
        })
    };
    // The bounds of these methods determine the types of closures.
    let plain = |method: &str, behavior: &Option<(Ident, Expr)>| {
        behavior.as_ref().map(|(_, f)| {
            let method = Ident::new(method, f.span());
            quote_spanned!(f.span()=> .#method::<#ty, _>(#f))
        })
    };
    let default_with = plain("default_with", &behavior.default_with);
    let suppress_diff = call(quote!(suppress_diff), &behavior.suppress_diff);
    let semantic_eq = call(quote!(semantic_eq), &behavior.semantic_eq);
    let on_refresh = behavior.suppress_on_refresh.map(|_| quote!(.suppress_on_refresh()));
    let plan_with = plain("plan_with", &behavior.plan_with);
    let key = behavior.key.map(|_| quote!(.key()));
    quote!(#default_with #suppress_diff #on_refresh #semantic_eq #plan_with #key)
}

/// Wraps a closure without parameter types into a call of a function of this name, whose bound determines them.
pub(crate) fn typed(f: &Expr, by: &TokenStream) -> TokenStream {
    match f {
        Expr::Closure(it) if !it.inputs.iter().any(|it| matches!(it, Pat::Type(_))) => {
            quote_spanned!(f.span()=> ::ferroform::__private::#by(#f))
        }
        _ => quote!(#f),
    }
}
