//! Names and code that several items have in common.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type, ext::IdentExt};

use crate::ast::{Field, Model, is_scalar};

/// The name of the view of a model. The view's type parameter is `__V`, because a model can have the name `V`.
pub(super) fn view_ident(model: &Ident) -> Ident {
    format_ident!("{model}View")
}

/// The name of the struct of computed fields.
pub(super) fn computed_ident(model: &Ident) -> Ident {
    format_ident!("{model}Computed")
}

/// The items of `Attr` that views have in common with the model: everything except the conversions.
pub(super) fn attr_of(model: &Ident) -> TokenStream {
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
pub(super) fn conversion_of_view(model: &Ident) -> TokenStream {
    let view = view_ident(model);
    quote! {
        impl<__V: ::ferroform::view::View> ::core::convert::TryFrom<#view<__V>> for #model {
            type Error = ::ferroform::value::Error;

            fn try_from(view: #view<__V>) -> ::core::result::Result<Self, Self::Error> {
                <Self as ::ferroform::Attr>::from_value(&::ferroform::Attr::to_value(&view))
            }
        }
    }
}

/// A member of `ferroform::__private::Field`, which is a property of an attribute type. For any other type it has a
/// meaningless value, so that the only error about a field of such a type is the one in its view.
pub(super) fn field_type(ty: &Type, member: &TokenStream) -> TokenStream {
    if is_scalar(ty) {
        return quote_spanned!(ty.span()=> ::ferroform::__private::Field::<#ty>::#member);
    }
    quote_spanned! {ty.span()=>
        {
            #[allow(unused_imports)]
            use ::ferroform::__private::NotAnAttributeType as _;
            ::ferroform::__private::Field::<#ty>::#member
        }
    }
}

/// The method of `Attr` that compares two values with the `PartialEq` of the type. If the author has omitted it, that
/// is reported by [`value_check`] alone.
pub(super) fn equality() -> TokenStream {
    quote! {
        fn __are_equal(a: &::ferroform::value::Value, b: &::ferroform::value::Value) -> bool {
            #[allow(unused_imports)]
            use ::ferroform::__private::{WithPartialEq as _, WithoutPartialEq as _};
            let read = <Self as ::ferroform::Attr>::from_value;
            match (read(a), read(b)) {
                (::core::result::Result::Ok(a), ::core::result::Result::Ok(b)) => {
                    (&::ferroform::__private::Compared(&a, &b)).are_equal()
                }
                _ => false,
            }
        }
    }
}

/// Checks that the type implements `Clone`, `Debug` and `PartialEq`.
pub(super) fn value_check(ident: &Ident) -> TokenStream {
    quote_spanned! {ident.span()=>
        const _: () = <#ident as ::ferroform::model_kinds::StandardTraits>::__CHECKED;
    }
}

/// The description of the field as a doc comment.
pub(super) fn doc(field: &Field) -> Option<TokenStream> {
    Some(&field.description).filter(|it| !it.is_empty()).map(|it| quote!(#[doc = #it]))
}

/// The name and value of a field's attribute.
pub(super) fn write(field: &Field) -> TokenStream {
    let (ident, name, ty) = (&field.ident, &field.name, &field.ty);
    let value = field_type(ty, &quote!(to_value(&self.#ident)));
    quote_spanned!(ty.span()=> (#name, #value),)
}

/// The value of a flattened field.
pub(super) fn write_flattened(field: &Field) -> TokenStream {
    let ident = &field.ident;
    quote_spanned!(field.ty.span()=> ::ferroform::Attr::to_value(&self.#ident),)
}

/// The attribute names of these fields, as an iterator of strings, even if it is empty because of an error. A name
/// without a field belongs to a flattened model.
pub(super) fn attribute_names(fields: &[Ident], model: &Model) -> TokenStream {
    let names =
        fields.iter().filter_map(|it| match model.attribute_fields().find(|field| field.ident == *it) {
            Some(field) => Some(field.name.clone()),
            None => model.flattened().next().map(|_| it.unraw().to_string()),
        });
    quote!({
        let names: &[&str] = &[#(#names),*];
        names.iter().copied()
    })
}
