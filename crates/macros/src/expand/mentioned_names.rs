//! Checks that need type information of the attributes that relations and `follows` name: blocks, which may be
//! collections, and attributes of flattened models.
//!
//! ```text
//! #[attr(flatten)]
//! login: Login,
//! #[attr(computed, follows(password))]        `password` is a field of `Login`
//! revision: u64,
//!
//! const _: () = {
//!     assert!(false || <Login as Model>::NAMES.contains("password"), "unknown field `password`; …");
//!     assert!(!<User as Model>::NAMES.is_undetectable("password"), "`password` is write-only, so …");
//! };
//! ```

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::common;
use super::relations::Requirement;
use crate::ast::{Field, Keep, Model, Role};
use crate::check::follows_write_only;
use crate::check::siblings::no_field;

/// The value of `Model::NAMES`.
pub(super) fn names(model: &Model) -> TokenStream {
    let attributes = model.attribute_fields().map(|it| {
        let name = &it.name;
        let computed = matches!(it.role, Role::Computed);
        let write_only = matches!(it.role, Role::WriteOnly);
        let fingerprint = it.fingerprint.is_some();
        let set = if it.block.is_some() {
            is_block_always_set(it)
        } else {
            let set = it.is_always_set();
            quote!(#set)
        };
        quote! {
            ::ferroform::__private::AttributeName {
                name: #name,
                is_always_set: #set,
                is_computed: #computed,
                is_write_only: #write_only,
                has_fingerprint: #fingerprint,
            }
        }
    });
    let flattened = model.flattened().map(|it| {
        let ty = &it.ty;
        quote_spanned!(ty.span()=> &<#ty as ::ferroform::Model>::NAMES)
    });
    quote!(::ferroform::__private::AttributeNames { fields: &[#(#attributes),*], flattened: &[#(#flattened),*] })
}

/// An expression that is true if every configuration contains the block.
fn is_block_always_set(block: &Field) -> TokenStream {
    let ty = &block.ty;
    let single = matches!(block.role, Role::Plain) && !block.is_option();
    let least = block.min_items.as_ref().map_or_else(|| quote!(0), |(_, it)| quote!(#it));
    let facts = common::field_type(ty, &quote!(FACTS));
    quote_spanned!(ty.span()=> #facts.is_always_set(#single, #least))
}

/// Assertions that all named attributes exist and meet the conditions on them.
pub(super) fn assertions(model: &Model) -> TokenStream {
    let blocks = model.fields.iter().flat_map(|it| it.relations.iter().map(move |relation| (it, relation)));
    let blocks = blocks.filter(|(it, relation)| it.block.is_some() && relation.is_optional_required());
    let blocks = blocks.map(|(it, relation)| {
        let span = relation.option_name.span();
        let set = assertion(
            model,
            &it.name,
            "is_always_set",
            "this option has no effect on a required attribute or block: the configuration always sets it",
            span,
        );
        quote_spanned!(span=> const _: () = { #set };)
    });
    let follows = model.fields.iter().flat_map(|it| match &it.keep {
        Some((Keep::Follow(names), _)) => names.as_slice(),
        _ => &[],
    });
    let follows = follows.map(|it| {
        let field = model.attribute_fields().find(|field| field.ident == *it);
        (it.clone(), field, Requirement::Comparable)
    });
    let relations =
        model.fields.iter().flat_map(|it| &it.relations).flat_map(|it| it.named_attributes(model));
    let groups = model.groups.iter().flat_map(|it| it.named_attributes(model));
    let all = follows.chain(relations).chain(groups);
    // `check` has checked all other fields.
    let all = all.filter(|(_, field, _)| field.is_none_or(|it| it.block.is_some()));
    let all = all.map(|(name, field, requirement)| assertions_for_name(&name, field, requirement, model));
    quote!(#(#blocks)* #(#all)*)
}

/// The assertions about one name.
fn assertions_for_name(
    ident: &Ident,
    field: Option<&Field>,
    requirement: Requirement,
    model: &Model,
) -> TokenStream {
    let span = ident.span();
    let name = field.map_or_else(|| ident.unraw().to_string(), |it| it.name.clone());
    let flattened: Vec<_> = model.flattened().map(|it| &it.ty).collect();
    let exists = field.is_none().then(|| {
        let flattened_note =
            if flattened.is_empty() { "" } else { ", and no flattened model has an attribute of that name" };
        let message = format!("{}{flattened_note}", no_field(&name, model));
        quote_spanned! {span=>
            ::core::assert!(false #(|| <#flattened as ::ferroform::Model>::NAMES.contains(#name))*, #message);
        }
    });
    let computed = format!("`{name}` is computed only: the configuration cannot set it");
    let computed = (requirement != Requirement::Comparable)
        .then(|| assertion(model, &name, "is_computed", &computed, span));
    let set = format!("`{name}` is required, so the configuration always sets it");
    let set =
        (requirement == Requirement::Omittable).then(|| assertion(model, &name, "is_always_set", &set, span));
    let stored = (requirement == Requirement::WriteOnly).then(|| {
        let (message, model) = (format!("`{name}` is not write-only"), &model.ident);
        quote_spanned! {span=>
            ::core::assert!(<#model as ::ferroform::Model>::NAMES.is_write_only(#name), #message);
        }
    });
    let comparable = (requirement == Requirement::Comparable)
        .then(|| assertion(model, &name, "is_undetectable", &follows_write_only(&name), span));
    quote_spanned!(span=> const _: () = { #exists #computed #set #stored #comparable };)
}

/// An assertion that the predicate is false for the attribute.
fn assertion(model: &Model, name: &str, predicate: &str, message: &str, span: Span) -> TokenStream {
    let (model, predicate) = (&model.ident, Ident::new(predicate, span));
    quote_spanned!(span=> ::core::assert!(!<#model as ::ferroform::Model>::NAMES.#predicate(#name), #message);)
}
