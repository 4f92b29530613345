//! What relations and `follows` name: what the struct alone cannot tell of it, rustc tells of the types. That is of
//! blocks, which may be a list without elements, and of what is flattened.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use crate::ast::{Field, Keep, Model, Role};
use crate::check::no_field;
use crate::relation::{Wanted, is_always_set};

/// The value of `Model::NAMES`.
pub(super) fn names(model: &Model) -> TokenStream {
    let own = model.own().map(|it| {
        let name = &it.name;
        let computed = matches!(it.role, Role::Computed);
        let write_only = matches!(it.role, Role::WriteOnly);
        let set = if it.block.is_some() {
            must_be_there(it)
        } else {
            let set = is_always_set(it);
            quote!(#set)
        };
        quote! {
            ::ferroform::__private::Name {
                name: #name,
                is_always_set: #set,
                is_computed: #computed,
                is_write_only: #write_only,
            }
        }
    });
    let flattened = model.flattened().map(|it| {
        let ty = &it.ty;
        quote_spanned!(ty.span()=> &<#ty as ::ferroform::Model>::NAMES)
    });
    quote!(::ferroform::__private::Names { own: &[#(#own),*], flattened: &[#(#flattened),*] })
}

/// Whether a configuration cannot be without the block.
fn must_be_there(block: &Field) -> TokenStream {
    let ty = &block.ty;
    let single = matches!(block.role, Role::Plain) && !block.is_option();
    let least = block.min_items.as_ref().map_or_else(|| quote!(0), |(_, it)| quote!(#it));
    quote_spanned!(ty.span()=> <#ty as ::ferroform::Attr>::INSIDE.must_be_there(#single, #least))
}

/// That there is what is named, and that it makes sense to name it.
pub(super) fn refusals(model: &Model) -> TokenStream {
    let own = model.fields.iter().flat_map(|it| it.relations.iter().map(move |relation| (it, relation)));
    let own = own.filter(|(it, relation)| it.block.is_some() && relation.is_of_the_absent());
    let own = own.map(|(it, relation)| {
        let span = relation.word().span();
        let set = assertion(model, &it.name, "are_always_set", "it is required, so it is always set", span);
        quote_spanned!(span=> const _: () = { #set };)
    });
    let follows = model.fields.iter().flat_map(|it| match &it.keep {
        Some((Keep::Follow(names), _)) => names.as_slice(),
        _ => &[],
    });
    let follows = follows.map(|it| {
        let field = model.own().find(|field| field.ident == *it);
        (it.clone(), field, Wanted::Anything)
    });
    let relations = model.fields.iter().flat_map(|it| &it.relations).flat_map(|it| it.mentions(model));
    let groups = model.groups.iter().flat_map(|it| it.mentions(model));
    let all = follows.chain(relations).chain(groups);
    // Of all other fields the struct tells enough.
    let all = all.filter(|(_, field, _)| field.is_none_or(|it| it.block.is_some()));
    let all = all.map(|(name, field, wanted)| mention(&name, field, wanted, model));
    quote!(#(#own)* #(#all)*)
}

/// The refusal of one name.
fn mention(ident: &Ident, own: Option<&Field>, wanted: Wanted, model: &Model) -> TokenStream {
    let span = ident.span();
    let name = own.map_or_else(|| ident.unraw().to_string(), |it| it.name.clone());
    let flattened: Vec<_> = model.flattened().map(|it| &it.ty).collect();
    let there = own.is_none().then(|| {
        let nor = if flattened.is_empty() { "" } else { ", and what is flattened has none of that name" };
        let message = format!("{}{nor}", no_field(&name, model));
        quote_spanned! {span=>
            ::core::assert!(false #(|| <#flattened as ::ferroform::Model>::NAMES.hold(#name))*, #message);
        }
    });
    let computed = format!("only the provider writes `{name}`: the configuration cannot set it");
    let computed =
        (wanted != Wanted::Anything).then(|| assertion(model, &name, "are_computed", &computed, span));
    let set = format!("`{name}` is required, so it is always set");
    let set = (wanted == Wanted::Absent).then(|| assertion(model, &name, "are_always_set", &set, span));
    let stored = (wanted == Wanted::WriteOnly).then(|| {
        let (message, model) = (format!("`{name}` is not write-only"), &model.ident);
        quote_spanned! {span=>
            ::core::assert!(<#model as ::ferroform::Model>::NAMES.are_write_only(#name), #message);
        }
    });
    quote_spanned!(span=> const _: () = { #there #computed #set #stored };)
}

/// That this does not hold of the attribute.
fn assertion(model: &Model, name: &str, what: &str, message: &str, span: Span) -> TokenStream {
    let (model, what) = (&model.ident, Ident::new(what, span));
    quote_spanned!(span=> ::core::assert!(!<#model as ::ferroform::Model>::NAMES.#what(#name), #message);)
}
