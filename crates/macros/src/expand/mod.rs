//! Code generation. Every mention of a field has the span of its type, so that one wrong type results in one error.

mod assertions;
mod computed;
mod custom_type;
mod identity_struct;
mod mentioned_names;
mod model;
mod read;
mod schema;
mod tagged_enum;
mod view;

pub(crate) use custom_type::custom_type;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
pub(crate) use schema::names;
use syn::spanned::Spanned;
use syn::{DeriveInput, Ident};

use crate::ast::{Field, Model};

/// The code that `#[derive(Model)]` generates; `is_valid` if there are no errors so far.
pub(crate) fn model(model: &Model, is_valid: bool) -> TokenStream {
    let (items, associated_items) = identity_struct::expand(model);
    let assertions = assertions::expand(model, is_valid);
    let parts = [
        model::expand(model, &associated_items),
        view::expand(model),
        computed::expand(model),
        items,
        assertions,
    ];
    quote!(#(#parts)*)
}

/// The errors, with implementations that prevent further errors of the compiler.
pub(crate) fn fallback(input: &DeriveInput, errors: Option<TokenStream>) -> TokenStream {
    let (vis, ident) = (&input.vis, &input.ident);
    let (view, computed) = (view_ident(ident), computed_ident(ident));
    if !input.generics.params.is_empty() {
        return quote!(#errors);
    }
    let attr = fallback_of_attr(input, errors);
    quote! {
        #attr
        #[allow(missing_docs)]
        #vis type #view<V> = (#ident, ::core::marker::PhantomData<V>);
        #[allow(missing_docs)]
        #vis type #computed = ();
        impl ::ferroform::Model for #ident {
            type View<V: ::ferroform::view::View> = Self;
            type Computed = ();
            type Identity = ();
            fn schema() -> ::ferroform::schema::Schema { ::core::unimplemented!() }
        }
        impl ::ferroform::model_kinds::ResourceModel for #ident {}
        impl ::ferroform::model_kinds::DataSourceModel for #ident {}
        impl ::ferroform::model_kinds::ProviderConfigModel for #ident {}
        impl ::ferroform::model_kinds::ProviderMetaModel for #ident {}
    }
}

/// As [`fallback`], for `Attr` only.
pub(crate) fn fallback_of_attr(input: &DeriveInput, errors: Option<TokenStream>) -> TokenStream {
    let ident = &input.ident;
    if !input.generics.params.is_empty() || matches!(input.data, syn::Data::Union(_)) {
        return quote!(#errors);
    }
    quote! {
        #errors
        impl ::ferroform::Attr for #ident {
            type In<V: ::ferroform::view::View> = Self;
            fn ty() -> ::ferroform::value::Type { ::core::unimplemented!() }
            fn from_value(_: &::ferroform::value::Value) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                ::core::unimplemented!()
            }
            fn to_value(&self) -> ::ferroform::value::Value { ::core::unimplemented!() }
        }
    }
}

fn view_ident(model: &Ident) -> Ident {
    format_ident!("{model}View")
}

fn computed_ident(model: &Ident) -> Ident {
    format_ident!("{model}Computed")
}

/// The items of `Attr` that views have in common with the model: everything except the conversions.
fn attr_of(model: &Ident) -> TokenStream {
    let view = view_ident(model);
    quote! {
        type In<W: ::ferroform::view::View> = #view<W>;

        const SHAPE: ::ferroform::Shape = <#model as ::ferroform::Attr>::SHAPE;
        const HAS_COMPUTED: bool = #model::HAS_COMPUTED;

        fn from_value(value: &::ferroform::value::Value) -> ::core::result::Result<Self, ::ferroform::value::Error> {
            <Self as ::ferroform::Attr>::from_value_or(value, ::core::default::Default::default())
        }

        fn ty() -> ::ferroform::value::Type {
            <#model as ::ferroform::Attr>::ty()
        }

        fn block() -> ::core::option::Option<::ferroform::schema::Block> {
            <#model as ::ferroform::Attr>::block()
        }

        fn __has_attribute(name: &str) -> bool {
            <#model as ::ferroform::Attr>::__has_attribute(name)
        }
    }
}

/// The conversion of a view into the model, which fails if a value is unknown.
fn conversion_of_view(model: &Ident) -> TokenStream {
    let view = view_ident(model);
    quote! {
        impl<V: ::ferroform::view::View> ::core::convert::TryFrom<#view<V>> for #model {
            type Error = ::ferroform::value::Error;

            fn try_from(view: #view<V>) -> ::core::result::Result<Self, Self::Error> {
                <Self as ::ferroform::Attr>::from_value(&::ferroform::Attr::to_value(&view))
            }
        }
    }
}

/// The description of the field as a doc comment.
fn doc(field: &Field) -> Option<TokenStream> {
    Some(&field.description).filter(|it| !it.is_empty()).map(|it| quote!(#[doc = #it]))
}

/// The name and value of a field's attribute.
fn write(field: &Field) -> TokenStream {
    let (ident, name, ty) = (&field.ident, &field.name, &field.ty);
    quote_spanned!(ty.span()=> (#name, <#ty as ::ferroform::Attr>::to_value(&self.#ident)),)
}

/// The value of a flattened field.
fn write_flattened(field: &Field) -> TokenStream {
    let ident = &field.ident;
    quote_spanned!(field.ty.span()=> ::ferroform::Attr::to_value(&self.#ident),)
}
