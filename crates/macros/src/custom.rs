//! `#[derive(Attr)]`: what was meant, and what cannot be.

use std::collections::BTreeMap;

use syn::{Data, DataEnum, DeriveInput, Expr, Fields, Ident, LitStr, Type, ext::IdentExt};

use crate::ast::description;
use crate::attr::Words;
use crate::case::Case;
use crate::choice::{Choice, has_data};
use crate::errors::Errors;
use crate::symbol;

/// A type of the author's own.
pub(crate) struct Custom {
    pub(crate) ident: Ident,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    Newtype(Box<Newtype>),
    Enum(Vec<Variant>),
    Choice(Box<Choice>),
}

/// A struct around one value.
pub(crate) struct Newtype {
    pub(crate) inner: Type,
    pub(crate) validate: Vec<Expr>,
    /// What stands in for a value that is missing, where that of the type inside is refused.
    pub(crate) placeholder: Option<Expr>,
    /// True where the type inside holds others, as far as its name tells: then parts of it may be unknown.
    pub(crate) holds_others: bool,
}

/// One of the texts that an enum takes.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) description: String,
}

impl Custom {
    /// Reads the type; none where it is of neither kind.
    pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Custom> {
        if !input.generics.params.is_empty() {
            errors.at(&input.generics, "an attribute's type has no parameters");
            return None;
        }
        let kind = match &input.data {
            Data::Enum(data) if has_data(data) => Kind::Choice(Box::new(Choice::read(input, data, errors))),
            Data::Enum(data) => Kind::Enum(variants(input, data, errors)),
            Data::Struct(data) => Kind::Newtype(Box::new(newtype(input, &data.fields, errors)?)),
            Data::Union(_) => {
                errors.at(&input.ident, "an attribute's type is a newtype or an enum");
                return None;
            }
        };
        Some(Custom { ident: input.ident.clone(), kind })
    }
}

fn newtype(input: &DeriveInput, fields: &Fields, errors: &mut Errors) -> Option<Newtype> {
    let mut words = Words::read(&input.attrs, &symbol::NEWTYPE, errors);
    match fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let inner = fields.unnamed.first()?.ty.clone();
            let validate = words.exprs(symbol::VALIDATE, errors).into_iter().map(|(_, rule)| rule).collect();
            let placeholder = words.expr(symbol::PLACEHOLDER, errors).map(|(_, it)| it);
            Some(Newtype { holds_others: holds_others(&inner), inner, validate, placeholder })
        }
        Fields::Named(_) => {
            errors.at(&input.ident, "a struct with named fields is a model: `#[derive(Model)]`");
            None
        }
        Fields::Unnamed(_) | Fields::Unit => {
            errors.at(&input.ident, "a newtype is around one value: `struct Id(String);`");
            None
        }
    }
}

/// By its form: arrays, tuples, and whatever has a type in angle brackets.
fn holds_others(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|it| !it.arguments.is_none()),
        _ => true,
    }
}

fn variants(input: &DeriveInput, data: &DataEnum, errors: &mut Errors) -> Vec<Variant> {
    let mut words = Words::read(&input.attrs, &symbol::ENUM, errors);
    let case = words.text(symbol::RENAME_ALL, errors).map_or(Case::Snake, |rule| case(&rule, errors));
    if data.variants.is_empty() {
        errors.at(&input.ident, "an enum without variants has no values");
    }
    let mut seen = BTreeMap::new();
    let mut made = Vec::new();
    for variant in &data.variants {
        let mut words = Words::read(&variant.attrs, &symbol::VARIANT, errors);
        let renamed = words.text(symbol::RENAME, errors).map(|it| it.value());
        let name = renamed.unwrap_or_else(|| case.of(&variant.ident.unraw().to_string()));
        if let Some(other) = seen.insert(name.clone(), &variant.ident) {
            errors.at(&variant.ident, format!("`{other}` is {name:?} too"));
        }
        made.push(Variant { ident: variant.ident.clone(), name, description: description(&variant.attrs) });
    }
    made
}

fn case(rule: &LitStr, errors: &mut Errors) -> Case {
    Case::of_rule(&rule.value()).unwrap_or_else(|| {
        let known: Vec<String> = Case::RULES.iter().map(|(it, _)| format!("{it:?}")).collect();
        errors.at(rule, format!("there is no such rule; known are {}", known.join(", ")));
        Case::Snake
    })
}
