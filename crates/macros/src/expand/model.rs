//! The author's struct as a value: `Attr` and `Model`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::read::{self, Read};
use super::{computed_ident, refuse, schema, view_ident};
use crate::ast::{Field, Model, Role};

pub(super) fn expand(model: &Model) -> TokenStream {
    let ident = &model.ident;
    let (view, computed) = (view_ident(ident), computed_ident(ident));
    let block = schema::block(model);
    let version = model.version.iter();
    let version = quote!(0 #(+ #version)*);
    let reads: Vec<Read<'_>> = model.fields.iter().map(read).collect();
    let skipped = &model.skipped;
    let rest = quote!(#(#skipped: ::core::default::Default::default(),)*);
    let body = read::body(&reads, &quote!(), &quote!(), &rest);
    let writes = model.own().map(write);
    let flattened = model.flattened().map(super::write_flattened);
    // What is flattened says for itself whether it holds something computed.
    let computed_here = model.own().any(Field::is_answered);
    let inside = model.fields.iter().filter(|it| !it.is_scalar()).map(|it| {
        let ty = &it.ty;
        quote_spanned!(ty.span()=> <#ty as ::ferroform::Attr>::HOLDS_COMPUTED)
    });
    let marked = model.own().filter(|it| !it.is_answered() && !it.is_scalar()).map(assert_no_computed);
    let inside_of_fields = refuse::inside(model);
    let names = refuse::names(model);
    quote! {
        #(#marked)*

        impl ::ferroform::Attr for #ident {
            type In<V: ::ferroform::view::View> = #view<V>;

            const HOLDS_COMPUTED: bool = #computed_here #(|| #inside)*;
            const INSIDE: ::ferroform::__private::Inside = #inside_of_fields;

            fn from_value(value: &::ferroform::value::Value) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                <Self as ::ferroform::Attr>::from_value_or(value, ::core::default::Default::default())
            }

            fn ty() -> ::ferroform::value::Type {
                <Self as ::ferroform::Model>::schema().block.ty()
            }

            fn block() -> ::core::option::Option<::ferroform::schema::Block> {
                ::core::option::Option::Some(<Self as ::ferroform::Model>::schema().block)
            }

            fn from_value_or(
                value: &::ferroform::value::Value,
                unhandled: ::ferroform::Unhandled,
            ) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                #body
            }

            fn to_value(&self) -> ::ferroform::value::Value {
                ::ferroform::value::Value::Object(::ferroform::__private::assemble([#(#writes)*], [#(#flattened)*]))
            }
        }

        impl ::ferroform::Model for #ident {
            type View<V: ::ferroform::view::View> = #view<V>;
            type Computed = #computed;

            const NAMES: ::ferroform::__private::Names = #names;

            fn schema() -> ::ferroform::schema::Schema {
                ::ferroform::schema::Schema { version: #version, block: #block }
            }
        }
    }
}

/// A write-only field has no stored value: its own empty one stands for it.
fn read(field: &Field) -> Read<'_> {
    let (ident, name, ty) = (&field.ident, &field.name, &field.ty);
    let expr = match field.role {
        _ if field.flatten.is_some() => {
            quote_spanned!(ty.span()=> ::ferroform::Attr::from_value_or(value, unhandled)?)
        }
        Role::WriteOnly => quote_spanned!(ty.span()=> <#ty as ::core::default::Default>::default()),
        _ => quote_spanned!(ty.span()=> <#ty as ::ferroform::Attr>::__read(object, #name, unhandled)?),
    };
    Read { ident, ty: quote!(#ty), expr }
}

fn write(field: &Field) -> TokenStream {
    let name = &field.name;
    match field.role {
        Role::WriteOnly => quote!((#name, ::ferroform::value::Value::Null),),
        _ => super::write(field),
    }
}

/// What the provider writes inside a nested model must be answered by `create`: the field is marked.
fn assert_no_computed(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let name = &field.ident;
    let message = format!("`{name}` holds computed attributes: mark it `#[attr(mixed)]`");
    quote_spanned!(ty.span()=> const _: () = ::core::assert!(!<#ty as ::ferroform::Attr>::HOLDS_COMPUTED, #message);)
}
