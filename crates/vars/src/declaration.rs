//! The declaration of a variable, with its validations.

use std::ops::Range;

use ferroform_lang::body::Expression;
use ferroform_lang::variable::Variable;

use crate::diagnostic::Diagnostic;
use crate::source::Location;

/// The declaration of a variable.
#[derive(Debug)]
pub(crate) struct Declaration<'d> {
    pub(crate) name: String,
    /// The header of the block.
    pub(crate) location: Location,
    /// `None` if the declaration is invalid.
    pub(crate) variable: Option<Variable>,
    /// The names of the arguments.
    pub(crate) argument_names: Vec<&'d str>,
    pub(crate) default_at: Option<Location>,
    pub(crate) validations: Vec<Validation<'d>>,
    pub(crate) description: Option<String>,
    /// The deprecation message.
    pub(crate) deprecated: Option<String>,
    /// True if the variable is sensitive or ephemeral, or if that is not certain.
    pub(crate) is_secret: bool,
    /// The errors of the block.
    pub(crate) errors: Vec<Diagnostic>,
}

impl Declaration<'_> {
    /// Returns true if the declaration is valid and has no default.
    pub(crate) fn is_required(&self) -> bool {
        self.variable.as_ref().is_some_and(|it| it.default.is_none())
    }
}

/// A `validation` block.
#[derive(Debug)]
pub(crate) struct Validation<'d> {
    pub(crate) location: Location,
    pub(crate) condition: Code<'d>,
    pub(crate) message: Code<'d>,
}

/// An expression and its location.
#[derive(Debug)]
pub(crate) struct Code<'d> {
    pub(crate) syntax: Syntax<'d>,
    /// The location of the expression. In JSON it is also the location of each part.
    pub(crate) location: Location,
}

#[derive(Debug)]
pub(crate) enum Syntax<'d> {
    Native(&'d Expression<'d>),
    Json(Expression<'d>),
}

impl Code<'_> {
    pub(crate) fn expression(&self) -> &Expression<'_> {
        match &self.syntax {
            Syntax::Native(it) => it,
            Syntax::Json(it) => it,
        }
    }

    /// Returns the location of a range within the expression.
    pub(crate) fn part(&self, at: Range<usize>) -> Location {
        match self.syntax {
            Syntax::Native(_) => Location::new(self.location.source, at),
            Syntax::Json(_) => self.location.clone(),
        }
    }
}
