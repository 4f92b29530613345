//! What a function of the author's says of an attribute's behaviour, and keys: read, refused, and written.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, Pat};

use crate::ast::{Field, Role};
use crate::attr::Words;
use crate::errors::Errors;
use crate::symbol;

/// The words of a field that need a function, and `key`.
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
    pub(crate) fn read(words: &mut Words, errors: &mut Errors) -> Behavior {
        Behavior {
            default_with: words.expr(symbol::DEFAULT_WITH, errors),
            suppress_diff: words.expr(symbol::SUPPRESS_DIFF, errors),
            suppress_on_refresh: words.flag(symbol::SUPPRESS_ON_REFRESH, errors),
            semantic_eq: words.expr(symbol::SEMANTIC_EQ, errors),
            plan_with: words.expr(symbol::PLAN_WITH, errors),
            key: words.flag(symbol::KEY, errors),
        }
    }

    /// Where something is said.
    pub(crate) fn span(&self) -> Option<Span> {
        let words = [&self.default_with, &self.suppress_diff, &self.semantic_eq, &self.plan_with];
        let word = words.into_iter().flatten().next().map(|(word, _)| word.span());
        word.or(self.suppress_on_refresh).or(self.key)
    }
}

/// Refuses what cannot be meant. Of blocks and what is flattened the caller has refused everything.
pub(crate) fn check(field: &Field, errors: &mut Errors) {
    let said = &field.behaviour;
    let mut refuse = |span: Span, why: &str| errors.push(Error::new(span, why));
    if let Some((word, _)) = &said.default_with {
        match field.role {
            Role::Computed | Role::OptionalComputed => {
                refuse(word.span(), "an attribute is computed or has a default, not both");
            }
            Role::Default(_) => {
                refuse(word.span(), "an attribute has one default: `default`, or `default_with`")
            }
            Role::WriteOnly => {
                refuse(word.span(), "what is write-only is never stored, so it cannot have a default");
            }
            Role::Plain if field.mixed.is_some() => {
                refuse(
                    word.span(),
                    "what the provider completes has no default: say it in the attributes inside",
                );
            }
            Role::Plain | Role::Variant => {}
        }
    }
    for (word, _) in said.suppress_diff.iter().chain(&said.semantic_eq) {
        if matches!(field.role, Role::WriteOnly) {
            refuse(word.span(), "what is write-only is not stored, so there is nothing to compare it with");
        }
    }
    if let (Some((word, _)), Role::Computed) = (&said.suppress_diff, &field.role) {
        refuse(
            word.span(),
            "only the provider writes it: there is no change of the configuration to suppress",
        );
    }
    if let (Some(span), None) = (said.suppress_on_refresh, &said.suppress_diff) {
        refuse(span, "without `suppress_diff` there is nothing to suppress after a read");
    }
    if let Some((word, _)) = &said.plan_with {
        let why = match field.role {
            Role::Computed | Role::OptionalComputed => None,
            Role::Default(_) => Some("an attribute has a default or a function that plans it, not both"),
            Role::Plain | Role::Variant if said.default_with.is_some() => {
                Some("an attribute has a default or a function that plans it, not both")
            }
            Role::WriteOnly => {
                Some("what is write-only is in no plan, so no function says what is planned for it")
            }
            Role::Plain | Role::Variant => Some(
                "a function says what is planned only for what the provider computes: `computed`, or `optional, computed`",
            ),
        };
        if let Some(why) = why {
            refuse(word.span(), why);
        }
    }
    if let (Some(span), Role::Computed | Role::WriteOnly) = (said.key, &field.role) {
        refuse(
            span,
            "a key is what the configuration says and the state holds: it is neither computed nor write-only",
        );
    }
}

/// The calls of the schema's builder.
pub(crate) fn expand(field: &Field) -> TokenStream {
    let (said, ty) = (&field.behaviour, &field.bare);
    let call = |method: TokenStream, said: &Option<(Ident, Expr)>| {
        said.as_ref().map(|(_, f)| {
            let given = typed(f, &quote!(compares::<#ty>));
            quote_spanned!(f.span()=> .#method::<#ty, _>(#given))
        })
    };
    // What these take tells rustc itself.
    let plain = |method: &str, said: &Option<(Ident, Expr)>| {
        said.as_ref().map(|(_, f)| {
            let method = Ident::new(method, f.span());
            quote_spanned!(f.span()=> .#method::<#ty, _>(#f))
        })
    };
    let default_with = plain("default_with", &said.default_with);
    let suppress_diff = call(quote!(suppress_diff), &said.suppress_diff);
    let semantic_eq = call(quote!(semantic_eq), &said.semantic_eq);
    let on_refresh = said.suppress_on_refresh.map(|_| quote!(.suppress_on_refresh()));
    let plan_with = plain("plan_with", &said.plan_with);
    let key = said.key.map(|_| quote!(.key()));
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
