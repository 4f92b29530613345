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
//! impl NoWriteOnlyAttributes for File where Present<{ <File as Attr>::FACTS.has_write_only }>: Absent {}
//!                                             the error, if `File` is used as a data source
//! ```

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{common, mentioned_names};
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
    let inputs_only = model.flattened().filter_map(assert_inputs_only);
    let named = mentioned_names::assertions(model);
    quote!(#fields #(#numbers)* #(#flattened)* #(#inputs_only)* #named #roots)
}

/// Checks whether the types of the fields support their options.
pub(super) fn fields(model: &Model) -> TokenStream {
    let fields = model.attribute_fields().map(options_assertion);
    quote!(#(#fields)*)
}

/// Checks whether the type of the field supports its options.
fn options_assertion(field: &Field) -> TokenStream {
    let items = field.min_items.as_ref().or(field.max_items.as_ref());
    if field.is_scalar() && items.is_none() && field.block.or(field.object).is_none() {
        return TokenStream::new();
    }
    let ty = &field.ty;
    let span = match (items, field.block.or(field.object)) {
        (Some((option_name, _)), _) => option_name.span(),
        (None, Some(option)) if field.is_scalar() => option,
        _ => ty.span(),
    };
    let (block, object) = (field.block.is_some(), field.object.is_some());
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
    let facts = common::field_type(ty, &quote!(FACTS));
    quote_spanned! {span=>
        const _: () = if let ::core::option::Option::Some(message) =
            #facts.rejection_reason(::ferroform::__private::FieldOptions {
                block: #block,
                object: #object,
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
    let flattened_plan = model.flattened().any(|it| it.plan_flattened.is_some());
    let options = any(&Field::has_options) || !model.groups.is_empty() || !model.validate.is_empty();
    let of = |field: &Field| common::field_type(&field.ty, &quote!(FACTS));
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
                has_flattened_plan: #flattened_plan,
                ..::ferroform::__private::TypeFacts::SCALAR
            },
            &[#(#fields),*],
            &[#(#flattened),*],
        )
    }
}

/// Checks that a flattened model with `inputs_only` has no computed attributes.
fn assert_inputs_only(flattened: &Field) -> Option<TokenStream> {
    let (span, facts) = (flattened.inputs_only?, common::field_type(&flattened.ty, &quote!(FACTS)));
    let message = "the flattened model has attributes that the provider sets: remove `inputs_only`";
    Some(quote_spanned!(span=> const _: () = ::core::assert!(!#facts.has_computed, #message);))
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

/// The conditions for the use of the model as a resource and so on. `do_not_recommend` makes the compiler report the
/// condition itself, which has a message for provider authors, and not the bound that does not hold.
fn roots(model: &Model) -> TokenStream {
    let ident = &model.ident;
    let has_name = |names: &[&str], it: &Field| names.contains(&it.name.as_str());
    let reserved = model.attribute_fields().any(|it| has_name(&RESERVED, it));
    let reserved_in_provider = model
        .attribute_fields()
        .any(|it| has_name(&RESERVED_IN_PROVIDER, it) || (it.block.is_some() && has_name(&RESERVED, it)));
    // The facts about a model include its flattened models, but its names do not.
    let of_flattened = |condition: TokenStream| {
        let types = model.flattened().map(|it| {
            let ty = &it.ty;
            quote_spanned!(ty.span()=> for<'__a> #ty: ::ferroform::model_kinds::#condition,)
        });
        quote!(#(#types)*)
    };
    let condition = |name: TokenStream, present: TokenStream, more: TokenStream| {
        quote! {
            #[diagnostic::do_not_recommend]
            impl ::ferroform::model_kinds::#name for #ident
            where
                for<'__a> ::ferroform::model_kinds::Present<{ #present }>: ::ferroform::model_kinds::Absent,
                #more
            {}
        }
    };
    let facts = quote!(<#ident as ::ferroform::Attr>::FACTS);
    let identity = quote!(<<#ident as ::ferroform::Model>::Identity as ::ferroform::Attr>::FACTS);
    let conditions = [
        condition(quote!(NoReservedNames), quote!(#reserved), of_flattened(quote!(NoReservedNames))),
        condition(
            quote!(NoReservedProviderNames),
            quote!(#reserved_in_provider),
            of_flattened(quote!(NoReservedProviderNames)),
        ),
        condition(quote!(NoWriteOnlyAttributes), quote!(#facts.has_write_only), quote!()),
        condition(quote!(NoComputedAttributes), quote!(#facts.has_computed), quote!()),
        condition(quote!(NoBlocks), quote!(#facts.has_block), quote!()),
        condition(quote!(HasIdentity), quote!(!#identity.has_stored), quote!()),
    ];
    quote!(#(#conditions)*)
}
