//! The description of a type with `#[derive(Attr)]`, and its checks.

use std::collections::BTreeMap;

use syn::{Data, DataEnum, DeriveInput, Expr, Fields, Ident, LitStr, Type, Visibility, ext::IdentExt};

use crate::ast::description;
use crate::case::Case;
use crate::errors::Errors;
use crate::option_names;
use crate::options::Options;
use crate::tagged_enum::{TaggedEnum, has_data};

/// A type with `#[derive(Attr)]`.
pub(crate) struct CustomType {
    pub(crate) ident: Ident,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    Newtype(Box<Newtype>),
    Enum(Enumeration),
    TaggedEnum(Box<TaggedEnum>),
}

/// A struct with one unnamed field.
pub(crate) struct Newtype {
    pub(crate) description: String,
    pub(crate) inner: Type,
    pub(crate) validate: Vec<Expr>,
    /// The placeholder, if the validators reject that of the inner type.
    pub(crate) placeholder: Option<Expr>,
    /// True if the syntax of the inner type contains other types, so that elements of its values may be unknown.
    pub(crate) has_inner_types: bool,
}

/// An enum without data.
pub(crate) struct Enumeration {
    pub(crate) vis: Visibility,
    pub(crate) description: String,
    pub(crate) variants: Vec<Variant>,
    /// The items of `option_names::ENUM_ITEMS` that the author writes.
    pub(crate) without: Vec<Ident>,
}

/// A variant of an enum without data.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) description: String,
}

impl CustomType {
    /// Parses the type; `None` if it cannot be an attribute type.
    pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<CustomType> {
        if !input.generics.params.is_empty() {
            errors.at(&input.generics, "`#[derive(Attr)]` does not support generic types");
            return None;
        }
        let kind = match &input.data {
            Data::Enum(data) if has_data(data) => {
                Kind::TaggedEnum(Box::new(TaggedEnum::read(input, data, errors)))
            }
            Data::Enum(data) => Kind::Enum(enumeration(input, data, errors)),
            Data::Struct(data) => Kind::Newtype(Box::new(newtype(input, &data.fields, errors)?)),
            Data::Union(_) => {
                errors.at(&input.ident, "`#[derive(Attr)]` needs a newtype or an enum");
                return None;
            }
        };
        Some(CustomType { ident: input.ident.clone(), kind })
    }
}

fn newtype(input: &DeriveInput, fields: &Fields, errors: &mut Errors) -> Option<Newtype> {
    let mut options = Options::read(&input.attrs, &option_names::NEWTYPE, errors);
    match fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let inner = fields.unnamed.first()?.ty.clone();
            let validate =
                options.exprs(option_names::VALIDATE, errors).into_iter().map(|(_, rule)| rule).collect();
            let placeholder = options.expr(option_names::PLACEHOLDER, errors).map(|(_, it)| it);
            Some(Newtype {
                description: description(&input.attrs),
                has_inner_types: has_inner_types(&inner),
                inner,
                validate,
                placeholder,
            })
        }
        Fields::Named(_) => {
            errors.at(&input.ident, "for a struct with named fields, use `#[derive(Model)]`");
            None
        }
        Fields::Unnamed(_) | Fields::Unit => {
            errors.at(&input.ident, "a newtype contains one value, such as `struct Id(String);`");
            None
        }
    }
}

/// Returns true for arrays, tuples and types with generic arguments.
fn has_inner_types(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|it| !it.arguments.is_none()),
        _ => true,
    }
}

fn enumeration(input: &DeriveInput, data: &DataEnum, errors: &mut Errors) -> Enumeration {
    let mut options = Options::read(&input.attrs, &option_names::ENUM, errors);
    let without = options.names(option_names::WITHOUT, errors).map_or(Vec::new(), |(_, items)| items);
    for item in without.iter().filter(|it| !option_names::ENUM_ITEMS.iter().any(|known| *it == known)) {
        errors.at(
            item,
            format!("unknown item `{item}`; the items are {}", option_names::ENUM_ITEMS.join(", ")),
        );
    }
    Enumeration {
        vis: input.vis.clone(),
        description: description(&input.attrs),
        variants: variants(input, data, &mut options, errors),
        without,
    }
}

fn variants(
    input: &DeriveInput,
    data: &DataEnum,
    options: &mut Options,
    errors: &mut Errors,
) -> Vec<Variant> {
    let case = options.text(option_names::RENAME_ALL, errors).map_or(Case::Snake, |rule| case(&rule, errors));
    if data.variants.is_empty() {
        errors.at(&input.ident, "an enum needs at least one variant");
    }
    let mut seen = BTreeMap::new();
    let mut variants = Vec::new();
    for variant in &data.variants {
        let mut options = Options::read(&variant.attrs, &option_names::VARIANT, errors);
        let renamed = options.text(option_names::RENAME, errors).map(|it| it.value());
        let name = renamed.unwrap_or_else(|| case.of(&variant.ident.unraw().to_string()));
        if let Some(other) = seen.insert(name.clone(), &variant.ident) {
            errors.at(&variant.ident, format!("the variant `{other}` already has the value {name:?}"));
        }
        variants.push(Variant {
            ident: variant.ident.clone(),
            name,
            description: description(&variant.attrs),
        });
    }
    variants
}

fn case(rule: &LitStr, errors: &mut Errors) -> Case {
    Case::of_rule(&rule.value()).unwrap_or_else(|| {
        let known: Vec<String> = Case::RULES.iter().map(|(it, _)| format!("{it:?}")).collect();
        errors.at(rule, format!("unknown rule; supported rules are {}", known.join(", ")));
        Case::Snake
    })
}
