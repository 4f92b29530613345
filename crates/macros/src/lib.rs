//! The derive macros of Ferroform: [`Model`](macro@Model), [`Attr`](macro@Attr) and [`Parameters`](macro@Parameters).
//!
//! Provider authors use them through the crate `ferroform`, which re-exports them. The generated code calls functions
//! of `ferroform` only.
//!
//! A derive runs in four steps: `options` parses `#[attr(…)]`, `ast` builds a typed description of the struct, `check`
//! rejects invalid combinations, and `expand` generates the code. Each step imports only from the ones before it.
//! Errors are collected, so that the compiler reports all of them at once.

mod ast;
mod behavior;
mod case;
mod check;
mod custom_type;
mod derive_identity;
mod errors;
mod expand;
mod import_pattern;
mod option_names;
mod options;
mod parameters;
mod relations;
mod tagged_enum;
mod timeouts;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Implements `ferroform::Model` for a struct: the schema, the views and the conversions.
///
/// Each field is an attribute. Its doc comment is the description of the attribute, in Markdown. The guide lists the
/// [options of `#[attr(…)]`](https://docs.rs/ferroform/latest/ferroform/guide/attribute_options/index.html). The struct must
/// implement `Clone`, `Debug` and `PartialEq`.
///
/// # Generated types
///
/// For a struct `File`:
///
/// - `FileView<V>`, with the aliases `Config<File>`, `Args<File>`, `Proposed<File>` and `Planned<File>`. A view without
///   unknown values converts into the struct with `TryFrom`, which keeps write-only values.
/// - `FileComputed`, with all computed fields: the result of `create` and `update`. `From<File>` converts into it.
/// - `FileIdentity`, if fields have the option `identity`.
#[proc_macro_derive(Model, attributes(attr))]
pub fn derive_model(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let mut errors = errors::Errors::new();
    let model = ast::Model::read(&input, &mut errors);
    if let Some(model) = &model {
        check::check(model, &mut errors);
    }
    let errors = errors.finish();
    match model {
        // Generated even if there are errors, so that the compiler does not report missing types as well.
        Some(model) => {
            let generated = expand::model(&model, errors.is_none());
            quote::quote!(#errors #generated)
        }
        None => expand::fallback(&input, errors),
    }
    .into()
}

/// Implements `ferroform::Attr`, the trait of attribute types, for an enum or a newtype.
///
/// The type must implement `Clone`, `Debug` and `PartialEq`. `PartialEq` is its semantic equality. For the elements of a
/// `BTreeSet` and the keys of a `BTreeMap` it also needs `Eq`, `PartialOrd` and `Ord`.
///
/// # Enums
///
/// Each variant is a string. Any other string is rejected with a suggestion of the most similar variant. The strings with
/// the doc comments of the variants are appended to the description of every attribute of this type. The doc comment of
/// the enum is the description of the attributes that have no doc comment. The first variant is the placeholder: see
/// `Attr::placeholder`.
///
/// The [options of an enum](https://docs.rs/ferroform/latest/ferroform/guide/attribute_options/index.html#options-of-an-enum)
/// change the strings, and omit items that you write yourself.
///
/// The derive also implements `as_str(&self) -> &'static str`, `Display` and `FromStr`, with the strings of the variants.
///
/// # Enums with data
///
/// Each variant contains one value: a model or another attribute type. The attribute is an object with one attribute
/// for each variant, of which exactly one must be set: `enum Source { Bucket(Bucket), Url(String) }` is configured as
/// `source = { url = "…" }`. Its view is `SourceView<V>`; if it is unknown which variant is set, the whole value is
/// unknown. A variant supports the options `rename`, `deprecated`, `sensitive` and `validate` of fields.
///
/// # Newtypes
///
/// `struct Id(String);` has the type of its inner value. Its doc comment is appended to the description of every
/// attribute of this type. `#[attr(validate = v)]` adds a validator for that value. If it
/// rejects the empty value, `#[attr(placeholder = value)]` specifies one that it accepts: see `Attr::placeholder`. The
/// views of a newtype of a collection are those of the collection, because an element may be unknown. For the same
/// reason a newtype cannot contain a model.
#[proc_macro_derive(Attr, attributes(attr))]
pub fn derive_attr(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let mut errors = errors::Errors::new();
    let custom_type = custom_type::CustomType::read(&input, &mut errors);
    match (errors.finish(), custom_type) {
        (None, Some(custom_type)) => expand::custom_type(&custom_type),
        (errors, _) => expand::fallback_of_attr(&input, errors),
    }
    .into()
}

/// Implements `ferroform::Parameters` for a struct: its fields are the parameters of a provider-defined function, in their
/// order.
///
/// The doc comment of the struct describes the function; its first paragraph is the summary. The doc comment of a field
/// describes the parameter. The type of a field determines which values it accepts:
///
/// | type | accepts |
/// |---|---|
/// | `T` | values of the type, such as `String`, `Vec<u64>`, a model, or an attribute type of your own |
/// | `Option<T>` | null as well |
/// | `Maybe<T>`, `Maybe<Option<T>>` | unknown values as well; otherwise Terraform does not call the function while the argument is unknown |
/// | `Dynamic` | values of any type |
///
/// The [options](https://docs.rs/ferroform/latest/ferroform/guide/attribute_options/index.html#options-of-function-parameters)
/// add a variadic parameter, validators, names and a deprecation.
#[proc_macro_derive(Parameters, attributes(attr))]
pub fn derive_parameters(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let mut errors = errors::Errors::new();
    let function = parameters::Function::read(&input, &mut errors);
    let errors = errors.finish();
    match function {
        Some(function) => {
            let generated = function.expand();
            quote::quote!(#errors #generated)
        }
        None => errors.unwrap_or_default(),
    }
    .into()
}
