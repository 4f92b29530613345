//! The options of a struct about its resource identity.

use proc_macro2::Span;
use syn::{Expr, Ident, Path};

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
            version: options.version(option_names::IDENTITY_VERSION, errors),
            upgrades: options
                .names(option_names::IDENTITY_FROM, errors)
                .map_or(Vec::new(), |(_, names)| names),
            mutable: options.flag(option_names::MUTABLE_IDENTITY, errors),
        }
    }
}
