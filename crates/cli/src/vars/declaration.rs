//! The declaration of a variable, with its validations.

use std::ops::Range;

use ferroform_lang::body::Expression;
use ferroform_lang::variable::Variable;

use super::diagnostic::Diagnostic;
use super::source::Location;

/// The declaration of a variable.
#[derive(Debug)]
pub(super) struct Declaration<'d> {
    pub(super) name: String,
    /// The header of the block.
    pub(super) location: Location,
    /// `None` if the declaration is invalid.
    pub(super) variable: Option<Variable>,
    /// The names of the arguments.
    pub(super) argument_names: Vec<&'d str>,
    pub(super) default_at: Option<Location>,
    pub(super) validations: Vec<Validation<'d>>,
    /// The deprecation message.
    pub(super) deprecated: Option<String>,
    /// True if the variable is sensitive or ephemeral, or if that is not certain.
    pub(super) is_secret: bool,
    /// The errors of the block.
    pub(super) errors: Vec<Diagnostic>,
}

/// A `validation` block.
#[derive(Debug)]
pub(super) struct Validation<'d> {
    pub(super) location: Location,
    pub(super) condition: Code<'d>,
    pub(super) message: Code<'d>,
}

/// An expression and its location.
#[derive(Debug)]
pub(super) struct Code<'d> {
    pub(super) syntax: Syntax<'d>,
    /// The location of the expression. In JSON it is also the location of each part.
    pub(super) location: Location,
}

#[derive(Debug)]
pub(super) enum Syntax<'d> {
    Native(&'d Expression<'d>),
    Json(Expression<'d>),
}

impl Code<'_> {
    pub(super) fn expression(&self) -> &Expression<'_> {
        match &self.syntax {
            Syntax::Native(it) => it,
            Syntax::Json(it) => it,
        }
    }

    /// Returns the location of a range within the expression.
    pub(super) fn part(&self, at: Range<usize>) -> Location {
        match self.syntax {
            Syntax::Native(_) => Location::new(self.location.source, at),
            Syntax::Json(_) => self.location.clone(),
        }
    }
}
