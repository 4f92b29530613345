//! The view of a model, such as `FileView<V>`.
//!
//! A view has one field for each field of the model. The type of a field depends on the origin of the value and on the
//! view `V`: the configuration, the proposed new state, the planned state. For example, a model becomes this view:
//!
//! ```text
//! struct File {                               struct FileView<V: View> {
//!     path: String,                               path: V::Plain<String>,
//!     #[attr(default = true)]
//!     executable: bool,                           executable: V::Default<bool>,
//!     #[attr(optional, computed)]
//!     owner: Option<String>,                      owner: V::OptionalComputed<String, Option<String>>,
//!     #[attr(computed)]
//!     size: u64,                                  size: V::Computed<u64>,
//! }                                           }
//! ```
//!
//! In the configuration, `V::Computed<u64>` is `()`. In the planned state, it is `Maybe<u64>`. The module
//! `ferroform::view` contains the complete table.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::common::{self, attr_of, view_ident};
use super::read::{self, Read};
use crate::ast::{Field, Model, Role};

pub(super) fn expand(model: &Model) -> TokenStream {
    let (vis, ident) = (&model.vis, &model.ident);
    let view = view_ident(ident);
    let title = format!("A view of [`{ident}`].");
    let fields = model.fields.iter().map(|it| {
        let (vis, ident, ty, doc) = (&it.vis, &it.ident, row(it), common::doc(it));
        quote_spanned!(it.ty.span()=> #doc #vis #ident: #ty,)
    });
    let reads = model.fields.iter().map(|it| {
        let (ident, name, span) = (&it.ident, &it.name, it.ty.span());
        let expr = match it.flatten {
            Some(_) => quote_spanned!(span=> ::ferroform::Attr::__read_flattened(value, unhandled)?),
            None => quote_spanned!(span=> ::ferroform::Attr::__read_attribute(object, #name, unhandled)?),
        };
        Read { ident, ty: row(it), expr }
    });
    // Provider authors construct views in `plan`, so a view has only the fields of the model. A view without fields
    // needs a marker for its type parameter.
    let (marker_field, marker) = match model.fields.is_empty() {
        true => (
            quote!(#[doc(hidden)] __view: ::core::marker::PhantomData<__V>,),
            quote!(__view: ::core::marker::PhantomData),
        ),
        false => (TokenStream::new(), TokenStream::new()),
    };
    let reads = read::methods(
        &reads.collect::<Vec<_>>(),
        &quote!(<__V: ::ferroform::view::View>),
        &quote!(::<__V>),
        &marker,
    );
    let writes = model.attribute_fields().map(|it| {
        let (ident, name) = (&it.ident, &it.name);
        quote_spanned!(it.ty.span()=> (#name, ::ferroform::Attr::to_value(&self.#ident)),)
    });
    let flattened = model.flattened().map(common::write_flattened);
    let clones = model.fields.iter().map(|it| {
        let ident = &it.ident;
        quote_spanned!(it.ty.span()=> #ident: ::core::clone::Clone::clone(&self.#ident),)
    });
    let equals = model.fields.iter().map(|it| {
        let ident = &it.ident;
        quote_spanned!(it.ty.span()=> && self.#ident == other.#ident)
    });
    let debugs = model.fields.iter().map(debug);
    let debug_name = view.to_string();
    let attr = attr_of(ident);
    let conversion = common::conversion_of_view(ident);
    quote! {
        #[doc = #title]
        #[allow(missing_docs, clippy::type_complexity, reason = "the descriptions and types of fields are the author's")]
        #vis struct #view<__V: ::ferroform::view::View> {
            #(#fields)*
            #marker_field
        }

        impl<__V: ::ferroform::view::View> ::ferroform::Attr for #view<__V> {
            #attr

            #reads

            fn to_value(&self) -> ::ferroform::value::Value {
                ::ferroform::value::Value::Object(::ferroform::__private::assemble_object([#(#writes)*], [#(#flattened)*]))
            }
        }

        impl<__V: ::ferroform::view::View> ::core::clone::Clone for #view<__V> {
            fn clone(&self) -> Self {
                Self { #(#clones)* #marker }
            }
        }

        #conversion

        #[allow(clippy::unit_cmp, reason = "a flattened model may have no fields")]
        impl<__V: ::ferroform::view::View> ::core::cmp::PartialEq for #view<__V> {
            fn eq(&self, other: &Self) -> bool {
                true #(#equals)*
            }
        }

        impl<__V: ::ferroform::view::View> ::core::fmt::Debug for #view<__V> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(#debug_name) #(#debugs)* .finish()
            }
        }
    }
}

/// The type of the field in the view: its row in the table of `ferroform::view`.
fn row(field: &Field) -> TokenStream {
    let (ty, bare) = (&field.ty, &field.bare);
    let span = ty.span();
    if field.flatten.is_some() {
        return quote_spanned!(span=> <#ty as ::ferroform::Model>::View<__V>);
    }
    match field.role {
        Role::Plain | Role::Variant => quote_spanned!(span=> __V::Plain<#ty>),
        Role::Computed => quote_spanned!(span=> __V::Computed<#ty>),
        Role::OptionalComputed => quote_spanned!(span=> __V::OptionalComputed<#bare, #ty>),
        Role::Default(_) => quote_spanned!(span=> __V::Default<#ty>),
        Role::WriteOnly => quote_spanned!(span=> __V::WriteOnly<#ty>),
    }
}

/// Debug output masks sensitive and write-only values.
pub(super) fn debug(field: &Field) -> TokenStream {
    let ident = &field.ident;
    let name = ident.to_string();
    if field.sensitive.is_some() || matches!(field.role, Role::WriteOnly) {
        quote!(.field(#name, &::core::format_args!("(sensitive value)")))
    } else {
        quote_spanned!(field.ty.span()=> .field(#name, &self.#ident))
    }
}
