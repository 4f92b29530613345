//! The implementations of `Attr` and `Model` for a model.
//!
//! ```text
//! impl Attr for File {                        conversion from and to values
//!     type In<V> = FileView<V>;               the type of a nested `File` in a view
//!     const FACTS: TypeFacts = …;             facts that the checks of an enclosing model need
//!     fn from_value_or(…) { … }               reads each field
//!     fn to_value(&self) -> Value { … }       writes each field
//! }
//!
//! impl Model for File {
//!     type View<V> = FileView<V>;
//!     type Computed = FileComputed;
//!     const VERSION: i64 = 1;                 `#[attr(version = 1)]`
//!     fn schema() -> Schema { … }             see `schema`
//!     fn upgrades() -> Upgrades { … }         `#[attr(upgrade_from = FileV0)]`
//! }
//! ```

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use super::common::{self, computed_ident, view_ident};
use super::read::{self, Read};
use super::{assertions, mentioned_names, schema};
use crate::ast::{Field, Model, Role};
use crate::import_pattern::Part;

/// The implementations; `resource` contains the items of `Model` about identity and import.
pub(super) fn expand(model: &Model, resource: &TokenStream) -> TokenStream {
    let ident = &model.ident;
    let (view, computed) = (view_ident(ident), computed_ident(ident));
    let block = schema::block(model);
    let version = model.version.and_then(|(version, _)| version).unwrap_or(0);
    let from = model.upgrade_from.as_ref().and_then(|(_, from)| from.as_ref());
    let first = model.first_version.unwrap_or(version);
    let upgrades = from.filter(|_| first > 0).map(|from| upgrades(model, first, from));
    let upgrades = upgrades.or_else(|| model.first_version.map(upgrades_within_range));
    let upgrades = upgrades.or_else(|| model.upgrade_from_sdkv2.map(|_| upgrades_from_sdkv2()));
    let empty_equals_null = model.upgrade_from_sdkv2.map(|_| quote!(.with_empty_equals_null()));
    let reads: Vec<Read<'_>> = model.fields.iter().map(read).collect();
    let skipped = &model.skipped;
    let rest = quote!(#(#skipped: ::core::default::Default::default(),)*);
    let reads = read::methods(&reads, &quote!(), &quote!(), &rest);
    let writes = model.attribute_fields().map(write);
    let flattened = model.flattened().map(common::write_flattened);
    let mut attribute_names: Vec<&str> = model.attribute_fields().map(|it| it.name.as_str()).collect();
    attribute_names.sort_unstable();
    let others = model.flattened().map(|it| {
        let ty = &it.ty;
        quote_spanned!(ty.span()=> || <#ty as ::ferroform::Attr>::__has_attribute(name))
    });
    // Flattened models have a separate constant.
    let has_computed = model.attribute_fields().any(Field::is_set_by_provider);
    let inside = model
        .fields
        .iter()
        .filter(|it| !it.is_scalar())
        .map(|it| common::field_type(&it.ty, &quote!(HAS_COMPUTED)));
    let shape = |it: &Field| common::field_type(&it.ty, &quote!(SHAPE));
    let (shapes, flat) = (model.attribute_fields().map(shape), model.flattened().map(shape));
    let marked = model
        .attribute_fields()
        .filter(|it| !it.is_set_by_provider() && !it.is_scalar() && it.object.is_none())
        .map(assert_no_computed);
    let type_facts = assertions::type_facts(model);
    let names = mentioned_names::names(model);
    let composed = composed_attributes(model);
    let plan_flattened = plan_flattened(model);
    let (equality, value_check) = (common::equality(), common::value_check(ident));
    quote! {
        #(#marked)*
        #value_check

        impl ::ferroform::Attr for #ident {
            type In<__V: ::ferroform::view::View> = #view<__V>;

            const SHAPE: ::ferroform::Shape = ::ferroform::Shape::object(&[#(#shapes),*], &[#(#flat),*]);
            const HAS_COMPUTED: bool = #has_computed #(|| #inside)*;
            const FACTS: ::ferroform::__private::TypeFacts = #type_facts;

            fn from_value(value: &::ferroform::value::Value) -> ::core::result::Result<Self, ::ferroform::value::Error> {
                <Self as ::ferroform::Attr>::from_value_or(value, ::core::default::Default::default())
            }

            fn ty() -> ::ferroform::value::Type {
                <Self as ::ferroform::Model>::schema().block.ty().clone()
            }

            fn block() -> ::core::option::Option<::ferroform::schema::Block> {
                ::core::option::Option::Some(<Self as ::ferroform::Model>::schema().block)
            }

            #reads

            fn __has_attribute(name: &str) -> bool {
                const NAMES: &[&str] = &[#(#attribute_names),*];
                NAMES.binary_search(&name).is_ok() #(#others)*
            }

            #equality

            fn to_value(&self) -> ::ferroform::value::Value {
                ::ferroform::value::Value::Object(::ferroform::__private::assemble_object([#(#writes)*], [#(#flattened)*]))
            }
        }

        impl ::ferroform::Model for #ident {
            type View<__V: ::ferroform::view::View> = #view<__V>;
            type Computed = #computed;
            type __Itself = Self;
            #resource

            const VERSION: i64 = #version;

            const NAMES: ::ferroform::__private::AttributeNames = #names;

            #composed

            fn schema() -> ::ferroform::schema::Schema {
                #[allow(unused_imports)]
                use ::ferroform::schema::{AttributeExt as _, BlockExt as _};
                ::ferroform::schema::Schema::new(#block).version(<Self as ::ferroform::Model>::VERSION)
                    #empty_equals_null
            }

            #upgrades
        }

        impl ::ferroform::__private::FlattenedPlans for #ident {
            #plan_flattened
        }
    }
}

/// The attributes with the option `composed`.
fn composed_attributes(model: &Model) -> Option<TokenStream> {
    let attribute = |field: &Field| {
        let (name, composed) = (&field.name, field.composed.as_ref()?);
        let parts = composed.pattern.iter().flat_map(|it| &it.parts).map(|it| match it {
            Part::Literal(literal) => quote!(::ferroform::__private::ComposedPart::Literal(#literal)),
            Part::Field(name, _) => {
                let name = model.named(name).map_or(name, |it| &it.name);
                quote!(::ferroform::__private::ComposedPart::Attribute(#name))
            }
        });
        Some(quote!(::ferroform::__private::ComposedAttribute { name: #name, parts: &[#(#parts),*] }))
    };
    let attributes: Vec<TokenStream> = model.attribute_fields().filter_map(attribute).collect();
    (!attributes.is_empty()).then(|| {
        quote! {
            const __COMPOSED: &'static [::ferroform::__private::ComposedAttribute] = &[#(#attributes),*];
        }
    })
}

/// The calls of the functions that plan flattened models, inner ones first.
fn plan_flattened(model: &Model) -> Option<TokenStream> {
    let calls = model.flattened().map(|it| {
        let ty = &it.ty;
        let own = it
            .plan_flattened
            .as_ref()
            .map(|(_, f)| quote_spanned!(f.span()=> cx.__plan_flattened::<#ty>(change, #f)?;));
        quote_spanned!(ty.span()=> <#ty as ::ferroform::__private::FlattenedPlans>::plan_flattened(cx, change)?; #own)
    });
    let calls: Vec<TokenStream> = calls.collect();
    (!calls.is_empty()).then(|| {
        quote! {
            fn plan_flattened<__R: ::ferroform::Resource>(
                cx: &::ferroform::PlanCx<__R>,
                change: &mut ::ferroform::raw::AnyChange,
            ) -> ::ferroform::Result<()> {
                #(#calls)*
                ::core::result::Result::Ok(())
            }
        }
    })
}

/// The state upgrades of a model for a range of versions.
fn upgrades_within_range(first: i64) -> TokenStream {
    quote! {
        fn upgrades() -> ::ferroform::schema::Upgrades {
            let upgrades = ::ferroform::schema::Upgrades::oldest(#first);
            ::ferroform::schema::UpgradesExt::unchanged_since::<Self>(upgrades, #first)
        }
    }
}

/// The state upgrade from the previous version, which an SDKv2 provider has written.
fn upgrades_from_sdkv2() -> TokenStream {
    quote! {
        fn upgrades() -> ::ferroform::schema::Upgrades {
            <::ferroform::schema::Upgrades as ::ferroform::schema::UpgradesExt>::from_sdkv2::<Self>()
        }
    }
}

/// The state upgrades from the previous model to this one, or to the first version of its range. They are a constant, so that a
/// missing version is a compile error.
fn upgrades(model: &Model, version: i64, from: &Type) -> TokenStream {
    let ident = &model.ident;
    let warnings = model.upgrade_warnings.as_ref().map(|(_, f)| {
        quote_spanned!(f.span()=> let upgrades = ::ferroform::schema::UpgradesExt::with_warnings::<#from, _>(upgrades, #f);)
    });
    let range = model.first_version.map(|first| {
        quote!(let upgrades = ::ferroform::schema::UpgradesExt::unchanged_since::<Self>(upgrades, #first);)
    });
    let before = version - 1;
    let shown = quote!(#from).to_string().replace(' ', "");
    let missing_version = format!(
        "`{shown}` must have version {before}, because this model has version {version}: add `version = {before}` \
         to it, or upgrade from the model of that version"
    );
    let upgrades = quote_spanned! {from.span()=>
    {
                // The compiler checks the conversion here, before it evaluates the versions.
                let upgrades = <::ferroform::schema::Upgrades as ::ferroform::schema::UpgradesExt>::to::<#from, #ident>;
                ::core::assert!(
                    <#from as ::ferroform::Model>::VERSION + 1 == #version,
                    "{}",
                    #missing_version
                );
                upgrades
            }
        };
    quote! {
        fn upgrades() -> ::ferroform::schema::Upgrades {
            const UPGRADES: fn() -> ::ferroform::schema::Upgrades = #upgrades;
            let upgrades = UPGRADES();
            #warnings
            #range
            upgrades
        }
    }
}

/// A write-only field has no stored value, so it gets its default value, unless the object is a configuration or a planned
/// state during apply.
fn read(field: &Field) -> Read<'_> {
    let (ident, name, ty) = (&field.ident, &field.name, &field.ty);
    let read = common::field_type(ty, &quote!(read_attribute(object, #name, unhandled)));
    let expr = match field.role {
        _ if field.flatten.is_some() => {
            quote_spanned!(ty.span()=> ::ferroform::Attr::__read_flattened(value, unhandled)?)
        }
        Role::WriteOnly => quote_spanned! {ty.span()=>
            match object.is_some_and(|it| !it.get_or_null(#name).is_null()) {
                true => #read?,
                false => <#ty as ::core::default::Default>::default(),
            }
        },
        _ => quote_spanned!(ty.span()=> #read?),
    };
    Read { ident, ty: quote!(#ty), expr }
}

fn write(field: &Field) -> TokenStream {
    let name = &field.name;
    match field.role {
        Role::WriteOnly => quote!((#name, ::ferroform::value::Value::Null),),
        _ => common::write(field),
    }
}

/// A field with computed attributes inside must have `mixed`, because `create` returns them.
fn assert_no_computed(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let name = &field.ident;
    let message = format!("`{name}` contains computed attributes: add `#[attr(mixed)]`");
    let has_computed = common::field_type(ty, &quote!(HAS_COMPUTED));
    quote_spanned!(ty.span()=> const _: () = ::core::assert!(!#has_computed, #message);)
}
