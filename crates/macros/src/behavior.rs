//! The options that take a function, such as `suppress_diff` and `plan_with`, and `key`.

use proc_macro2::Span;
use syn::{Expr, Ident};

use crate::errors::Errors;
use crate::option_names;
use crate::options::Options;

/// The options of a field that take a function, and `key`.
#[derive(Default)]
pub(crate) struct Behavior {
    pub(crate) default_with: Option<(Ident, Expr)>,
    pub(crate) suppress_diff: Option<(Ident, Expr)>,
    pub(crate) suppress_on_refresh: Option<Span>,
    pub(crate) semantic_eq: Option<(Ident, Expr)>,
    pub(crate) plan_with: Option<(Ident, Expr)>,
    pub(crate) key: Option<Span>,
}

impl Behavior {
    pub(crate) fn read(options: &mut Options, errors: &mut Errors) -> Behavior {
        Behavior {
            default_with: options.expr(option_names::DEFAULT_WITH, errors),
            suppress_diff: options.expr(option_names::SUPPRESS_DIFF, errors),
            suppress_on_refresh: options.flag(option_names::SUPPRESS_ON_REFRESH, errors),
            semantic_eq: options.expr(option_names::SEMANTIC_EQ, errors),
            plan_with: options.expr(option_names::PLAN_WITH, errors),
            key: options.flag(option_names::KEY, errors),
        }
    }

    /// The span of the first of these options.
    pub(crate) fn span(&self) -> Option<Span> {
        let options = [&self.default_with, &self.suppress_diff, &self.semantic_eq, &self.plan_with];
        let option_name = options.into_iter().flatten().next().map(|(option_name, _)| option_name.span());
        option_name.or(self.suppress_on_refresh).or(self.key)
    }
}
