//! The description of an enum with data: an object with one attribute for each variant, of which exactly one is set.

use syn::{DataEnum, DeriveInput, Fields, Ident, LitStr, Visibility, ext::IdentExt};

use crate::ast::{Field, Model, Role, description, option};
use crate::behavior::Behavior;
use crate::case::Case;
use crate::derive_identity::Identity;
use crate::errors::Errors;
use crate::options::Options;
use crate::{check, option_names};

/// An enum whose variants contain one value each.
pub(crate) struct TaggedEnum {
    pub(crate) vis: Visibility,
    pub(crate) variants: Vec<Ident>,
    /// The object, with one field for each variant.
    pub(crate) model: Model,
}

/// Returns true if a variant contains a value.
pub(crate) fn has_data(data: &DataEnum) -> bool {
    data.variants.iter().any(|it| !matches!(it.fields, Fields::Unit))
}

impl TaggedEnum {
    pub(crate) fn read(input: &DeriveInput, data: &DataEnum, errors: &mut Errors) -> TaggedEnum {
        Options::read(&input.attrs, &option_names::TAGGED_ENUM, errors);
        let mut variants = Vec::new();
        let mut fields = Vec::new();
        for variant in &data.variants {
            if let Some(field) = field(variant, errors) {
                variants.push(variant.ident.clone());
                fields.push(field);
            }
        }
        let model = Model {
            vis: input.vis.clone(),
            ident: input.ident.clone(),
            description: description(&input.attrs),
            deprecated: None,
            version: None,
            first_version: None,
            upgrade_from: None,
            upgrade_warnings: None,
            oldest: None,
            upgrade_from_sdkv2: None,
            plain_description: false,
            groups: Vec::new(),
            validate: Vec::new(),
            fields,
            skipped: Vec::new(),
            identity: Identity::default(),
            imports: Vec::new(),
        };
        check::names(&model, errors);
        TaggedEnum { vis: input.vis.clone(), variants, model }
    }
}

/// The attribute of a variant.
fn field(variant: &syn::Variant, errors: &mut Errors) -> Option<Field> {
    let mut options = Options::read(&variant.attrs, &option_names::TAGGED_VARIANT, errors);
    let ty = match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields.unnamed.first()?.ty.clone(),
        Fields::Unit => {
            let help = "either all variants contain a value or none does; for a variant without data, use a model without fields";
            errors.at(&variant.ident, help);
            return None;
        }
        _ => {
            errors.at(
                &variant.fields,
                "a variant contains one value; for several values, use a `#[derive(Model)]` struct",
            );
            return None;
        }
    };
    if option(&ty).is_some() {
        errors.at(&ty, "remove `Option`: the value of a variant is never null");
    }
    let renamed = options.text(option_names::RENAME, errors);
    let name_span = renamed.as_ref().map_or_else(|| variant.ident.span(), LitStr::span);
    let name = renamed.map(|it| it.value());
    let name = name.unwrap_or_else(|| Case::Snake.of(&variant.ident.unraw().to_string()));
    Some(Field {
        vis: Visibility::Inherited,
        ident: variant.ident.clone(),
        name,
        name_span,
        bare: ty.clone(),
        ty,
        description: description(&variant.attrs),
        role: Role::Variant,
        role_span: variant.ident.span(),
        fingerprint: None,
        composed: None,
        replace: None,
        keep: None,
        behavior: Behavior::default(),
        validate: options.exprs(option_names::VALIDATE, errors),
        relations: Vec::new(),
        min_items: None,
        max_items: None,
        plain_description: false,
        deprecated: options.deprecated(errors),
        sensitive: options.flag(option_names::SENSITIVE, errors),
        mixed: None,
        block: None,
        object: None,
        flatten: None,
        inputs_only: None,
        plan_flattened: None,
        identity: None,
        required_for_import: None,
        timeouts: None,
    })
}
