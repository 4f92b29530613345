//! The options of a struct about its resource identity, and their checks.

use proc_macro2::Span;
use syn::{Error, Expr, Ident, Path};

use crate::ast::{Field, Model, Role, version};
use crate::errors::Errors;
use crate::option_names;
use crate::options::Options;

/// The options about the resource identity.
#[derive(Default)]
pub(crate) struct Identity {
    /// The struct of `identity = …`.
    pub(crate) named: Option<Path>,
    /// The identity version with its span; `None` inside if it is not a number.
    pub(crate) version: Option<(Option<i64>, Span)>,
    /// The structs of earlier identity versions.
    pub(crate) upgrades: Vec<Ident>,
    pub(crate) mutable: Option<Span>,
}

impl Identity {
    pub(crate) fn read(options: &mut Options, errors: &mut Errors) -> Identity {
        let named = options.expr(option_names::IDENTITY, errors).and_then(|(_, expr)| match expr {
            Expr::Path(it) if it.qself.is_none() => Some(it.path),
            other => {
                errors.at(other, "expected a struct, such as `identity = FileIdentity`");
                None
            }
        });
        Identity {
            named,
            version: version(options, option_names::IDENTITY_VERSION, errors),
            upgrades: options
                .names(option_names::IDENTITY_FROM, errors)
                .map_or(Vec::new(), |(_, names)| names),
            mutable: options.flag(option_names::MUTABLE_IDENTITY, errors),
        }
    }
}

impl Model {
    /// Returns true if the model has an identity, or a flattened model may have one.
    pub(crate) fn may_have_identity(&self) -> bool {
        self.identity.named.is_some() || self.fields.iter().any(|it| it.identity.or(it.flatten).is_some())
    }
}

pub(crate) fn check(model: &Model, errors: &mut Errors) {
    let Identity { named, version, upgrades, mutable } = &model.identity;
    if !model.may_have_identity() {
        let spans = [version.map(|(_, span)| span), upgrades.first().map(Ident::span), *mutable];
        for span in spans.into_iter().flatten() {
            let help = "this option needs an identity: mark fields with `#[attr(identity)]`";
            errors.push(Error::new(span, help));
        }
    }
    for field in &model.fields {
        let Some(span) = field.identity else { continue };
        if named.is_some() {
            let why = "remove this option: the struct of `identity = …` defines the identity attributes";
            errors.push(Error::new(span, why));
        } else if let Some(why) = identity_error(field, mutable.is_some()) {
            errors.push(Error::new(span, why));
        }
    }
}

/// The reason why the field cannot be an identity attribute.
fn identity_error(field: &Field, mutable: bool) -> Option<&'static str> {
    let changes = !matches!(field.role, Role::Computed) && field.replace.is_none();
    match field.role {
        Role::WriteOnly => {
            Some("`identity` cannot be combined with `write_only`: a write-only value is not stored")
        }
        _ if field.sensitive.is_some() => {
            Some("`identity` cannot be combined with `sensitive`: Terraform shows identities")
        }
        _ if field.block.or(field.mixed).is_some() => {
            Some("an identity attribute must be a bool, a number, a string or a list of these")
        }
        _ if field.flatten.is_some() => {
            Some("`flatten` cannot be combined with `identity`: mark the fields of the flattened model")
        }
        _ if changes && !mutable => Some(
            "an identity attribute must not change in place: add `requires_replace`, or `#[attr(mutable_identity)]` to the struct",
        ),
        _ => None,
    }
}
