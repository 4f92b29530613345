//! The implementation of `Attr` for an enum with data, and its view.
//!
//! An enum with data is an object with one attribute for each variant, of which exactly one is set:
//!
//! ```text
//! #[derive(Attr)]                             source = { file = { path = "a.img" } }
//! enum Source { File(File), Url(Url) }        source = { url = { href = "https://…" } }
//! ```
//!
//! In a plan, the values of the set variant can be unknown. So the view has the same variants with the views of their
//! models.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use super::common::{attr_of, conversion_of_view, doc, equality, field_type, value_check, view_ident};
use super::{assertions, schema};
use crate::ast::Field;
use crate::tagged_enum::TaggedEnum;

/// The code that `#[derive(Attr)]` generates.
pub(super) fn expand(choice: &TaggedEnum) -> TokenStream {
    let (vis, ident, fields) = (&choice.vis, &choice.model.ident, &choice.model.fields);
    let view = view_ident(ident);
    let title = format!("A view of [`{ident}`].");
    let block = schema::block(&choice.model);
    let names: Vec<&str> = fields.iter().map(|it| it.name.as_str()).collect();
    let names = quote!(&[#(#names),*]);
    let inside = fields.iter().map(|it| {
        let ty = &it.bare;
        field_type(ty, &quote!(HAS_COMPUTED))
    });
    let declared = choice.variants.iter().zip(fields).map(|(variant, it)| {
        let (ty, doc) = (row(it), doc(it));
        quote_spanned!(it.bare.span()=> #doc #variant(#ty),)
    });
    let read_plain = |it: &Field| {
        let name = &it.name;
        field_type(&it.bare, &quote!(read_attribute(object, #name, unhandled)))
    };
    let read_row = |it: &Field| {
        let (name, ty) = (&it.name, row(it));
        quote_spanned!(it.bare.span()=> <#ty as ::ferroform::Attr>::__read_attribute(object, #name, unhandled))
    };
    let (reads, reads_view) = (read(choice, &read_plain), read(choice, &read_row));
    let writes = write(choice, &|it| field_type(&it.bare, &quote!(to_value(it))));
    let writes_view = write(choice, &|it| quote_spanned!(it.bare.span()=> ::ferroform::Attr::to_value(it)));
    // Every mention of a variant has the span of its type, as for fields.
    let each = |of: &dyn Fn(&Ident) -> TokenStream| -> Vec<TokenStream> {
        let spanned = |(variant, it): (&Ident, &Field)| {
            let mut variant = variant.clone();
            variant.set_span(it.bare.span());
            of(&variant)
        };
        choice.variants.iter().zip(fields).map(spanned).collect()
    };
    let clones =
        each(&|it| quote_spanned!(it.span()=> Self::#it(it) => Self::#it(::core::clone::Clone::clone(it)),));
    let equals = each(&|it| quote_spanned!(it.span()=> (Self::#it(a), Self::#it(b)) => a == b,));
    let debugs = choice.variants.iter().zip(fields).map(|(variant, it)| {
        let name = variant.to_string();
        let shown =
            if it.sensitive.is_some() { quote!(&::core::format_args!("(sensitive value)")) } else { quote!(it) };
        quote_spanned!(it.bare.span()=> Self::#variant(it) => { let _ = it; f.debug_tuple(#name).field(#shown).finish() })
    });
    let type_facts = assertions::type_facts(&choice.model);
    let option_checks = assertions::fields(&choice.model);
    let attr = attr_of(ident);
    let conversion = conversion_of_view(ident);
    let (equality, value_check) = (equality(), value_check(ident));
    quote! {
        #option_checks

        impl ::ferroform::Attr for #ident {
            type In<__V: ::ferroform::view::View> = #view<__V>;

            const HAS_COMPUTED: bool = false #(|| #inside)*;
            const FACTS: ::ferroform::__private::TypeFacts = #type_facts;

            fn from_value(value: &::ferroform::value::Value) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                <Self as ::ferroform::Attr>::from_value_or(value, ::core::default::Default::default())
            }

            fn ty() -> ::ferroform::value::Type {
                ::ferroform::__private::tagged_enum_type(<Self as ::ferroform::Attr>::block())
            }

            fn block() -> ::core::option::Option<::ferroform::schema::Block> {
                ::core::option::Option::Some(#block .choice())
            }

            fn from_value_or(
                value: &::ferroform::value::Value,
                unhandled: ::ferroform::Unhandled,
            ) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                #reads
            }

            fn to_value(&self) -> ::ferroform::value::Value {
                #writes
            }

            fn __is_unknown(value: &::ferroform::value::Value) -> bool {
                ::ferroform::__private::is_variant_unknown(value, #names)
            }

            #equality
        }

        #value_check

        #[doc = #title]
        #[allow(missing_docs, reason = "a variant's description is the author's")]
        #vis enum #view<__V: ::ferroform::view::View> {
            #(#declared)*
        }

        impl<__V: ::ferroform::view::View> ::ferroform::Attr for #view<__V> {
            #attr

            fn from_value_or(
                value: &::ferroform::value::Value,
                unhandled: ::ferroform::Unhandled,
            ) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                #reads_view
            }

            fn to_value(&self) -> ::ferroform::value::Value {
                #writes_view
            }

            fn __is_unknown(value: &::ferroform::value::Value) -> bool {
                <#ident as ::ferroform::Attr>::__is_unknown(value)
            }
        }

        #conversion

        impl<__V: ::ferroform::view::View> ::core::clone::Clone for #view<__V> {
            fn clone(&self) -> Self {
                match self { #(#clones)* }
            }
        }

        impl<__V: ::ferroform::view::View> ::core::cmp::PartialEq for #view<__V> {
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    #(#equals)*
                    #[allow(unreachable_patterns, reason = "there may be one variant only")]
                    _ => false,
                }
            }
        }

        impl<__V: ::ferroform::view::View> ::core::fmt::Debug for #view<__V> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self { #(#debugs)* }
            }
        }
    }
}

/// The type of a variant in a view.
fn row(field: &Field) -> TokenStream {
    let ty = &field.bare;
    quote_spanned!(ty.span()=> __V::Plain<#ty>)
}

/// Code that reads the variant whose attribute is set.
fn read(choice: &TaggedEnum, attribute: &dyn Fn(&Field) -> TokenStream) -> TokenStream {
    let fields = &choice.model.fields;
    let names: Vec<&str> = fields.iter().map(|it| it.name.as_str()).collect();
    let reads = choice.variants.iter().zip(fields).map(|(variant, it)| {
        let (name, read) = (&it.name, attribute(it));
        quote_spanned!(it.bare.span()=> if chosen == #name {
            return (#read).map(Self::#variant);
        })
    });
    quote! {
        ::ferroform::__private::reject_unknown_attributes(value, |name| [#(#names),*].contains(&name))?;
        let (object, unhandled) = ::ferroform::__private::object_in(value, unhandled)?;
        let chosen = ::ferroform::__private::configured_variant(object, &[#(#names),*])?;
        #(#reads)*
        ::core::unreachable!("one of the names is set")
    }
}

/// Code that sets the attribute of the variant, and null for the others.
fn write(choice: &TaggedEnum, value: &dyn Fn(&Field) -> TokenStream) -> TokenStream {
    let fields = &choice.model.fields;
    let names: Vec<&str> = fields.iter().map(|it| it.name.as_str()).collect();
    let writes = choice.variants.iter().zip(fields).map(|(variant, it)| {
        let (name, value) = (&it.name, value(it));
        quote_spanned!(it.bare.span()=> Self::#variant(it) => (#name, #value),)
    });
    quote! {
        let (chosen, value) = match self { #(#writes)* };
        ::ferroform::__private::variant_value(chosen, value, &[#(#names),*])
    }
}
