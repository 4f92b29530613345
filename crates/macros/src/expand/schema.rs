//! The schema, as calls of the public builder that schemas built at run time use as well.
//!
//! ```text
//! /// The size in bytes.
//! #[attr(computed, follows(content))]
//! size: u64,
//!
//! .attribute(
//!     <u64 as Attr>::__attribute("size")      the type and its nullability
//!         .description("The size in bytes.")
//!         .computed()
//!         .follows(["content"]),
//! )
//! ```

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Ident, Lit};

use super::behavior;
use super::common::{attribute_names, field_type};
use crate::ast::{Field, Keep, Model, Replace, Role};
use crate::options::Pair;

pub(super) fn block(model: &Model) -> TokenStream {
    let description = description(&model.description, model.plain_description);
    let deprecated = model.deprecated.as_ref().map(|it| quote!(.deprecated(#it)));
    let groups = model.groups.iter().map(|it| it.expand(model));
    let validate = model.validate.iter().map(|(_, rule)| {
        quote_spanned!(rule.span()=> .validate::<Self, _>(::ferroform::validators::configured::<Self, _>(#rule)))
    });
    let attributes = model.fields.iter().map(|it| {
        if it.flatten.is_some() {
            let ty = &it.ty;
            return quote_spanned!(ty.span()=> .flatten(<#ty as ::ferroform::Model>::schema().block));
        }
        let definition = attribute(it, model);
        if it.block.is_some() { quote!(.block(#definition)) } else { quote!(.attribute(#definition)) }
    });
    quote! {
        ::ferroform::schema::Block::new()
            #description #deprecated #(#groups)* #(#validate)* #(#attributes)*
    }
}

fn description(text: &str, is_plain: bool) -> TokenStream {
    match text {
        "" => TokenStream::new(),
        _ if is_plain => quote!(.plain_description(#text)),
        _ => quote!(.description(#text)),
    }
}

fn attribute(field: &Field, model: &Model) -> TokenStream {
    let (name, ty, bare) = (&field.name, &field.ty, &field.bare);
    let constructor = match &field.timeouts {
        Some((_, pairs)) => timeouts(field, pairs),
        None => field_type(ty, &quote!(attribute(#name))),
    };
    let object = field.object.map(|_| quote!(.object()));
    let role = match &field.role {
        Role::Plain => quote!(),
        Role::Computed => quote!(.computed()),
        Role::OptionalComputed => quote!(.optional_computed()),
        Role::Default(expr) if field.is_scalar() => {
            let value = literal(expr);
            quote_spanned!(expr.span()=> .default::<#ty>(|| #value))
        }
        // This call wraps the attribute: see below.
        Role::Default(_) => quote!(),
        Role::WriteOnly if field.fingerprint.is_some() => quote!(.write_only().fingerprint()),
        Role::WriteOnly => quote!(.write_only()),
        Role::Variant => quote!(.optional()),
    };
    let replace = field.replace.as_ref().map(|(it, _)| match it {
        Replace::Always => quote!(.requires_replace()),
        Replace::If(f) => quote_spanned!(f.span()=> .requires_replace_if::<#bare>(#f)),
        Replace::IfConfigured => quote!(.requires_replace_if_configured()),
    });
    let keep = field.keep.as_ref().map(|(it, _)| match it {
        Keep::State => quote!(.use_state_for_unknown()),
        Keep::NonNullState => quote!(.use_non_null_state_for_unknown()),
        Keep::Follow(siblings) => {
            let names = attribute_names(siblings, model);
            quote!(.follows(#names))
        }
    });
    // A plan with the same parts keeps the prior string.
    let composed = field.composed.as_ref().and_then(|it| it.pattern(&model.imports)).map(|pattern| {
        let parts = pattern.fields().map(|it| model.named(it).map_or(it, |field| &field.name));
        quote!(.follows([#(#parts),*]))
    });
    let behavior = behavior::expand(field);
    let validate = field.validate.iter().map(|(_, rule)| {
        let validator = behavior::typed(rule, &quote!(validator_function::<#bare, _>));
        quote_spanned!(rule.span()=> .validate::<#bare, _>(#validator))
    });
    let relations = field.relations.iter().map(|it| it.expand(model));
    let description = description(&field.description, field.plain_description || model.plain_description);
    let min = field.min_items.as_ref().map(|(_, it)| quote_spanned!(it.span()=> .min_items(#it)));
    let max = field.max_items.as_ref().map(|(_, it)| quote_spanned!(it.span()=> .max_items(#it)));
    let deprecated = field.deprecated.as_ref().map(|it| quote!(.deprecated(#it)));
    let sensitive = field.sensitive.map(|_| quote!(.sensitive()));
    let attribute = quote_spanned!(ty.span()=> #constructor #object #description #sensitive);
    let attribute = match &field.role {
        Role::Default(expr) if !field.is_scalar() => {
            let value = literal(expr);
            let with_default = field_type(ty, &quote!(default));
            quote_spanned!(expr.span()=> (#with_default)(#attribute, || #value))
        }
        _ => attribute,
    };
    quote_spanned! {ty.span()=>
        #attribute
            #role #replace #keep #composed #behavior #(#validate)* #(#relations)* #min #max #deprecated
    }
}

/// The attribute of timeouts. The compiler parses the durations.
fn timeouts(field: &Field, pairs: &[Pair]) -> TokenStream {
    let (name, ty) = (&field.name, &field.ty);
    let limits = pairs.iter().filter_map(|(name, time)| {
        let operation = Ident::new(crate::timeouts::operation(name)?, name.span());
        let operation = quote!(::ferroform::timeouts::Operation::#operation);
        Some(match time {
            Some(time) => {
                // A constant item, which the compiler evaluates even if the code is not used.
                let read = quote_spanned! {time.span()=>
                    match ::ferroform::__private::parse_timeout(#time) {
                        ::core::result::Result::Ok(it) => it,
                        ::core::result::Result::Err(_) => ::core::panic!(
                            "expected a duration longer than zero, such as \"30m\" or \"1h30m\""
                        ),
                    }
                };
                quote!(.with(#operation, { const TIME: ::core::time::Duration = #read; TIME }))
            }
            None => quote!(.with_default_timeout(#operation)),
        })
    });
    quote_spanned! {ty.span()=>
        {
            const _: () = <#ty as ::ferroform::__private::TimeoutsField>::CHECKED;
            ::ferroform::schema::Attribute::timeouts(#name, ::ferroform::timeouts::TimeoutDefaults::new() #(#limits)*)
        }
    }
}

/// Converts a string literal into a `String`.
fn literal(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) => {
            quote_spanned!(expr.span()=> ::core::convert::Into::into(#expr))
        }
        _ => quote!(#expr),
    }
}
