//! The implementation of `Attr` for newtypes and enums without data.
//!
//! ```text
//! #[derive(Attr)]                             impl Attr for Size {
//! #[attr(validate = between(1, 64))]              reads and writes a `u8`, and reports a value that the validator
//! struct Size(u8);                                rejects at the attribute that has it
//!                                             }
//!
//! #[derive(Attr)]                             impl Attr for Kind {
//! #[attr(rename_all = "kebab-case")]              reads and writes the strings "ssd" and "magnetic-disk"
//! enum Kind { Ssd, MagneticDisk }             }
//!                                             impl Kind { const fn as_str(&self) -> &'static str }, and `Display`
//!                                             and `FromStr`
//! ```

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use crate::custom_type::{CustomType, Enumeration, Kind, Newtype, Variant};
use crate::option_names;

/// The code that `#[derive(Attr)]` generates.
pub(crate) fn custom_type(custom: &CustomType) -> TokenStream {
    match &custom.kind {
        Kind::Newtype(it) => newtype(&custom.ident, it),
        Kind::Enum(it) => enumeration(&custom.ident, it),
        Kind::TaggedEnum(it) => super::tagged_enum::expand(it),
    }
}

fn newtype(ident: &Ident, newtype: &Newtype) -> TokenStream {
    let ty = &newtype.inner;
    let inner = quote_spanned!(ty.span()=> <#ty as ::ferroform::Attr>);
    // Elements of a collection may be unknown, so its views are not the newtype.
    let view =
        if newtype.has_inner_types { quote!(#inner::In<__V>) } else { quote_spanned!(ident.span()=> Self) };
    let inner_type_check = (!newtype.has_inner_types).then(|| {
        quote_spanned! {ty.span()=>
            const _: () = ::core::assert!(
                !#inner::FACTS.is_model && !#inner::FACTS.is_collection,
                "a newtype cannot contain a model or hide a collection, because parts of them may be unknown: use the \
                 model itself, or write the collection with its element type",
            );
        }
    });
    let rules = newtype
        .validate
        .iter()
        .map(|rule| quote_spanned!(rule.span()=> ::ferroform::validators::IntoValidator::<#ty, _>::into_validator(#rule)));
    let has_rules = !newtype.validate.is_empty();
    let all = has_rules.then(|| {
        quote! {
            // Created once, because compiling a regular expression is slow.
            static RULES: ::std::sync::LazyLock<::std::vec::Vec<::ferroform::validators::Validator<#ty>>> =
                ::std::sync::LazyLock::new(|| ::std::vec![#(#rules),*]);
        }
    });
    let validate =
        has_rules.then(|| quote!(::ferroform::__private::validate_newtype(&RULES, &it, value, unhandled)?;));
    let narrow =
        has_rules.then(|| quote!(.map_err(|error| ::ferroform::__private::narrow_range(&RULES, error))));
    let number_range = match has_rules {
        true => quote!(::ferroform::__private::number_range(&RULES)),
        false => quote!(#inner::__number_range()),
    };
    let hints = match has_rules {
        true => quote!(::ferroform::__private::hints(&RULES)),
        false => quote!(#inner::hints()),
    };
    let description = newtype_description(&newtype.description, &inner);
    let doc = if newtype.description.is_empty() { quote!(#inner::__DOC) } else { quote!("") };
    let early = has_rules.then(|| quote!(::ferroform::__private::validate_refinements(&RULES, known)?;));
    let placeholder = match &newtype.placeholder {
        Some(expr) => {
            quote_spanned!(expr.span()=> #inner::to_value(&<#ty as ::core::convert::From<_>>::from(#expr)))
        }
        None => quote!(#inner::placeholder()),
    };
    quote! {
        #inner_type_check

        const _: () = {
        #all

        impl ::ferroform::Attr for #ident {
            type In<__V: ::ferroform::view::View> = #view;

            const SHAPE: ::ferroform::Shape = #inner::SHAPE;
            const NULLABLE: bool = #inner::NULLABLE;
            const HAS_COMPUTED: bool = #inner::HAS_COMPUTED;
            const FACTS: ::ferroform::__private::TypeFacts = #inner::FACTS;
            const DESCRIPTION: &'static str = #description;
            const __DOC: &'static str = #doc;

            fn ty() -> ::ferroform::value::Type {
                #inner::ty()
            }

            fn from_value(value: &::ferroform::value::Value) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                <Self as ::ferroform::Attr>::from_value_or(value, ::core::default::Default::default())
            }

            fn from_value_or(
                value: &::ferroform::value::Value,
                unhandled: ::ferroform::Unhandled,
            ) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                let it = #inner::from_value_or(value, unhandled) #narrow?;
                #validate
                ::core::result::Result::Ok(#ident(it))
            }

            fn to_value(&self) -> ::ferroform::value::Value {
                #inner::to_value(&self.0)
            }

            fn placeholder() -> ::ferroform::value::Value {
                #placeholder
            }

            fn __is_unknown(value: &::ferroform::value::Value) -> bool {
                #inner::__is_unknown(value)
            }

            fn __display(value: &::ferroform::value::Value) -> ::std::string::String {
                #inner::__display(value)
            }

            fn __number_range() -> ::core::option::Option<::ferroform::__private::NumberRange> {
                #number_range
            }

            fn hints() -> ::std::vec::Vec<::ferroform::validators::Hint> {
                #hints
            }

            fn __validate_refinements(known: &::ferroform::value::Refinements) -> ::core::result::Result<(), ::ferroform::value::Error> {
                #early
                #inner::__validate_refinements(known)
            }

            fn block() -> ::core::option::Option<::ferroform::schema::Block> {
                #inner::block()
            }

            fn nested() -> ::core::option::Option<::ferroform::schema::Nested> {
                #inner::nested()
            }
        }

        };

        // With `for<'a>`, a condition that does not hold is not an error.
        impl ::ferroform::MapKey for #ident where for<'a> #ty: ::ferroform::MapKey {}
        impl ::ferroform::validators::NumberAttr for #ident where for<'a> #ty: ::ferroform::validators::NumberAttr {}
        impl ::ferroform::validators::CollectionAttr for #ident where for<'a> #ty: ::ferroform::validators::CollectionAttr {
            type Element = <#ty as ::ferroform::validators::CollectionAttr>::Element;
        }
        impl ::ferroform::validators::MapAttr for #ident where for<'a> #ty: ::ferroform::validators::MapAttr {}
    }
}

/// The doc comment of a newtype, followed by the description of the type inside.
fn newtype_description(own: &str, inner: &TokenStream) -> TokenStream {
    if own.is_empty() {
        return quote!(#inner::DESCRIPTION);
    }
    quote! {
        {
            const LENGTH: usize = ::ferroform::__private::joined_descriptions_length(#own, #inner::DESCRIPTION);
            const JOINED: [u8; LENGTH] = ::ferroform::__private::joined_descriptions(#own, #inner::DESCRIPTION);
            match ::core::str::from_utf8(&JOINED) {
                ::core::result::Result::Ok(joined) => joined,
                ::core::result::Result::Err(_) => #own,
            }
        }
    }
}

fn enumeration(ident: &Ident, enumeration: &Enumeration) -> TokenStream {
    let variants = &enumeration.variants;
    let (doc, list) = (&enumeration.description, list(variants));
    let names: Vec<&str> = variants.iter().map(|it| it.name.as_str()).collect();
    let idents: Vec<&Ident> = variants.iter().map(|it| &it.ident).collect();
    let one_of: Vec<String> = names.iter().map(|it| format!("{it:?}")).collect();
    let requirement = match one_of.as_slice() {
        [only] => only.clone(),
        all => format!("one of {}", all.join(", ")),
    };
    // Any variant can be the placeholder.
    let placeholder = names.first().copied().unwrap_or_default();
    let same = quote_spanned!(ident.span()=> Self);
    let strings = strings(ident, enumeration);
    quote! {
        impl ::ferroform::Attr for #ident {
            type In<__V: ::ferroform::view::View> = #same;

            const DESCRIPTION: &'static str = #list;
            const __DOC: &'static str = #doc;

            fn ty() -> ::ferroform::value::Type {
                ::ferroform::value::Type::String
            }

            fn from_value(value: &::ferroform::value::Value) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                match ::ferroform::value::Value::as_str(value) {
                    #(::core::option::Option::Some(#names) => ::core::result::Result::Ok(#ident::#idents),)*
                    _ => ::core::result::Result::Err(::ferroform::__private::unknown_variant(#requirement, &[#(#names),*], value)),
                }
            }

            fn __validate_refinements(known: &::ferroform::value::Refinements) -> ::core::result::Result<(), ::ferroform::value::Error> {
                ::ferroform::__private::check_enum_refinements(#requirement, &[#(#names),*], known)
            }

            fn to_value(&self) -> ::ferroform::value::Value {
                ::core::convert::From::from(match self {
                    #(#ident::#idents => #names,)*
                })
            }

            fn placeholder() -> ::ferroform::value::Value {
                ::core::convert::From::from(#placeholder)
            }

            fn hints() -> ::std::vec::Vec<::ferroform::validators::Hint> {
                ::std::vec![#(::ferroform::validators::Hint::Value(::core::convert::From::from(#names))),*]
            }
        }

        impl ::ferroform::MapKey for #ident {}

        #strings
    }
}

/// `as_str`, `Display` and `FromStr` of an enum, without those that the author writes.
fn strings(ident: &Ident, enumeration: &Enumeration) -> TokenStream {
    let (names, idents): (Vec<&str>, Vec<&Ident>) =
        enumeration.variants.iter().map(|it| (it.name.as_str(), &it.ident)).unzip();
    let vis = &enumeration.vis;
    let is_generated = |item: &str| !enumeration.without.iter().any(|it| it == item);
    let as_str = is_generated(option_names::AS_STR).then(|| {
        quote! {
            impl #ident {
                /// Returns the string of this variant in Terraform.
                #[allow(dead_code, reason = "the author may not need it")]
                #vis const fn as_str(&self) -> &'static str {
                    match self {
                        #(Self::#idents => #names,)*
                    }
                }
            }
        }
    });
    let display = is_generated(option_names::DISPLAY).then(|| {
        quote! {
            /// The string of the variant in Terraform.
            impl ::core::fmt::Display for #ident {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.pad(match self {
                        #(Self::#idents => #names,)*
                    })
                }
            }
        }
    });
    let from_str = is_generated(option_names::FROM_STR).then(|| {
        quote! {
            /// Parses the string of a variant in Terraform.
            impl ::core::str::FromStr for #ident {
                type Err = ::ferroform::value::Error;

                fn from_str(string: &str) -> ::core::result::Result<Self, Self::Err> {
                    <Self as ::ferroform::Attr>::from_value(&::ferroform::value::Value::string(string))
                }
            }
        }
    });
    quote!(#as_str #display #from_str)
}

/// The list of the variants with their doc comments.
fn list(variants: &[Variant]) -> String {
    let lines = variants.iter().map(|it| match it.description.as_str() {
        "" => format!("- `{}`", it.name),
        text => format!("- `{}`: {}", it.name, text.replace('\n', "\n  ")),
    });
    format!("One of:\n\n{}", lines.collect::<Vec<_>>().join("\n"))
}
