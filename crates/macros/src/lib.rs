//! The derive macros of Ferroform. They expand to calls of the public API of `ferroform` only, and know
//! nothing of Terraform's rules but which attributes may stand together.
//!
//! A derive is a small compiler: `attr` reads what was written, `ast` holds what was meant, `check`
//! refuses what cannot be meant, `expand` writes the code.

mod ast;
mod attr;
mod behaviour;
mod case;
mod check;
mod choice;
mod custom;
mod errors;
mod expand;
mod identity;
mod import;
mod relation;
mod symbol;
mod timeouts;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a schema, the views and the conversions of a struct: everything that `ferroform::Model` asks for.
///
/// # Fields
///
/// A field is an attribute. Its doc comment is the attribute's description, in Markdown. A field is required,
/// and optional where its type is an `Option`. Beyond that, `#[attr(…)]` says:
///
/// | written | meaning |
/// |---|---|
/// | `computed` | the provider writes it |
/// | `optional, computed` | the provider writes it where the configuration does not |
/// | `default = expr` | its value where the configuration has none; evaluated at each use |
/// | `default_with = f` | its value where the configuration has none and the function has one: `fn() -> Option<T>`, `fn() -> Result<Option<T>, impl Display>`, or `ferroform::defaults::env("NAME")`. Where neither has one, a field that is no `Option` is missing |
/// | `write_only` | never stored; readable in `validate`, `create` and `update` |
/// | `sensitive` | Terraform does not show it |
/// | `requires_replace` | a change needs a new object |
/// | `requires_replace_if = f` | the same, where the function says so: `fn(&ValueChange<T>) -> bool` |
/// | `requires_replace_if_configured` | the same, where the configuration sets it |
/// | `suppress_diff = f` | no change is planned where the function says so of the prior value and the new one: `fn(&T, &T) -> bool` |
/// | `suppress_on_refresh` | beside `suppress_diff`: what was read is no change either, where the function says so |
/// | `semantic_eq = f` | two values mean the same where the function says so, `fn(&T, &T) -> bool`, and where their type does: the one that is there already stays |
/// | `key` | tells which element of a list or set an object is; several are one compound key |
/// | `plan_with = f` | what is planned where the configuration leaves it to the provider: `fn(&ValueChange<T>) -> Maybe<T>`, `Maybe<Option<T>>` where it may be null, or a `Result` of either |
/// | `use_state_for_unknown` | a computed value that stays for the life of the object |
/// | `use_non_null_state_for_unknown` | the same, unless it is null |
/// | `follows(a, b)` | a computed value that stays as long as its siblings `a` and `b` do; a write-only one is remembered by a fingerprint |
/// | `validate = rule` | what known values must obey: a function such as `fn(&str) -> Result<(), &str>`, or one of `ferroform::validators`; may stand several times |
/// | `min_items = n`, `max_items = n` | how many elements or blocks there must and may be |
/// | `conflicts_with(a, b)` | it cannot be set together with `a` or `b` |
/// | `requires(a, b)` | it can be set only together with `a` and `b` |
/// | `exactly_one_of(a, b)`, `at_least_one_of(a, b)` | of it and these so many must be set |
/// | `at_least_sum_of(a, b)`, `at_most_sum_of(a, b)`, `equal_to_sum_of(a, b)`, `equal_to_product_of(a, b)` | how it compares with these numbers |
/// | `prefer_write_only(a)` | a warning for who sets it, where the host knows write-only attributes: `a` is not stored |
/// | `identity` | part of what the object is known by; it stays for the life of the object |
/// | `mixed` | a nested model that both the configuration and the provider write |
/// | `flatten` | a model whose attributes, blocks, rules and groups are as if they had been declared here: the fields beside it can name its attributes in relations and `follows`, and its own rules see its own part of the object |
/// | `timeouts(create = "30m", delete)` | of an `Option<ferroform::Timeouts>`: how long these operations may take, 20 minutes where nothing is said |
/// | `block` | a nested block, written without `=`; with `optional, computed` the provider makes it where the configuration does not |
/// | `skip` | no attribute at all: `Default::default()` wherever the struct is read, and in no view |
/// | `rename = "name"` | the attribute's name, where it cannot be the field's |
/// | `deprecated = "…"` | a warning for who uses it, and what to use instead |
/// | `plain_description` | the doc comment is plain text, and no Markdown |
///
/// The others of a relation are fields beside it or in what is flattened, by name, or stand elsewhere, by a pattern:
/// `requires(a, pattern!(super.super.b))`.
///
/// # Structs
///
/// | written | meaning |
/// |---|---|
/// | `exactly_one_of(a, b)`, `at_least_one_of(a, b)`, `conflicting(a, b)` (at most one), `required_together(a, b)` (all or none) | what the configuration sets of these; each may stand several times |
/// | `validate = f` | what each object as a whole must obey: `fn(&Config<Self>) -> Result<(), …>`; may stand several times |
/// | `deprecated = "…"` | a warning as above |
/// | `plain_description` | as above, for the struct and all its fields |
/// | `version = n` | the version of the state's shape, 0 where nothing is said |
///
/// A version above 0 says what becomes of older states: `upgrade_from = Old` is the model of the version before, which
/// becomes this one by `From` or `TryFrom`; `oldest` says that there is no such model, so that older states are refused
/// or left to `Resource::upgrade`.
///
/// For a resource: `#[attr(import = "{project}/{name}")]` is what its import ids look like, and may stand several times;
/// `{name..}` takes the rest. `#[attr(identity = FileIdentity)]` names a struct of your own for the identity,
/// `#[attr(identity_version = n)]` is the version of its form, `#[attr(identity_from(Old, …))]` the forms of earlier
/// versions, and `#[attr(mutable_identity)]` says that it may change.
///
/// The struct must be `Clone`, `Debug` and `PartialEq`.
///
/// # What it makes
///
/// For a struct `File`: `FileView<V>`, which is `Config<File>`, `Args<File>`, `Proposed<File>` and
/// `Planned<File>`; and `FileComputed` with every computed field, which `create` and `update` answer, along
/// with `From<File> for FileComputed`. Where fields are marked with `identity`, also `FileIdentity` with these.
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
        // With mistakes too: the rest of the author's code then finds what it expects, and rustc has nothing to
        // add to our errors.
        Some(model) => {
            let made = expand::model(&model, errors.is_none());
            quote::quote!(#errors #made)
        }
        None => expand::fallback(&input, errors),
    }
    .into()
}

/// Makes an attribute's type of an enum or of a newtype: everything that `ferroform::Attr` asks
/// for. The type must be `Clone`, `Debug` and `PartialEq`, which is its semantic equality.
///
/// # Enums
///
/// Each variant is one text. No other is taken, and the description of every attribute of this type lists them
/// with the variants' doc comments. The first one stands in where a value is missing: see `Attr::placeholder`.
///
/// | written | meaning |
/// |---|---|
/// | `#[attr(rename_all = "rule")]`, on the enum | `snake_case` (without it), `kebab-case`, `SCREAMING_SNAKE_CASE`, `SCREAMING-KEBAB-CASE`, `camelCase`, `PascalCase`, `lowercase`, `UPPERCASE` |
/// | `#[attr(rename = "text")]`, on a variant | this text |
///
/// # Enums with data
///
/// Each variant holds one value: a model, or whatever else can be an attribute's type. The attribute is an object with
/// one attribute for each variant, of which exactly one is set: `enum Source { Bucket(Bucket), Text(String) }` is
/// written `source = { text = "…" }`. Its view is `SourceView<V>`, with what each variant holds as that view sees it;
/// where it is not known yet which variant it is, the whole is unknown. A variant may say `rename = "name"`,
/// `deprecated = "…"`, `sensitive` and `validate = rule`, as a field may.
///
/// # Newtypes
///
/// `struct Id(String);` is what is inside, under a name of its own. `#[attr(validate = rule)]` refuses a value:
/// the rule is one for what is inside, and of the same kinds as that of a field. Where the rule refuses the empty value,
/// `#[attr(placeholder = value)]` is one that it takes: see `Attr::placeholder`. The views of a
/// newtype around a collection (or whatever else has a type in angle brackets) are those of the collection,
/// because a part of it may be unknown. For the same reason there is no newtype around a model, which has a name already.
#[proc_macro_derive(Attr, attributes(attr))]
pub fn derive_attr(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let mut errors = errors::Errors::new();
    let custom = custom::Custom::read(&input, &mut errors);
    match (errors.finish(), custom) {
        (None, Some(custom)) => expand::custom(&custom),
        (errors, _) => expand::fallback_of_attr(&input, errors),
    }
    .into()
}
