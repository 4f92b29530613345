//! The struct of computed fields, such as `FileComputed`: the result of `create` and `update`.
//!
//! It has only the fields that the provider sets, so that a method cannot return another value for an input. The
//! field of a flattened model has the type of that model's computed struct; `inputs_only` omits the field.
//!
//! ```text
//! struct File {                               struct FileComputed {
//!     path: String,
//!     #[attr(computed)]
//!     size: u64,                                  size: u64,
//! }                                           }
//!
//! impl Computed for FileComputed { … }        the values as an object
//! impl From<File> for FileComputed { … }      the computed fields of a model, such as one that `read` builds
//! ```
//!
//! `Debug` masks sensitive values, because the struct appears in logs and panics.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::common::{self, computed_ident};
use super::view;
use crate::ast::Model;

pub(super) fn expand(model: &Model) -> TokenStream {
    let (vis, ident) = (&model.vis, &model.ident);
    let computed = computed_ident(ident);
    let title = format!("The values that the provider sets in a [`{ident}`].");
    let fields: Vec<_> =
        model.fields.iter().filter(|it| it.is_set_by_provider() && it.composed.is_none()).collect();
    let declared = fields.iter().map(|it| {
        let (vis, ident, ty, doc) = (&it.vis, &it.ident, &it.ty, common::doc(it));
        match it.flatten {
            Some(_) => quote_spanned!(ty.span()=> #doc #vis #ident: <#ty as ::ferroform::Model>::Computed,),
            None => quote_spanned!(ty.span()=> #doc #vis #ident: #ty,),
        }
    });
    let writes = fields.iter().filter(|it| it.flatten.is_none()).map(|it| common::write(it));
    let flattened = fields.iter().filter(|it| it.flatten.is_some()).map(|it| {
        let ident = &it.ident;
        quote_spanned!(it.ty.span()=> ::ferroform::value::Value::Object(::ferroform::Computed::into_object(self.#ident)),)
    });
    let clones = fields.iter().map(|it| {
        let ident = &it.ident;
        quote_spanned!(it.ty.span()=> #ident: ::core::clone::Clone::clone(&self.#ident),)
    });
    let moves = fields.iter().map(|it| {
        let ident = &it.ident;
        match it.flatten {
            Some(_) => quote_spanned!(it.ty.span()=> #ident: ::core::convert::Into::into(model.#ident),),
            None => quote!(#ident: model.#ident,),
        }
    });
    let debugs = fields.iter().map(|it| view::debug(it));
    let debug_name = computed.to_string();
    quote! {
        #[doc = #title]
        #[allow(missing_docs, reason = "a field's description is the author's")]
        #vis struct #computed {
            #(#declared)*
        }

        impl ::ferroform::Computed for #computed {
            fn into_object(self) -> ::ferroform::value::Object {
                ::ferroform::__private::assemble_object([#(#writes)*], [#(#flattened)*])
            }
        }

        impl ::core::convert::From<#ident> for #computed {
            fn from(model: #ident) -> Self {
                let _ = &model;
                Self { #(#moves)* }
            }
        }

        impl ::core::clone::Clone for #computed {
            fn clone(&self) -> Self {
                Self { #(#clones)* }
            }
        }

        impl ::core::fmt::Debug for #computed {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(#debug_name) #(#debugs)* .finish()
            }
        }
    }
}
