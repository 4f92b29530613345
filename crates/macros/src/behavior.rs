//! What a function of the author's says of an attribute's behavior, and keys: read, refused, and written.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, Pat};

use crate::ast::{Field, Role};
use crate::errors::Errors;
use crate::option_names;
use crate::options::Options;

/// The options of a field that need a function, and `key`.
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

    /// Where something is specified.
    pub(crate) fn span(&self) -> Option<Span> {
        let options = [&self.default_with, &self.suppress_diff, &self.semantic_eq, &self.plan_with];
        let word = options.into_iter().flatten().next().map(|(word, _)| word.span());
        word.or(self.suppress_on_refresh).or(self.key)
    }
}

/// Refuses what cannot be meant. Of blocks and what is flattened the caller has refused everything.
pub(crate) fn check(field: &Field, errors: &mut Errors) {
    let specified = &field.behavior;
    let mut refuse = |span: Span, why: &str| errors.push(Error::new(span, why));
    if let Some((word, _)) = &specified.default_with {
        match field.role {
            Role::Computed | Role::OptionalComputed => {
                refuse(word.span(), "`computed` cannot be combined with a default: remove one of the two");
            }
            Role::Default(_) => refuse(word.span(), "use either `default` or `default_with`"),
            Role::WriteOnly => {
                refuse(
                    word.span(),
                    "`write_only` cannot be combined with a default: a write-only value is never stored",
                );
            }
            Role::Plain if field.mixed.is_some() => {
                refuse(
                    word.span(),
                    "`mixed` cannot be combined with a default: add it to the attributes of the nested model",
                );
            }
            Role::Plain | Role::Variant => {}
        }
    }
    for (word, _) in specified.suppress_diff.iter().chain(&specified.semantic_eq) {
        if matches!(field.role, Role::WriteOnly) {
            refuse(
                word.span(),
                "a write-only value is not stored, so there is no prior value to compare it with: remove this option",
            );
        }
    }
    if let (Some((word, _)), Role::Computed) = (&specified.suppress_diff, &field.role) {
        refuse(
            word.span(),
            "`suppress_diff` has no effect on a computed-only attribute: its configuration cannot change",
        );
    }
    if let (Some(span), None) = (specified.suppress_on_refresh, &specified.suppress_diff) {
        refuse(span, "`suppress_on_refresh` needs `suppress_diff = …` on the same field");
    }
    if let Some((word, _)) = &specified.plan_with {
        let why = match field.role {
            Role::Computed | Role::OptionalComputed => None,
            Role::Default(_) => Some("`plan_with` cannot be combined with a default: remove one of the two"),
            Role::Plain | Role::Variant if specified.default_with.is_some() => {
                Some("`plan_with` cannot be combined with a default: remove one of the two")
            }
            Role::WriteOnly => {
                Some("`plan_with` cannot be combined with `write_only`: a write-only value is not planned")
            }
            Role::Plain | Role::Variant => Some("`plan_with` needs `computed`, or `optional, computed`"),
        };
        if let Some(why) = why {
            refuse(word.span(), why);
        }
    }
    if let (Some(span), Role::Computed | Role::WriteOnly) = (specified.key, &field.role) {
        refuse(
            span,
            "`key` cannot be combined with `computed` or `write_only`: use an attribute that the configuration sets and the state stores",
        );
    }
}

/// The calls of the schema's builder.
pub(crate) fn expand(field: &Field) -> TokenStream {
    let (specified, ty) = (&field.behavior, &field.bare);
    let call = |method: TokenStream, specified: &Option<(Ident, Expr)>| {
        specified.as_ref().map(|(_, f)| {
            let given = typed(f, &quote!(comparison::<#ty>));
            quote_spanned!(f.span()=> .#method::<#ty, _>(#given))
        })
    };
    // What these take tells rustc itself.
    let plain = |method: &str, specified: &Option<(Ident, Expr)>| {
        specified.as_ref().map(|(_, f)| {
            let method = Ident::new(method, f.span());
            quote_spanned!(f.span()=> .#method::<#ty, _>(#f))
        })
    };
    let default_with = plain("default_with", &specified.default_with);
    let suppress_diff = call(quote!(suppress_diff), &specified.suppress_diff);
    let semantic_eq = call(quote!(semantic_eq), &specified.semantic_eq);
    let on_refresh = specified.suppress_on_refresh.map(|_| quote!(.suppress_on_refresh()));
    let plan_with = plain("plan_with", &specified.plan_with);
    let key = specified.key.map(|_| quote!(.key()));
    quote!(#default_with #suppress_diff #on_refresh #semantic_eq #plan_with #key)
}

/// A closure that does not say what it takes is told by a function of this name: rustc learns it from a bound at
/// the call alone.
pub(crate) fn typed(f: &Expr, by: &TokenStream) -> TokenStream {
    match f {
        Expr::Closure(it) if !it.inputs.iter().any(|it| matches!(it, Pat::Type(_))) => {
            quote_spanned!(f.span()=> ::ferroform::__private::#by(#f))
        }
        _ => quote!(#f),
    }
}
