//! Checks that need type information: constants that the compiler evaluates, and bounds that it checks where the model
//! is used as a resource, a data source or the configuration of a provider.
//!
//! A derive sees the tokens of one struct only, so it cannot know, for example, whether a field's type is a set or
//! contains computed attributes. The generated code asks the type instead, in one of two ways:
//!
//! ```text
//! #[attr(write_only)]
//! keys: BTreeSet<String>,
//!
//! const _: () = if let Some(message) = <BTreeSet<String> as Attr>::FACTS.rejection_reason(FieldOptions { … }) {
//!     panic!("{}", message)                       the error: a set cannot be `write_only`: use a list or a map
//! };
//!
//! impl DataSourceModel for File where WriteOnly<{ <File as Attr>::FACTS.has_write_only }>: HasNoWriteOnly {}
//!                                             the error, if `File` is used as a data source
//! ```

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::mentioned_names;
use crate::ast::{Field, Model, Role};

/// The names that Terraform reserves at the root of a resource or data source, and in the configuration of a provider.
const RESERVED: [&str; 7] =
    ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"];
const RESERVED_IN_PROVIDER: [&str; 2] = ["alias", "version"];

/// All checks of a model. If it already has errors, only the bounds are generated.
pub(super) fn expand(model: &Model, is_valid: bool) -> TokenStream {
    let roots = roots(model);
    if !is_valid {
        return roots;
    }
    let fields = self::fields(model);
    let numbers = model
        .attribute_fields()
        .flat_map(|it| it.relations.iter().map(move |relation| relation.assertions(it, model)));
    let flattened = model.flattened().map(|it| assert_distinct_names(it, model));
    let named = mentioned_names::assertions(model);
    quote!(#fields #(#numbers)* #(#flattened)* #named #roots)
}

/// Checks whether the types of the fields support their options.
pub(super) fn fields(model: &Model) -> TokenStream {
    let fields = model.attribute_fields().map(options_assertion);
    quote!(#(#fields)*)
}

/// Checks whether the type of the field supports its options.
fn options_assertion(field: &Field) -> TokenStream {
    let items = field.min_items.as_ref().or(field.max_items.as_ref());
    if field.is_scalar() && items.is_none() && field.block.is_none() {
        return TokenStream::new();
    }
    let ty = &field.ty;
    let span = match (items, field.block) {
        (Some((option_name, _)), _) => option_name.span(),
        (None, Some(block)) if field.is_scalar() => block,
        _ => ty.span(),
    };
    let block = field.block.is_some();
    let computed = matches!(field.role, Role::Computed | Role::OptionalComputed | Role::Default(_))
        || has_default(field);
    let write_only = matches!(field.role, Role::WriteOnly);
    let items = match (&field.min_items, &field.max_items) {
        (None, None) => quote!(::core::option::Option::None),
        (min, max) => {
            let min = min.as_ref().map_or_else(|| quote!(0), |(_, it)| quote!(#it));
            let max = match max {
                Some((_, it)) => quote!(::core::option::Option::Some(#it)),
                None => quote!(::core::option::Option::None),
            };
            quote!(::core::option::Option::Some((#min, #max)))
        }
    };
    quote_spanned! {span=>
        const _: () = if let ::core::option::Option::Some(message) =
            <#ty as ::ferroform::Attr>::FACTS.rejection_reason(::ferroform::__private::FieldOptions {
                block: #block,
                computed: #computed,
                write_only: #write_only,
                items: #items,
            })
        {
            ::core::panic!("{}", message)
        };
    }
}

/// Returns true if the attribute has a default from a function.
fn has_default(field: &Field) -> bool {
    field.behavior.default_with.is_some()
}

/// The value of `Attr::FACTS`.
pub(super) fn type_facts(model: &Model) -> TokenStream {
    let any = |is: &dyn Fn(&Field) -> bool| model.attribute_fields().any(is);
    let computed =
        any(&|it| matches!(it.role, Role::Computed | Role::OptionalComputed) || it.mixed.is_some());
    let write_only = any(&|it| matches!(it.role, Role::WriteOnly));
    let stored = any(&|it| !matches!(it.role, Role::WriteOnly));
    let input =
        any(&|it| matches!(it.role, Role::Plain | Role::Variant | Role::WriteOnly) && !has_default(it));
    let block = any(&|it| it.block.is_some());
    let key = any(&|it| it.behavior.key.is_some());
    let replacing = any(&|it| matches!(it.role, Role::OptionalComputed) && it.replace.is_some());
    let options = any(&Field::has_options) || !model.groups.is_empty() || !model.validate.is_empty();
    let of = |field: &Field| {
        let ty = &field.ty;
        quote_spanned!(ty.span()=> <#ty as ::ferroform::Attr>::FACTS)
    };
    let fields = model.attribute_fields().filter(|it| !it.is_scalar()).map(of);
    let flattened = model.flattened().map(of);
    quote! {
        ::ferroform::__private::TypeFacts::model(
            ::ferroform::__private::TypeFacts {
                has_computed: #computed,
                has_write_only: #write_only,
                has_stored: #stored,
                has_input: #input,
                has_block: #block,
                has_options: #options,
                has_key: #key,
                has_replacing_optional_computed: #replacing,
                ..::ferroform::__private::TypeFacts::SCALAR
            },
            &[#(#fields),*],
            &[#(#flattened),*],
        )
    }
}

/// Checks that no other attribute has the name of a flattened attribute.
fn assert_distinct_names(flattened: &Field, model: &Model) -> TokenStream {
    let (ty, span) = (&flattened.ty, flattened.ty.span());
    let attribute_checks = model.attribute_fields().map(|it| {
        let name = &it.name;
        let message = format!("the flattened model also has the attribute `{name}`");
        quote_spanned!(span=> ::core::assert!(!names.contains(#name), #message);)
    });
    let before = model.flattened().take_while(|it| it.ident != flattened.ident).map(|it| {
        let ty = &it.ty;
        let message = format!("the flattened model `{}` has an attribute of the same name", it.ident);
        quote_spanned! {span=>
            ::core::assert!(!names.overlaps(&<#ty as ::ferroform::Model>::NAMES), #message);
        }
    });
    quote_spanned! {span=>
        const _: () = {
            let names = <#ty as ::ferroform::Model>::NAMES;
            let _ = names;
            #(#attribute_checks)*
            #(#before)*
        };
    }
}

/// The bounds for the use of the model as a resource and so on, each at the span of the field that may violate it.
fn roots(model: &Model) -> TokenStream {
    let ident = &model.ident;
    let reserved = |names: &[&str], blocks: bool| {
        let fields = model
            .attribute_fields()
            .filter(|it| names.contains(&it.name.as_str()) && (!blocks || it.block.is_some()));
        let bound = |it: &Field| {
            let span = it.ident.span();
            quote_spanned!(span=> for<'__a> ::ferroform::model_kinds::ReservedName: ::ferroform::model_kinds::NameIsAllowed,)
        };
        fields.map(bound).collect::<Vec<_>>()
    };
    let of_resource = reserved(&RESERVED, false);
    let of_provider = [reserved(&RESERVED_IN_PROVIDER, false), reserved(&RESERVED, true)].concat();
    let flattened = |root: TokenStream| {
        let types = model.flattened().map(|it| {
            let ty = &it.ty;
            quote_spanned!(ty.span()=> for<'__a> #ty: #root,)
        });
        types.collect::<Vec<_>>()
    };
    let resource = flattened(quote!(::ferroform::model_kinds::ResourceModel));
    let data_source = flattened(quote!(::ferroform::model_kinds::DataSourceModel));
    let provider = flattened(quote!(::ferroform::model_kinds::ProviderConfigModel));
    let meta = flattened(quote!(::ferroform::model_kinds::ProviderMetaModel));
    let write_only = quote! {
        for<'__a> ::ferroform::model_kinds::WriteOnlyAttributes<{ <#ident as ::ferroform::Attr>::FACTS.has_write_only }>:
            ::ferroform::model_kinds::HasNoWriteOnly,
    };
    let computed = quote! {
        for<'__a> ::ferroform::model_kinds::ComputedAttributes<{ <#ident as ::ferroform::Attr>::FACTS.has_computed }>:
            ::ferroform::model_kinds::HasNoComputed,
    };
    quote! {
        impl ::ferroform::model_kinds::ResourceModel for #ident where #(#of_resource)* #(#resource)* {}
        impl ::ferroform::model_kinds::DataSourceModel for #ident
        where #(#of_resource)* #(#data_source)* #write_only {}
        impl ::ferroform::model_kinds::ProviderConfigModel for #ident
        where #(#of_provider)* #(#provider)* #write_only #computed {}
        impl ::ferroform::model_kinds::ProviderMetaModel for #ident
        where #(#of_resource)* #(#meta)* #write_only #computed {}
    }
}
