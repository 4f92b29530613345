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
/// # Field options
///
/// Each field is an attribute. The doc comment is the description of the attribute, in Markdown. A field is required,
/// unless its type is an `Option`. Options in `#[attr(…)]` change this default:
///
/// | option | meaning |
/// |---|---|
/// | `computed` | the provider sets the value |
/// | `composed = "{a}/{b}"` | a computed string that consists of other attributes of the resource. It is known as soon as they are, and methods do not return it. Without a value, it is the import ID: see `import` |
/// | `optional, computed` | the provider sets the value if the configuration omits it |
/// | `default = expr` | the value if the configuration omits the attribute. The expression is evaluated for each request that needs it |
/// | `default_with = f` | the same, from a function that may return no value: `fn() -> Option<T>`, `fn() -> Result<Option<T>, impl Display>`, or `ferroform::defaults::env("NAME")`. If the function returns no value, an `Option<T>` is null, and any other type is an error |
/// | `write_only` | never stored in plan or state; available in `validate`, in the `config` of `plan`, in `create` and `update` |
/// | `fingerprint` | with `write_only`: changes are detected by a fingerprint in private state, so that a computed attribute can follow this one. The fingerprint helps to guess the value: a version attribute is the better choice for most resources |
/// | `sensitive` | Terraform masks the value in its output |
/// | `requires_replace` | a change requires replacement |
/// | `requires_replace_if = f` | a change requires replacement if the function returns true: `fn(&ValueChange<T>) -> bool`, which can use the sibling attributes, the provider and the clock |
/// | `requires_replace_if_configured` | a change requires replacement if the configuration sets the attribute |
/// | `suppress_diff = f` | no change is planned if the function returns true for the prior and the new value: `fn(&T, &T) -> bool` |
/// | `suppress_on_refresh` | with `suppress_diff`: differences between the state and a value from `read` are suppressed too |
/// | `semantic_eq = f` | `fn(&T, &T) -> bool`: if the function returns true, or the values are equal by `PartialEq`, the prior value is kept |
/// | `key` | identifies an element of a list or set; several keys form a compound key. Use it for elements of sets that have `optional, computed` attributes, or attributes whose type overrides `PartialEq` without `Attr::canonical` |
/// | `plan_with = f` | a plan modifier for a computed value: `fn(&ValueChange<T>) -> Maybe<T>`, `Maybe<Option<T>>` if the value may be null, or a `Result` of either |
/// | `use_state_for_unknown` | a computed value that never changes during the life of the object |
/// | `use_non_null_state_for_unknown` | the same, unless the prior value is null |
/// | `follows(a, b)` | a computed value that changes only if `a` or `b` changes; a write-only attribute needs `fingerprint` |
/// | `validate = v` | a validator for known values: a function such as `fn(&str) -> Result<(), &str>`, or one of `ferroform::validators`; can be repeated |
/// | `min_items = n`, `max_items = n` | the minimum and maximum number of elements or blocks |
/// | `conflicts_with(a, b)` | cannot be set together with `a` or `b` |
/// | `requires(a, b)` | can only be set together with `a` and `b` |
/// | `exactly_one_of(a, b)`, `at_least_one_of(a, b)` | exactly one, or at least one, of this attribute, `a` and `b` must be set |
/// | `at_least_sum_of(a, b)`, `at_most_sum_of(a, b)`, `equal_to_sum_of(a, b)`, `equal_to_product_of(a, b)` | this number must be at least, at most or equal to the sum of `a` and `b`, or equal to their product |
/// | `prefer_write_only(a)` | a warning if this attribute is set and Terraform supports write-only attributes: recommends `a` |
/// | `identity` | an identity attribute; it must not change during the life of the object |
/// | `required_for_import` | an import by identity must set the attribute although the configuration does not have to, for example because the provider computes it |
/// | `mixed` | a nested model that has both configured and computed attributes |
/// | `flatten` | adds the attributes, blocks, validators and struct-level relations of this model to the struct. Other fields can name its attributes in relations and `follows` |
/// | `timeouts(create = "30m", delete)` | for `Option<ferroform::Timeouts>`: the operations with a timeout, 20 minutes by default |
/// | `block` | a nested block, written without `=`; with `optional, computed` the provider sets it if the configuration omits it |
/// | `object` | a plain attribute of the type `object`, or a list, set or map of objects, instead of nested attributes. The fields of its model have no options. Protocol 5 supports it |
/// | `skip` | the field is not an attribute. It is set to `Default::default()` whenever Ferroform builds the struct, and the views do not have it |
/// | `rename = "name"` | the name of the attribute, if it cannot be that of the field |
/// | `deprecated = "…"` | a deprecation warning, with the replacement to use; `deprecated` if there is none |
/// | `plain_description` | the description is plain text, not Markdown |
///
/// Relations name fields of the same struct or of a flattened model. Attributes elsewhere are named by a path pattern:
/// `requires(a, pattern!(super.super.b))`.
///
/// # Struct options
///
/// | option | meaning |
/// |---|---|
/// | `exactly_one_of(a, b)`, `at_least_one_of(a, b)`, `conflicting(a, b)` (at most one), `required_together(a, b)` (all or none) | restrict how many of these attributes the configuration sets; can be repeated |
/// | `validate = f` | a validator for each object: `fn(&Config<Self>) -> Result<(), …>`; can be repeated |
/// | `deprecated = "…"`, `plain_description` | as for fields; `plain_description` applies to the struct and to all its fields |
/// | `version = n` | the schema version, 0 by default |
/// | `upgrade_from = Old` | the model of the previous schema version, which is converted with `From` or `TryFrom` |
/// | `upgrade_warnings = f` | warnings about this upgrade: `fn(&Old) -> W`, where `W` is `Diagnostics`, `Option<Diagnostic>` or another collection of diagnostics |
/// | `upgrade_from_sdkv2` | an SDKv2 provider has written the states of the previous version, with the same attributes; values that it stores for omitted arguments become null |
/// | `oldest` | no model of an earlier version exists. `Resource::upgrade` upgrades older states; without that method, they are rejected |
/// | `import = "{project}/{name}"` | a pattern of import IDs; `{name..}` takes the rest of the ID, `{name?}` can be absent; can be repeated |
/// | `identity = FileIdentity` | a struct of your own for the resource identity |
/// | `identity_version = n`, `identity_from(Old, …)` | the version of the identity schema, and the structs of earlier versions |
/// | `mutable_identity` | the identity may change |
///
/// A version above 0 needs one of `upgrade_from`, `upgrade_from_sdkv2` and `oldest`. The struct must implement `Clone`, `Debug` and
/// `PartialEq`.
///
/// # Generated types
///
/// For a struct `File`:
///
/// - `FileView<V>`, with the aliases `Config<File>`, `Args<File>`, `Proposed<File>` and `Planned<File>`. A view without
///   unknown values converts into the struct with `TryFrom`.
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
/// Each variant is a string. Any other string is rejected with a suggestion of the most similar variant. The doc comment
/// of the enum and the strings with the doc comments of the variants are appended to the description of every attribute
/// of this type. The first variant is the placeholder: see `Attr::placeholder`.
///
/// | option | meaning |
/// |---|---|
/// | `#[attr(rename_all = "rule")]`, on the enum | `snake_case` (the default), `kebab-case`, `SCREAMING_SNAKE_CASE`, `SCREAMING-KEBAB-CASE`, `camelCase`, `PascalCase`, `lowercase`, `UPPERCASE` |
/// | `#[attr(rename = "string")]`, on a variant | the string of this variant |
/// | `#[attr(without(as_str, display, from_str))]`, on the enum | omits these items, so that you can write them yourself |
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
/// # Field options
///
/// | option | meaning |
/// |---|---|
/// | `variadic` | on the last field, a `Vec<T>`: it takes all other arguments |
/// | `validate = …` | a [validator](https://docs.rs/ferroform/latest/ferroform/validators), or a function, of the argument |
/// | `rename = "name"` | the name of the parameter |
///
/// # Struct options
///
/// | option | meaning |
/// |---|---|
/// | `deprecated = "message"` | a warning for callers |
/// | `plain_description` | the doc comments are plain text, not Markdown |
/// | `summary = "…"` | the summary, if it is not the first paragraph of the doc comment |
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
