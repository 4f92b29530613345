//! Code generation. One derive of `Model` generates these items:
//!
//! | item | module |
//! |---|---|
//! | `impl Attr` and `impl Model` | `model`, with `schema` and `read` |
//! | `FileView<V>` | `view` |
//! | `FileComputed` | `computed` |
//! | `FileIdentity`, if a field has `identity` | `identity_struct` |
//! | checks that need types | `assertions`, `mentioned_names` |
//!
//! All generated code for a field has the span of its type, so that one invalid type results in one error.

mod assertions;
mod behavior;
mod common;
mod computed;
mod custom_type;
mod identity_struct;
mod mentioned_names;
mod model;
mod read;
mod relations;
mod schema;
mod tagged_enum;
mod view;

pub(crate) use behavior::typed;
pub(crate) use custom_type::custom_type;
use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use self::common::{computed_ident, view_ident};
use crate::ast::Model;

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
        #vis type #view<__V> = (#ident, ::core::marker::PhantomData<__V>);
        #[allow(missing_docs)]
        #vis type #computed = ();
        impl ::ferroform::Model for #ident {
            type View<__V: ::ferroform::view::View> = Self;
            type Computed = ();
            type __Itself = Self;
            type Identity = ();
            fn schema() -> ::ferroform::schema::Schema { ::core::unimplemented!() }
        }
        impl ::ferroform::__private::FlattenedPlans for #ident {}
        impl ::ferroform::model_kinds::NoReservedNames for #ident {}
        impl ::ferroform::model_kinds::NoReservedProviderNames for #ident {}
        impl ::ferroform::model_kinds::NoWriteOnlyAttributes for #ident {}
        impl ::ferroform::model_kinds::NoComputedAttributes for #ident {}
        impl ::ferroform::model_kinds::NoBlocks for #ident {}
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
            type In<__V: ::ferroform::view::View> = Self;
            fn ty() -> ::ferroform::value::Type { ::core::unimplemented!() }
            fn from_value(_: &::ferroform::value::Value) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                ::core::unimplemented!()
            }
            fn to_value(&self) -> ::ferroform::value::Value { ::core::unimplemented!() }
        }
    }
}
