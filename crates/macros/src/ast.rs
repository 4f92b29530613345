//! The typed description of a model that the options are parsed into.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprLit, ExprPath, Fields, GenericArgument, Ident, Lit, LitStr, Meta,
    PathArguments, Type, TypePath, Visibility, ext::IdentExt,
};

use crate::behavior::Behavior;
use crate::derive_identity::Identity;
use crate::errors::Errors;
use crate::import_pattern::{Composed, Pattern};
use crate::option_names;
use crate::options::{Options, Pair};
use crate::relations::{self, Group, RelatedAttributes, Relation};

/// A struct with `#[derive(Model)]`.
pub(crate) struct Model {
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) description: String,
    pub(crate) deprecated: Option<LitStr>,
    /// The schema version with its span; `None` inside if it is not a number.
    pub(crate) version: Option<(Option<i64>, Span)>,
    /// The first version with the same states, for a range of versions.
    pub(crate) first_version: Option<i64>,
    /// The option name, and the model of the previous version; `None` if it is not a type.
    pub(crate) upgrade_from: Option<(Ident, Option<Type>)>,
    /// The function that returns warnings about an upgrade.
    pub(crate) upgrade_warnings: Option<(Ident, Expr)>,
    /// The span of `oldest`.
    pub(crate) oldest: Option<Span>,
    /// The span of `upgrade_from_sdkv2`.
    pub(crate) upgrade_from_sdkv2: Option<Span>,
    /// True if the doc comments are plain text, not Markdown.
    pub(crate) plain_description: bool,
    /// The groups of attributes, such as `exactly_one_of`.
    pub(crate) groups: Vec<Group>,
    /// Validators of the whole object.
    pub(crate) validate: Vec<(Ident, Expr)>,
    pub(crate) fields: Vec<Field>,
    /// The fields with `skip`.
    pub(crate) skipped: Vec<Ident>,
    pub(crate) identity: Identity,
    /// The patterns of import IDs.
    pub(crate) imports: Vec<Pattern>,
}

/// A field with its options.
pub(crate) struct Field {
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    /// The name of the attribute.
    pub(crate) name: String,
    /// The span of the name.
    pub(crate) name_span: Span,
    pub(crate) ty: Type,
    /// The type without its `Option`, if it has one.
    pub(crate) bare: Type,
    pub(crate) description: String,
    pub(crate) role: Role,
    /// The span of the role.
    pub(crate) role_span: Span,
    /// `fingerprint`
    pub(crate) fingerprint: Option<Span>,
    /// `composed`, which implies `computed`.
    pub(crate) composed: Option<Composed>,
    pub(crate) replace: Option<(Replace, Span)>,
    pub(crate) keep: Option<(Keep, Span)>,
    pub(crate) behavior: Behavior,
    pub(crate) validate: Vec<(Ident, Expr)>,
    /// Its relations to other attributes.
    pub(crate) relations: Vec<Relation>,
    pub(crate) min_items: Option<(Ident, Expr)>,
    pub(crate) max_items: Option<(Ident, Expr)>,
    /// True if the doc comment is plain text, not Markdown.
    pub(crate) plain_description: bool,
    pub(crate) deprecated: Option<LitStr>,
    pub(crate) sensitive: Option<Span>,
    pub(crate) mixed: Option<Span>,
    pub(crate) block: Option<Span>,
    /// The span of `object`.
    pub(crate) object: Option<Span>,
    pub(crate) flatten: Option<Span>,
    /// The span of `inputs_only`.
    pub(crate) inputs_only: Option<Span>,
    /// `plan_with` of a flattened model.
    pub(crate) plan_flattened: Option<(Ident, Expr)>,
    /// The span of `identity`.
    pub(crate) identity: Option<Span>,
    /// The span of `required_for_import`.
    pub(crate) required_for_import: Option<Span>,
    /// The option name, and the operations with their timeouts.
    pub(crate) timeouts: Option<(Ident, Vec<Pair>)>,
}

/// The origin of the attribute's value: the row of the table in `ferroform::view`.
pub(crate) enum Role {
    Plain,
    Computed,
    OptionalComputed,
    Default(Expr),
    WriteOnly,
    /// The attribute of a variant of an enum with data: null if another variant is set.
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
    /// Returns true if the provider sets the attribute or a part of it.
    pub(crate) fn is_set_by_provider(&self) -> bool {
        self.mixed.is_some()
            || (self.flatten.is_some() && self.inputs_only.is_none())
            || matches!(self.role, Role::Computed | Role::OptionalComputed)
    }

    pub(crate) fn is_option(&self) -> bool {
        option(&self.ty).is_some()
    }

    /// Returns true if the type has the name of a built-in scalar.
    pub(crate) fn is_scalar(&self) -> bool {
        is_scalar(&self.bare)
    }

    /// Returns true if every configuration sets the attribute. For a block, this depends on its type: a collection may
    /// be empty.
    pub(crate) fn is_always_set(&self) -> bool {
        let is_plain = matches!(self.role, Role::Plain) && self.behavior.default_with.is_none();
        is_plain && !self.is_option() && self.block.is_none()
    }

    /// Returns true if the field has options other than its type.
    pub(crate) fn has_options(&self) -> bool {
        !matches!(self.role, Role::Plain | Role::Variant)
            || self.replace.is_some()
            || self.keep.is_some()
            || !self.validate.is_empty()
            || !self.relations.is_empty()
            || self.min_items.is_some()
            || self.max_items.is_some()
            || self.deprecated.is_some()
            || self.sensitive.is_some()
            || self.fingerprint.is_some()
            || self.behavior.span().is_some()
            || self.mixed.is_some()
            || self.block.is_some()
    }
}

/// Returns true if the type has the name of a built-in scalar.
pub(crate) fn is_scalar(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.get_ident().is_some_and(|it| SCALARS.iter().any(|name| it == name))
}

const SCALARS: [&str; 16] = [
    "bool", "String", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
    "f32", "f64",
];

impl Model {
    /// The fields that are attributes or blocks, without flattened models.
    pub(crate) fn attribute_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|it| it.flatten.is_none())
    }

    /// The fields with `flatten`.
    pub(crate) fn flattened(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|it| it.flatten.is_some())
    }

    /// Returns true if the model has an identity, or a flattened model may have one.
    pub(crate) fn may_have_identity(&self) -> bool {
        self.identity.named.is_some() || self.fields.iter().any(|it| it.identity.or(it.flatten).is_some())
    }

    /// The field that an import pattern names.
    pub(crate) fn named(&self, name: &str) -> Option<&Field> {
        self.attribute_fields().find(|it| it.ident.unraw() == name)
    }

    /// The siblings that a relation or group names, with their fields; a sibling without a field may belong to a
    /// flattened model.
    pub(crate) fn related(&self, names: &RelatedAttributes) -> Vec<(Ident, Option<&Field>)> {
        let fields = names
            .fields
            .iter()
            .map(|it| (it.clone(), self.attribute_fields().find(|field| field.ident == *it)));
        let patterns = names.siblings_in_patterns().map(|it| {
            let field = self.attribute_fields().find(|field| it == field.name);
            (it, field)
        });
        fields.chain(patterns).collect()
    }

    /// The siblings that a relation or group names, without those that have no field.
    pub(crate) fn related_fields(&self, names: &RelatedAttributes) -> Vec<(Ident, &Field)> {
        self.related(names).into_iter().filter_map(|(name, field)| Some((name, field?))).collect()
    }

    /// Parses the struct; `None` if it cannot be a model.
    pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Model> {
        let Data::Struct(data) = &input.data else {
            let help = "`#[derive(Model)]` needs a struct; for an enum, use `#[derive(Attr)]`";
            errors.at(&input.ident, help);
            return None;
        };
        let fields = match &data.fields {
            Fields::Named(fields) => fields.named.iter().collect(),
            Fields::Unit => Vec::new(),
            Fields::Unnamed(fields) => {
                errors.at(
                    fields,
                    "`#[derive(Model)]` needs named fields, one for each attribute; for a newtype, use `#[derive(Attr)]`",
                );
                return None;
            }
        };
        if !input.generics.params.is_empty() {
            errors.at(
                &input.generics,
                "`#[derive(Model)]` does not support generic structs: a resource has one schema",
            );
            return None;
        }
        let mut options = Options::read(&input.attrs, &option_names::STRUCT, errors);
        let mut skipped = Vec::new();
        let mut fields: Vec<Field> =
            fields.into_iter().filter_map(|it| Field::read(it, &mut skipped, errors)).collect();
        fields.retain(|it| match find_ident(it.ty.to_token_stream(), &input.ident) {
            None => true,
            Some(span) => {
                let message = "a schema has a fixed depth; use one model for each level, or `ferroform::attr::Json` for a document";
                errors.at(span, format!("`{}` contains itself: {message}", input.ident));
                // The generated code would make the compiler recurse endlessly.
                skipped.push(it.ident.clone());
                false
            }
        });
        let versions = options.versions(option_names::VERSION);
        let range = versions.map(|(_, last, span)| (Some(last), span));
        Some(Model {
            vis: input.vis.clone(),
            ident: input.ident.clone(),
            description: description(&input.attrs),
            deprecated: options.deprecated(errors),
            version: range.or_else(|| options.version(option_names::VERSION, errors)),
            first_version: versions.map(|(first, ..)| first),
            upgrade_from: upgrade_from(&mut options, errors),
            upgrade_warnings: options.expr(option_names::UPGRADE_WARNINGS, errors),
            oldest: options.flag(option_names::OLDEST, errors),
            upgrade_from_sdkv2: options.flag(option_names::UPGRADE_FROM_SDKV2, errors),
            plain_description: options.flag(option_names::PLAIN_DESCRIPTION, errors).is_some(),
            groups: relations::groups(&mut options, errors),
            validate: options.exprs(option_names::VALIDATE, errors),
            fields,
            skipped,
            identity: Identity::read(&mut options, errors),
            imports: Pattern::read(&mut options, errors),
        })
    }

    /// A generated model with these fields and no options, with the visibility of another model.
    pub(crate) fn plain(other: &Model, ident: Ident, fields: Vec<Field>) -> Model {
        Model {
            vis: other.vis.clone(),
            ident,
            description: String::new(),
            deprecated: None,
            version: None,
            first_version: None,
            upgrade_from: None,
            upgrade_warnings: None,
            oldest: None,
            upgrade_from_sdkv2: None,
            plain_description: other.plain_description,
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
    /// The same field with another type and without options.
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
            fingerprint: None,
            composed: None,
            replace: None,
            keep: None,
            behavior: Behavior::default(),
            validate: Vec::new(),
            relations: Vec::new(),
            min_items: None,
            max_items: None,
            plain_description: of.plain_description,
            deprecated: None,
            sensitive: None,
            mixed: None,
            block: None,
            object: None,
            flatten: None,
            inputs_only: None,
            plan_flattened: None,
            identity: None,
            required_for_import: None,
            timeouts: None,
        }
    }

    fn read(field: &syn::Field, skipped: &mut Vec<Ident>, errors: &mut Errors) -> Option<Field> {
        let ident = field.ident.clone()?;
        let mut options = Options::read(&field.attrs, &option_names::FIELD, errors);
        if options.flag(option_names::SKIP, errors).is_some() {
            if let Some(option_name) = options.any() {
                errors.at(
                    option_name,
                    "`skip` cannot be combined with other options: a skipped field is not an attribute",
                );
            }
            skipped.push(ident);
            return None;
        }
        let (role, role_span) = role(&ident, &mut options, errors);
        let composed = Composed::read(&mut options, errors);
        let (role, role_span) = match &composed {
            Some(Composed { option_name, .. }) if !matches!(role, Role::Plain) => {
                let message = "`composed` cannot be combined with `computed`, `optional`, a default or `write_only`: a composed attribute is always computed";
                errors.at(option_name, message);
                (role, role_span)
            }
            Some(Composed { option_name, .. }) => (Role::Computed, option_name.span()),
            None => (role, role_span),
        };
        let replace = replace(&mut options, errors);
        let keep = keep(&mut options, errors);
        let mut behavior = Behavior::read(&mut options, errors);
        let flatten = options.flag(option_names::FLATTEN, errors);
        let plan_flattened = flatten.and_then(|_| behavior.plan_with.take());
        let rename = options.text(option_names::RENAME, errors);
        Some(Field {
            vis: field.vis.clone(),
            name: rename.as_ref().map_or_else(|| ident.unraw().to_string(), LitStr::value),
            name_span: rename.map_or_else(|| ident.span(), |it| it.span()),
            bare: option(&field.ty).unwrap_or(&field.ty).clone(),
            ty: field.ty.clone(),
            description: description(&field.attrs),
            role,
            role_span,
            composed,
            fingerprint: options.flag(option_names::FINGERPRINT, errors),
            replace,
            keep,
            behavior,
            validate: options.exprs(option_names::VALIDATE, errors),
            relations: relations::relations(&mut options, errors),
            min_items: items(&mut options, option_names::MIN_ITEMS, errors),
            max_items: items(&mut options, option_names::MAX_ITEMS, errors),
            plain_description: options.flag(option_names::PLAIN_DESCRIPTION, errors).is_some(),
            deprecated: options.deprecated(errors),
            sensitive: options.flag(option_names::SENSITIVE, errors),
            mixed: options.flag(option_names::MIXED, errors),
            block: options.flag(option_names::BLOCK, errors),
            object: options.flag(option_names::OBJECT, errors),
            flatten,
            inputs_only: options.flag(option_names::INPUTS_ONLY, errors),
            plan_flattened,
            identity: options.flag(option_names::IDENTITY, errors),
            required_for_import: options.flag(option_names::REQUIRED_FOR_IMPORT, errors),
            timeouts: options.pairs(option_names::TIMEOUTS, errors),
            ident,
        })
    }
}

fn role(ident: &Ident, options: &mut Options, errors: &mut Errors) -> (Role, Span) {
    let computed = options.flag(option_names::COMPUTED, errors);
    let optional = options.flag(option_names::OPTIONAL, errors);
    let default = options.expr(option_names::DEFAULT, errors);
    let write_only = options.flag(option_names::WRITE_ONLY, errors);
    let mut reject = |span: Span, message: &str| errors.push(syn::Error::new(span, message));
    match (optional, computed, default, write_only) {
        (Some(span), None, None, None) => {
            reject(
                span,
                "`optional` is only valid with `computed`; for an optional attribute, use the type `Option<T>`",
            );
            (Role::Plain, span)
        }
        (Some(span), None, Some(_), None) => {
            reject(
                span,
                "`optional` cannot be combined with `default`: an attribute with a default is already optional",
            );
            (Role::Plain, span)
        }
        (_, Some(span), Some(_), None) => {
            reject(span, "`computed` cannot be combined with a default: remove one of the two");
            (Role::Plain, span)
        }
        (Some(span), _, _, Some(_)) | (_, Some(span), _, Some(_)) => {
            reject(
                span,
                "`write_only` cannot be combined with `computed` or `optional`: a write-only value is never stored",
            );
            (Role::Plain, span)
        }
        (_, _, Some((name, _)), Some(_)) => {
            reject(
                name.span(),
                "`write_only` cannot be combined with a default: a write-only value is never stored",
            );
            (Role::Plain, name.span())
        }
        (None, None, Some((name, expr)), None) => (Role::Default(expr), name.span()),
        (None, None, None, Some(span)) => (Role::WriteOnly, span),
        (Some(_), Some(span), None, None) => (Role::OptionalComputed, span),
        (None, Some(span), None, None) => (Role::Computed, span),
        (None, None, None, None) => (Role::Plain, ident.span()),
    }
}

fn replace(options: &mut Options, errors: &mut Errors) -> Option<(Replace, Span)> {
    let always = options.flag(option_names::REQUIRES_REPLACE, errors).map(|it| (Replace::Always, it));
    let condition = options.expr(option_names::REQUIRES_REPLACE_IF, errors);
    let condition = condition.map(|(option_name, f)| (Replace::If(f), option_name.span()));
    let configured = options.flag(option_names::REQUIRES_REPLACE_IF_CONFIGURED, errors);
    let configured = configured.map(|it| (Replace::IfConfigured, it));
    let has_always = always.is_some();
    let mut options_found = [always, condition, configured].into_iter().flatten();
    let first = options_found.next();
    if let Some((_, span)) = options_found.next() {
        let message = match has_always {
            true => "remove this option: with `requires_replace`, every change requires replacement",
            false => {
                "use either `requires_replace_if` or `requires_replace_if_configured`; the function of `requires_replace_if` can check the configuration"
            }
        };
        errors.push(syn::Error::new(span, message));
    }
    first
}

fn keep(options: &mut Options, errors: &mut Errors) -> Option<(Keep, Span)> {
    let state = options.flag(option_names::USE_STATE_FOR_UNKNOWN, errors).map(|it| (Keep::State, it));
    let non_null = options.flag(option_names::USE_NON_NULL_STATE_FOR_UNKNOWN, errors);
    let non_null = non_null.map(|it| (Keep::NonNullState, it));
    let follows = options.names(option_names::FOLLOWS, errors);
    let follows = follows.map(|(option_name, names)| (Keep::Follow(names), option_name.span()));
    let mut options_found = [state, non_null, follows].into_iter().flatten();
    let first = options_found.next();
    if let Some((_, span)) = options_found.next() {
        let message =
            "use only one of `use_state_for_unknown`, `use_non_null_state_for_unknown` and `follows`";
        errors.push(syn::Error::new(span, message));
    }
    first
}

fn items(options: &mut Options, option_name: &str, errors: &mut Errors) -> Option<(Ident, Expr)> {
    let (option_name, expr) = options.expr(option_name, errors)?;
    match &expr {
        Expr::Lit(ExprLit { lit: Lit::Int(_), .. }) => Some((option_name, expr)),
        Expr::Lit(_) => {
            errors.at(&expr, "expected a whole number of elements, such as `min_items = 1`");
            None
        }
        _ => Some((option_name, expr)),
    }
}

fn upgrade_from(options: &mut Options, errors: &mut Errors) -> Option<(Ident, Option<Type>)> {
    let (option_name, expr) = options.expr(option_names::UPGRADE_FROM, errors)?;
    if let Expr::Path(ExprPath { qself, path, .. }) = expr {
        return Some((option_name, Some(Type::Path(TypePath { qself, path }))));
    }
    errors.at(&expr, "expected the model of the previous version, such as `upgrade_from = FileV0`");
    Some((option_name, None))
}

/// The doc comment, without the leading space of each line.
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

/// The type inside an `Option`, which is recognized by its name.
pub(crate) fn option(ty: &Type) -> Option<&Type> {
    argument_of(ty, "Option")
}

/// The first type argument of a type that is recognized by its name.
pub(crate) fn argument_of<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|it| it.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}

/// The first token that is the identifier.
fn find_ident(tokens: TokenStream, name: &Ident) -> Option<Ident> {
    tokens.into_iter().find_map(|it| match it {
        TokenTree::Ident(it) => Some(it).filter(|it| it == name),
        TokenTree::Group(it) => find_ident(it.stream(), name),
        _ => None,
    })
}
