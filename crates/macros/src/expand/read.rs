//! The construction of a struct from the attributes of an object.
//!
//! ```text
//! fn __read_flattened(value: &Value, unhandled: Unhandled) -> Result<File, Error> {
//!     let (object, unhandled) = object_in(value, unhandled)?;
//!     Ok(File {
//!         path: Attr::__read_attribute(object, "path", unhandled)?,
//!         owner: Attr::__read_flattened(value, unhandled)?,    a flattened model reads the whole value
//!     })
//! }
//! ```
//!
//! A struct with many fields reads them in several functions.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Index};

/// The number of fields that one function reads. The compile time of a function grows faster than linearly: minutes for
/// 300 fields in one function, seconds in parts.
const PART: usize = 24;

/// A field, its type, and the expression that reads it from `object` or the whole `value`.
pub(super) struct Read<'a> {
    pub(super) ident: &'a Ident,
    pub(super) ty: TokenStream,
    pub(super) expr: TokenStream,
}

/// The methods of `Attr` that read the fields, followed by the fields in `rest`. The types may contain the
/// generic `parameters`; `arguments` are the corresponding generic arguments.
pub(super) fn methods(
    reads: &[Read<'_>],
    parameters: &TokenStream,
    arguments: &TokenStream,
    rest: &TokenStream,
) -> TokenStream {
    let body = body(reads, parameters, arguments, rest);
    quote! {
        fn from_value_or(
            value: &::ferroform::value::Value,
            unhandled: ::ferroform::Unhandled,
        ) -> ::core::result::Result<Self, ::ferroform::value::Error> {
            ::ferroform::__private::read_object(value, unhandled)
        }

        fn __read_flattened(
            value: &::ferroform::value::Value,
            unhandled: ::ferroform::Unhandled,
        ) -> ::core::result::Result<Self, ::ferroform::value::Error> {
            #body
        }
    }
}

fn body(
    reads: &[Read<'_>],
    parameters: &TokenStream,
    arguments: &TokenStream,
    rest: &TokenStream,
) -> TokenStream {
    if reads.len() <= PART {
        let fields = reads.iter().map(|Read { ident, expr, .. }| quote!(#ident: #expr,));
        return quote! {
            #[allow(unused_variables, reason = "a model may have no fields")]
            let (object, unhandled) = ::ferroform::__private::object_in(value, unhandled)?;
            ::core::result::Result::Ok(Self { #(#fields)* #rest })
        };
    }
    let parts = reads.chunks(PART).enumerate().map(|(i, reads)| {
        let part = format_ident!("part_{i}");
        let (types, exprs) = (reads.iter().map(|it| &it.ty), reads.iter().map(|it| &it.expr));
        quote! {
            #[inline(never)]
            fn #part #parameters (
                value: &::ferroform::value::Value,
                object: ::core::option::Option<&::ferroform::value::Object>,
                unhandled: ::ferroform::Unhandled,
            ) -> ::core::result::Result<(#(#types,)*), ::ferroform::value::Error> {
                let _ = (value, object, unhandled);
                ::core::result::Result::Ok((#(#exprs,)*))
            }
            let #part = #part #arguments (value, object, unhandled)?;
        }
    });
    let fields = reads.iter().enumerate().map(|(i, Read { ident, .. })| {
        let (part, index) = (format_ident!("part_{}", i / PART), Index::from(i % PART));
        quote!(#ident: #part.#index,)
    });
    quote! {
        let (object, unhandled) = ::ferroform::__private::object_in(value, unhandled)?;
        #(#parts)*
        ::core::result::Result::Ok(Self { #(#fields)* #rest })
    }
}
