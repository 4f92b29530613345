//! What the struct says of its identity, and what it cannot say.

use proc_macro2::Span;
use syn::{Error, Expr, Ident, Path};

use crate::ast::{Field, Model, Role, version};
use crate::attr::Words;
use crate::errors::Errors;
use crate::symbol;

/// What a struct says of the identity of its objects.
#[derive(Default)]
pub(crate) struct Identity {
    /// The author's own struct for it.
    pub(crate) named: Option<Path>,
    /// None where it is no number, and where it was said.
    pub(crate) version: Option<(Option<i64>, Span)>,
    /// The structs of earlier versions.
    pub(crate) upgrades: Vec<Ident>,
    pub(crate) mutable: Option<Span>,
}

impl Identity {
    pub(crate) fn read(words: &mut Words, errors: &mut Errors) -> Identity {
        let named = words.expr(symbol::IDENTITY, errors).and_then(|(_, expr)| match expr {
            Expr::Path(it) if it.qself.is_none() => Some(it.path),
            other => {
                errors.at(other, "`identity` names a struct: `identity = FileIdentity`");
                None
            }
        });
        Identity {
            named,
            version: version(words, symbol::IDENTITY_VERSION, errors),
            upgrades: words.names(symbol::IDENTITY_FROM, errors).map_or(Vec::new(), |(_, names)| names),
            mutable: words.flag(symbol::MUTABLE_IDENTITY, errors),
        }
    }
}

impl Model {
    /// True where objects have an identity, or may have one of a model that is flattened in.
    pub(crate) fn may_have_identity(&self) -> bool {
        self.identity.named.is_some() || self.fields.iter().any(|it| it.identity.or(it.flatten).is_some())
    }
}

pub(crate) fn check(model: &Model, errors: &mut Errors) {
    let Identity { named, version, upgrades, mutable } = &model.identity;
    if !model.may_have_identity() {
        let spans = [version.map(|(_, span)| span), upgrades.first().map(Ident::span), *mutable];
        for span in spans.into_iter().flatten() {
            let help = "there is no identity: mark its parts with `#[attr(identity)]`";
            errors.push(Error::new(span, help));
        }
    }
    for field in &model.fields {
        let Some(span) = field.identity else { continue };
        if named.is_some() {
            let why = "the struct names its identity, and so the parts are those of that one";
            errors.push(Error::new(span, why));
        } else if let Some(why) = unfit(field, mutable.is_some()) {
            errors.push(Error::new(span, why));
        }
    }
}

/// Why the field cannot be part of an identity.
fn unfit(field: &Field, mutable: bool) -> Option<&'static str> {
    let changes = !matches!(field.role, Role::Computed) && field.replace.is_none();
    match field.role {
        Role::WriteOnly => Some("what is write-only is not stored, so nothing can be known by it"),
        _ if field.sensitive.is_some() => Some("an identity is shown, so no part of it can be sensitive"),
        _ if field.block.or(field.mixed).is_some() => {
            Some("a part of an identity is a bool, a number, a string or a list of these")
        }
        _ if field.flatten.is_some() => {
            Some("what is flattened brings its own identity along: say it in its fields")
        }
        _ if changes && !mutable => Some(
            "another identity is another object: say `requires_replace` too, or `mutable_identity` on the struct",
        ),
        _ => None,
    }
}
