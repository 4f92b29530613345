//! The identity struct, such as `FileIdentity`, and the patterns of import IDs.
//!
//! ```text
//! #[attr(import = "{project}/{name}")]        fn import_patterns() -> Vec<ImportPattern>
//! struct Server {                             struct ServerIdentity {
//!     #[attr(identity)]
//!     project: String,                            project: String,
//!     #[attr(identity)]
//!     name: String,                               name: String,
//!     size: u64,                              }
//! }
//! ```

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Path, Type, parse_quote, parse_quote_spanned};

use super::{common, computed, model, view};
use crate::ast::{Field, Model};
use crate::derive_identity::Identity;
use crate::import_pattern::{Extent, Part, Pattern};

/// The items next to the implementation of `Model`, and the items inside it.
pub(super) fn expand(model: &Model) -> (TokenStream, TokenStream) {
    let (imports, patterns) = patterns(model);
    if !model.may_have_identity() {
        return (imports, quote!(type Identity = (); #patterns));
    }
    let Identity { named, version, upgrades, mutable } = &model.identity;
    let (identity, definition) = match named {
        Some(path) => (path.clone(), checked(path)),
        None => of_fields(model),
    };
    let version = version.and_then(|(it, _)| it).into_iter();
    let mutable = mutable.map(|_| quote!(.mutable()));
    let by_provider = named.as_ref().map(|_| quote!(.by_provider()));
    let upgrades = upgrades.iter().map(|old| quote_spanned!(old.span()=> .upgrade::<#old, #identity>()));
    let inside = quote! {
        type Identity = #identity;

        fn identity() -> ::core::option::Option<::ferroform::schema::IdentitySchema> {
            use ::ferroform::schema::IdentitySchemaExt as _;
            ::ferroform::schema::IdentitySchema::of::<#identity>()
                #(.version(#version))* #mutable #by_provider #(#upgrades)*
                .unless_empty()
        }

        #patterns
    };
    (quote!(#imports #definition), inside)
}

fn checked(named: &Path) -> TokenStream {
    let message = "an identity struct may only contain bools, numbers, strings and lists of these";
    quote_spanned! {named.span()=>
        const _: () = ::core::assert!(<#named as ::ferroform::Attr>::SHAPE.is_record(), #message);
        const _: () = ::core::assert!(
            // The assertion above reports an unsupported shape.
            !<#named as ::ferroform::Attr>::SHAPE.is_record() || !<#named as ::ferroform::Attr>::FACTS.has_options,
            "identity attributes cannot have options: remove `#[attr(…)]` from the fields of the identity struct",
        );
        const _: () = <#named as ::ferroform::model_kinds::NoReservedNames>::__CHECKED;
    }
}

/// The struct with the marked fields and the identities of flattened models.
fn of_fields(of: &Model) -> (Path, TokenStream) {
    let (vis, of_ident) = (&of.vis, &of.ident);
    let ident = format_ident!("{of_ident}Identity");
    let title = format!("The resource identity of a [`{of_ident}`].");
    // `check` has reported the other fields with the option `identity`.
    let is_identity_attribute = |it: &&Field| it.identity.is_some() && it.block.or(it.mixed).is_none();
    let marked: Vec<&Field> = of.attribute_fields().filter(is_identity_attribute).collect();
    let checks = marked.iter().map(|it| {
        let ty = &it.ty;
        let message = format!(
            "`{}` cannot be an identity attribute: its type must be a bool, a number, a string or a list of these \
             (instead of a set, use a sorted list)",
            it.ident
        );
        let shape = common::field_type(ty, &quote!(SHAPE));
        quote_spanned! {ty.span()=>
            const _: () = ::core::assert!(#shape.can_be_identity_attribute(), #message);
        }
    });
    let fields: Vec<Field> =
        marked.iter().map(|it| identity_field(it)).chain(of.flattened().map(flattened)).collect();
    let declared = fields.iter().map(|it| {
        let (vis, ident, ty, doc) = (&it.vis, &it.ident, &it.ty, common::doc(it));
        quote_spanned!(ty.span()=> #doc #vis #ident: #ty,)
    });
    let declared = quote! {
        #(#checks)*

        #[doc = #title]
        #[allow(missing_docs, reason = "a field's description is the author's")]
        #[allow(clippy::unit_cmp, reason = "a flattened model may have no identity")]
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #vis struct #ident {
            #(#declared)*
        }

        impl<R: ::ferroform::Resource> ::ferroform::Identity<R> for #ident {}
    };
    let identity_model = Model::plain(of, ident.clone(), fields);
    let none = quote!(
        type Identity = ();
    );
    let items = [
        declared,
        model::expand(&identity_model, &none),
        view::expand(&identity_model),
        computed::expand(&identity_model),
    ];
    (parse_quote!(#ident), quote!(#(#items)*))
}

/// The field of an identity attribute: required for imports if it is required in the configuration, or has the option
/// `required_for_import`.
fn identity_field(field: &Field) -> Field {
    let bare = &field.bare;
    let is_required = field.is_always_set() || field.required_for_import.is_some();
    let ty: Type = if is_required {
        bare.clone()
    } else {
        parse_quote_spanned!(field.ty.span()=> ::core::option::Option<#bare>)
    };
    Field::plain(field, ty)
}

fn flattened(field: &Field) -> Field {
    let ty = &field.ty;
    let ty = parse_quote_spanned!(ty.span()=> <#ty as ::ferroform::Model>::Identity);
    Field { flatten: field.flatten, ..Field::plain(field, ty) }
}

fn patterns(model: &Model) -> (TokenStream, TokenStream) {
    let composed = model.attribute_fields().filter_map(|it| it.composed.as_ref()?.pattern.as_ref());
    let checks = model.imports.iter().chain(composed).flat_map(|pattern| {
        pattern.fields().filter_map(|name| Some((name, model.named(name)?))).map(|(name, field)| {
            let ty = &field.ty;
            let message = format!(
                "`{name}` cannot be part of an import ID or a composed attribute: its type must be a bool, a number or a string"
            );
            let shape = common::field_type(ty, &quote!(SHAPE));
            quote_spanned! {pattern.literal.span()=>
                const _: () = ::core::assert!(#shape.is_scalar(), #message);
            }
        })
    });
    let patterns = model.imports.iter().map(|it| pattern(it, model));
    let checks = quote!(#(#checks)*);
    if model.imports.is_empty() {
        return (checks, quote!());
    }
    let inside = quote! {
        fn import_patterns() -> ::std::vec::Vec<::ferroform::schema::ImportPattern> {
            ::std::vec![#(#patterns),*]
        }
    };
    (checks, inside)
}

fn pattern(pattern: &Pattern, model: &Model) -> TokenStream {
    let parts = pattern.parts.iter().map(|it| match it {
        Part::Literal(literal) => quote!(.literal(#literal)),
        Part::Field(name, extent) => {
            let name = model.named(name).map_or(name, |it| &it.name);
            match extent {
                Extent::Segment => quote!(.attribute(#name)),
                Extent::Rest => quote!(.rest(#name)),
                Extent::Optional => quote!(.optional(#name)),
            }
        }
    });
    quote!(::ferroform::schema::ImportPattern::new()#(#parts)*)
}
