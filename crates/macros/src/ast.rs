//! What was meant: the model, decided.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprLit, ExprPath, Fields, GenericArgument, Ident, Lit, LitStr, Meta,
    PathArguments, Type, TypePath, Visibility, ext::IdentExt,
};

use crate::attr::{Pair, Words};
use crate::behaviour::Behavior;
use crate::errors::Errors;
use crate::identity::Identity;
use crate::import::Pattern;
use crate::relation::{self, Group, Relation};
use crate::symbol;

/// A struct with `#[derive(Model)]`.
pub(crate) struct Model {
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) description: String,
    pub(crate) deprecated: Option<LitStr>,
    /// The version, and where it was said; none for what is no number.
    pub(crate) version: Option<(Option<i64>, Span)>,
    /// The word, and the model of the version before; none for what is no type.
    pub(crate) upgrade_from: Option<(Ident, Option<Type>)>,
    /// Where it was said that there is none.
    pub(crate) oldest: Option<Span>,
    /// The doc comments are plain text.
    pub(crate) plain_description: bool,
    /// Fields that go together.
    pub(crate) groups: Vec<Group>,
    /// Rules for the whole.
    pub(crate) validate: Vec<(Ident, Expr)>,
    pub(crate) fields: Vec<Field>,
    /// The fields that are no attributes.
    pub(crate) skipped: Vec<Ident>,
    pub(crate) identity: Identity,
    /// What import ids look like.
    pub(crate) imports: Vec<Pattern>,
}

/// One field.
pub(crate) struct Field {
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    /// The attribute's name.
    pub(crate) name: String,
    /// Where the name was said.
    pub(crate) name_span: Span,
    pub(crate) ty: Type,
    /// The type without its `Option`, where it has one.
    pub(crate) bare: Type,
    pub(crate) description: String,
    pub(crate) role: Role,
    /// Where the role was said.
    pub(crate) role_span: Span,
    pub(crate) replace: Option<(Replace, Span)>,
    pub(crate) keep: Option<(Keep, Span)>,
    pub(crate) behaviour: Behavior,
    pub(crate) validate: Vec<(Ident, Expr)>,
    /// How it bears on others.
    pub(crate) relations: Vec<Relation>,
    pub(crate) min_items: Option<(Ident, Expr)>,
    pub(crate) max_items: Option<(Ident, Expr)>,
    /// The doc comment is plain text.
    pub(crate) plain_description: bool,
    pub(crate) deprecated: Option<LitStr>,
    pub(crate) sensitive: Option<Span>,
    pub(crate) mixed: Option<Span>,
    pub(crate) block: Option<Span>,
    pub(crate) flatten: Option<Span>,
    /// Part of what the object is known by.
    pub(crate) identity: Option<Span>,
    /// The operations with their times, and where they were said.
    pub(crate) timeouts: Option<(Ident, Vec<Pair>)>,
}

/// Who writes it: the row of the view table.
pub(crate) enum Role {
    Plain,
    Computed,
    OptionalComputed,
    Default(Expr),
    WriteOnly,
    /// Of an enum with data: null where another is set.
    Variant,
}

pub(crate) enum Replace {
    Always,
    If(Expr),
    IfConfigured,
}

pub(crate) enum Keep {
    State,
    NonNullState,
    Follow(Vec<Ident>),
}

impl Field {
    /// True where the provider writes it, in part or whole.
    pub(crate) fn is_answered(&self) -> bool {
        self.mixed.is_some()
            || self.flatten.is_some()
            || matches!(self.role, Role::Computed | Role::OptionalComputed)
    }

    pub(crate) fn is_option(&self) -> bool {
        option(&self.ty).is_some()
    }

    /// True for a type that by its name is a scalar of Rust: there is nothing inside.
    pub(crate) fn is_scalar(&self) -> bool {
        let Type::Path(path) = &self.bare else { return false };
        path.path.get_ident().is_some_and(|it| SCALARS.iter().any(|name| it == name))
    }

    /// True where anything is said of it but what its type says.
    pub(crate) fn says_anything(&self) -> bool {
        !matches!(self.role, Role::Plain | Role::Variant)
            || self.replace.is_some()
            || self.keep.is_some()
            || !self.validate.is_empty()
            || !self.relations.is_empty()
            || self.min_items.is_some()
            || self.max_items.is_some()
            || self.deprecated.is_some()
            || self.sensitive.is_some()
            || self.behaviour.span().is_some()
            || self.mixed.is_some()
            || self.block.is_some()
    }
}

const SCALARS: [&str; 16] = [
    "bool", "String", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
    "f32", "f64",
];

impl Model {
    /// The fields that are attributes or blocks of their own.
    pub(crate) fn own(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|it| it.flatten.is_none())
    }

    /// The fields whose attributes are as if they had been declared here.
    pub(crate) fn flattened(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|it| it.flatten.is_some())
    }

    /// Reads the struct; none where it is not one at all.
    pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Model> {
        let Data::Struct(data) = &input.data else {
            let help =
                "a model is a struct; an enum without data is the type of an attribute: `#[derive(Attr)]`";
            errors.at(&input.ident, help);
            return None;
        };
        let fields = match &data.fields {
            Fields::Named(fields) => fields.named.iter().collect(),
            Fields::Unit => Vec::new(),
            Fields::Unnamed(fields) => {
                errors.at(
                    fields,
                    "a model has named fields: each is an attribute; a newtype is the type of one: `#[derive(Attr)]`",
                );
                return None;
            }
        };
        if !input.generics.params.is_empty() {
            errors.at(&input.generics, "a model has no parameters: its schema is one for all");
            return None;
        }
        let mut words = Words::read(&input.attrs, &symbol::STRUCT, errors);
        let mut skipped = Vec::new();
        let mut fields: Vec<Field> =
            fields.into_iter().filter_map(|it| Field::read(it, &mut skipped, errors)).collect();
        fields.retain(|it| match itself(it.ty.to_token_stream(), &input.ident) {
            None => true,
            Some(place) => {
                let why = "a schema says how deep its objects go: write a model for each level, or take a document as text";
                errors.at(place, format!("`{}` would hold itself: {why}", input.ident));
                // Its code would keep rustc going round in circles.
                skipped.push(it.ident.clone());
                false
            }
        });
        Some(Model {
            vis: input.vis.clone(),
            ident: input.ident.clone(),
            description: description(&input.attrs),
            deprecated: words.text(symbol::DEPRECATED, errors),
            version: version(&mut words, symbol::VERSION, errors),
            upgrade_from: upgrade_from(&mut words, errors),
            oldest: words.flag(symbol::OLDEST, errors),
            plain_description: words.flag(symbol::PLAIN_DESCRIPTION, errors).is_some(),
            groups: relation::groups(&mut words, errors),
            validate: words.exprs(symbol::VALIDATE, errors),
            fields,
            skipped,
            identity: Identity::read(&mut words, errors),
            imports: Pattern::read(&mut words, errors),
        })
    }

    /// A model of these fields that says nothing else, beside another.
    pub(crate) fn plain(beside: &Model, ident: Ident, fields: Vec<Field>) -> Model {
        Model {
            vis: beside.vis.clone(),
            ident,
            description: String::new(),
            deprecated: None,
            version: None,
            upgrade_from: None,
            oldest: None,
            plain_description: beside.plain_description,
            groups: Vec::new(),
            validate: Vec::new(),
            fields,
            skipped: Vec::new(),
            identity: Identity::default(),
            imports: Vec::new(),
        }
    }
}

impl Field {
    /// The same field with another type and no behaviour.
    pub(crate) fn plain(of: &Field, ty: Type) -> Field {
        Field {
            vis: of.vis.clone(),
            ident: of.ident.clone(),
            name: of.name.clone(),
            name_span: of.name_span,
            bare: option(&ty).unwrap_or(&ty).clone(),
            ty,
            description: of.description.clone(),
            role: Role::Plain,
            role_span: of.role_span,
            replace: None,
            keep: None,
            behaviour: Behavior::default(),
            validate: Vec::new(),
            relations: Vec::new(),
            min_items: None,
            max_items: None,
            plain_description: of.plain_description,
            deprecated: None,
            sensitive: None,
            mixed: None,
            block: None,
            flatten: None,
            identity: None,
            timeouts: None,
        }
    }

    fn read(field: &syn::Field, skipped: &mut Vec<Ident>, errors: &mut Errors) -> Option<Field> {
        let ident = field.ident.clone()?;
        let mut words = Words::read(&field.attrs, &symbol::FIELD, errors);
        if words.flag(symbol::SKIP, errors).is_some() {
            if let Some(word) = words.any() {
                errors.at(word, "what is skipped is no attribute: nothing can be said of it");
            }
            skipped.push(ident);
            return None;
        }
        let (role, role_span) = role(&ident, &mut words, errors);
        let replace = replace(&mut words, errors);
        let keep = keep(&mut words, errors);
        let behaviour = Behavior::read(&mut words, errors);
        let rename = words.text(symbol::RENAME, errors);
        Some(Field {
            vis: field.vis.clone(),
            name: rename.as_ref().map_or_else(|| ident.unraw().to_string(), LitStr::value),
            name_span: rename.map_or_else(|| ident.span(), |it| it.span()),
            bare: option(&field.ty).unwrap_or(&field.ty).clone(),
            ty: field.ty.clone(),
            description: description(&field.attrs),
            role,
            role_span,
            replace,
            keep,
            behaviour,
            validate: words.exprs(symbol::VALIDATE, errors),
            relations: relation::relations(&mut words, errors),
            min_items: items(&mut words, symbol::MIN_ITEMS, errors),
            max_items: items(&mut words, symbol::MAX_ITEMS, errors),
            plain_description: words.flag(symbol::PLAIN_DESCRIPTION, errors).is_some(),
            deprecated: words.text(symbol::DEPRECATED, errors),
            sensitive: words.flag(symbol::SENSITIVE, errors),
            mixed: words.flag(symbol::MIXED, errors),
            block: words.flag(symbol::BLOCK, errors),
            flatten: words.flag(symbol::FLATTEN, errors),
            identity: words.flag(symbol::IDENTITY, errors),
            timeouts: words.pairs(symbol::TIMEOUTS, errors),
            ident,
        })
    }
}

fn role(ident: &Ident, words: &mut Words, errors: &mut Errors) -> (Role, Span) {
    let computed = words.flag(symbol::COMPUTED, errors);
    let optional = words.flag(symbol::OPTIONAL, errors);
    let default = words.expr(symbol::DEFAULT, errors);
    let write_only = words.flag(symbol::WRITE_ONLY, errors);
    let mut refuse = |span: Span, what: &str| errors.push(syn::Error::new(span, what));
    match (optional, computed, default, write_only) {
        (Some(span), None, None, None) => {
            refuse(
                span,
                "an optional attribute has the type `Option<T>`; `optional` stands only beside `computed`",
            );
            (Role::Plain, span)
        }
        (Some(span), None, Some(_), None) => {
            refuse(span, "an attribute with a default is optional already");
            (Role::Plain, span)
        }
        (_, Some(span), Some(_), None) => {
            refuse(span, "an attribute is computed or has a default, not both");
            (Role::Plain, span)
        }
        (Some(span), _, _, Some(_)) | (_, Some(span), _, Some(_)) => {
            refuse(span, "what is write-only is never stored, so the provider cannot write it");
            (Role::Plain, span)
        }
        (_, _, Some((name, _)), Some(_)) => {
            refuse(name.span(), "what is write-only is never stored, so it cannot have a default");
            (Role::Plain, name.span())
        }
        (None, None, Some((name, expr)), None) => (Role::Default(expr), name.span()),
        (None, None, None, Some(span)) => (Role::WriteOnly, span),
        (Some(_), Some(span), None, None) => (Role::OptionalComputed, span),
        (None, Some(span), None, None) => (Role::Computed, span),
        (None, None, None, None) => (Role::Plain, ident.span()),
    }
}

fn replace(words: &mut Words, errors: &mut Errors) -> Option<(Replace, Span)> {
    let always = words.flag(symbol::REQUIRES_REPLACE, errors).map(|it| (Replace::Always, it));
    let condition = words.expr(symbol::REQUIRES_REPLACE_IF, errors);
    let condition = condition.map(|(word, f)| (Replace::If(f), word.span()));
    let configured = words.flag(symbol::REQUIRES_REPLACE_IF_CONFIGURED, errors);
    let configured = configured.map(|it| (Replace::IfConfigured, it));
    let has_always = always.is_some();
    let mut said = [always, condition, configured].into_iter().flatten();
    let first = said.next();
    if let Some((_, span)) = said.next() {
        let why = match has_always {
            true => "`requires_replace` says more already",
            false => {
                "when a change needs a new object is said once: a function can look at the configuration too"
            }
        };
        errors.push(syn::Error::new(span, why));
    }
    first
}

fn keep(words: &mut Words, errors: &mut Errors) -> Option<(Keep, Span)> {
    let state = words.flag(symbol::USE_STATE_FOR_UNKNOWN, errors).map(|it| (Keep::State, it));
    let non_null = words.flag(symbol::USE_NON_NULL_STATE_FOR_UNKNOWN, errors);
    let non_null = non_null.map(|it| (Keep::NonNullState, it));
    let follows = words.names(symbol::FOLLOWS, errors);
    let follows = follows.map(|(word, names)| (Keep::Follow(names), word.span()));
    let mut said = [state, non_null, follows].into_iter().flatten();
    let first = said.next();
    if let Some((_, span)) = said.next() {
        let message =
            "what a computed value keeps is said once: always, unless it is null, or as long as others stay";
        errors.push(syn::Error::new(span, message));
    }
    first
}

fn items(words: &mut Words, word: &str, errors: &mut Errors) -> Option<(Ident, Expr)> {
    let (word, expr) = words.expr(word, errors)?;
    match &expr {
        Expr::Lit(ExprLit { lit: Lit::Int(_), .. }) => Some((word, expr)),
        Expr::Lit(_) => {
            errors.at(&expr, "a number of elements is a whole number");
            None
        }
        _ => Some((word, expr)),
    }
}

pub(crate) fn version(words: &mut Words, word: &str, errors: &mut Errors) -> Option<(Option<i64>, Span)> {
    let (word, expr) = words.expr(word, errors)?;
    if let Expr::Lit(ExprLit { lit: Lit::Int(version), .. }) = &expr
        && let Ok(number) = version.base10_parse()
    {
        return Some((Some(number), version.span()));
    }
    errors.at(&expr, "the version is a whole number");
    Some((None, word.span()))
}

fn upgrade_from(words: &mut Words, errors: &mut Errors) -> Option<(Ident, Option<Type>)> {
    let (word, expr) = words.expr(symbol::UPGRADE_FROM, errors)?;
    if let Expr::Path(ExprPath { qself, path, .. }) = expr {
        return Some((word, Some(Type::Path(TypePath { qself, path }))));
    }
    errors.at(&expr, "the model of the version before is required: `upgrade_from = FileV0`");
    Some((word, None))
}

/// The doc comment, without the space that begins each line.
pub(crate) fn description(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|it| match &it.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) => Some(line.value()),
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<String> =
        lines.map(|it| it.strip_prefix(' ').unwrap_or(&it).trim_end().to_owned()).collect();
    lines.join("\n").trim().to_owned()
}

/// What is inside an `Option`, by its name: a type of another name counts as itself.
pub(crate) fn option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|it| it.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}

/// The first of these tokens that is the name.
fn itself(tokens: TokenStream, name: &Ident) -> Option<Ident> {
    tokens.into_iter().find_map(|it| match it {
        TokenTree::Ident(it) => Some(it).filter(|it| it == name),
        TokenTree::Group(it) => itself(it.stream(), name),
        _ => None,
    })
}
