//! The schema of the options that take a function, and of `key`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Pat};

use crate::ast::Field;

/// The calls of the schema builder.
pub(super) fn expand(field: &Field) -> TokenStream {
    let (behavior, ty) = (&field.behavior, &field.bare);
    let call = |method: TokenStream, behavior: &Option<(Ident, Expr)>| {
        behavior.as_ref().map(|(_, f)| {
            let closure = typed(f, &quote!(comparison::<#ty>));
            quote_spanned!(f.span()=> .#method::<#ty, _>(#closure))
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
