//! The declaration of a variable, with its validations.

use std::ops::Range;

use ferroform_lang::body::{Expression, ExpressionReferences};
use ferroform_lang::expression::EvaluatedArgument;
use ferroform_lang::marks::{Marked, Marks};
use ferroform_lang::type_constraint::Constraint;
use ferroform_lang::values::AssignedValue;
use ferroform_lang::variable::Variable;
use ferroform_value::{NfcString, Type, Typed, Value};

use crate::diagnostic::{Diagnostic, locate_argument_error};
use crate::document::is_json;
use crate::json;
use crate::source::{Location, Source};

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
    pub(crate) type_location: Option<Location>,
    pub(crate) default_location: Option<Location>,
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

    /// Returns an unknown value with the type and the marks of the variable.
    pub(crate) fn unknown_value(&self) -> Marked {
        let variable = self.variable.as_ref();
        let ty = variable.map(|it| it.constraint.ty.without_optional());
        let is_ephemeral = variable.is_some_and(|it| it.ephemeral);
        let is_sensitive = variable.map_or(self.is_secret, |it| it.sensitive);
        let marks = Marks::of_flags(is_sensitive, is_ephemeral);
        Marked { marks, ..Marked::unknown(ty.unwrap_or(Type::Dynamic)) }
    }

    /// Returns the type constraint as configured.
    pub(crate) fn type_text(&self, sources: &[Source]) -> Option<String> {
        let at = self.type_location.as_ref()?;
        let source = &sources[at.source];
        let text = match is_json(&source.name) {
            true => read_constant(source, at)?.value.as_str()?.to_owned(),
            false => source.text[at.range()].to_owned(),
        };
        Some(text.replace("\r\n", "\n"))
    }

    /// Returns the default as configured, before its conversion to the type of the variable.
    pub(crate) fn configured_default(&self, sources: &[Source]) -> Option<Typed> {
        let at = self.default_location.as_ref()?;
        read_constant(&sources[at.source], at)
    }

    /// Returns the comment on the lines before the block; empty in JSON.
    pub(crate) fn comment(&self, sources: &[Source]) -> String {
        let source = &sources[self.location.source];
        if is_json(&source.name) {
            return String::new();
        }
        let comment = |line: &str| {
            let text = line.strip_prefix('#').or_else(|| line.strip_prefix("//"))?;
            Some(text.trim().to_owned())
        };
        let before = source.text[..self.location.start].lines();
        let mut lines: Vec<String> = before.rev().map_while(comment).collect();
        lines.reverse();
        lines.join(" ")
    }
}

/// Evaluates a constant expression; `None` if it is invalid.
fn read_constant(source: &Source, at: &Location) -> Option<Typed> {
    if is_json(&source.name) {
        return json::value_at(&AssignedValue::json(&source.text, at.range())).ok();
    }
    Expression::parse(source.text.get(at.range())?).ok()?.constant().ok()
}

/// Builds a declaration from the arguments of a `variable` block.
#[derive(Debug, Default)]
pub(crate) struct DeclarationBuilder<'d> {
    pub(crate) argument_names: Vec<&'d str>,
    pub(crate) constraint: Option<Constraint>,
    pub(crate) type_location: Option<Location>,
    pub(crate) validations: Vec<Validation<'d>>,
    pub(crate) errors: Vec<Diagnostic>,
    values: Vec<EvaluatedArgument>,
    default_location: Option<Location>,
    description: Option<String>,
    deprecated: Option<String>,
    is_secret: bool,
}

impl<'d> DeclarationBuilder<'d> {
    /// Adds an argument, except for `type`.
    pub(crate) fn add(
        &mut self,
        name: &str,
        name_range: Range<usize>,
        value: Result<Typed, Vec<Diagnostic>>,
        value_location: Location,
    ) {
        // A flag that cannot be evaluated may be intended to be true.
        let is_false = value
            .as_ref()
            .is_ok_and(|it| it.value == Value::Bool(false) || it.value.as_str() == Some("false"));
        self.is_secret |= matches!(name, "sensitive" | "ephemeral") && !is_false;
        if name == "default" {
            self.default_location = Some(value_location.clone());
        }
        match value {
            Ok(value) => {
                match name {
                    "description" => self.description = value.value.as_str().map(str::to_owned),
                    "deprecated" => self.deprecated = value.value.as_str().map(str::to_owned),
                    _ => {}
                }
                let name = NfcString::new(name).into();
                self.values.push(EvaluatedArgument {
                    name,
                    name_at: name_range,
                    value,
                    value_at: value_location.range(),
                });
            }
            Err(errors) => self.errors.extend(errors),
        }
    }

    /// Builds the declaration. `locate` returns the range of an error of the arguments.
    pub(crate) fn build(
        mut self,
        (name, is_name_valid): (&str, bool),
        location: Location,
        text: &str,
        locate: impl Fn(&ferroform_lang::Diagnostic) -> Range<usize>,
    ) -> Declaration<'d> {
        let variable = Variable::assemble(self.constraint, self.values, text);
        for error in variable.as_ref().err().into_iter().flat_map(|it| it.iter()) {
            self.errors.push(locate_argument_error(error, Location::new(location.source, locate(error))));
        }
        let is_valid = self.errors.is_empty() && is_name_valid;
        Declaration {
            name: name.to_owned(),
            location,
            variable: variable.ok().filter(|_| is_valid),
            argument_names: self.argument_names,
            type_location: self.type_location,
            default_location: self.default_location,
            validations: self.validations,
            description: self.description,
            deprecated: self.deprecated,
            is_secret: self.is_secret,
            errors: self.errors,
        }
    }
}

/// A `validation` block.
#[derive(Debug)]
pub(crate) struct Validation<'d> {
    pub(crate) location: Location,
    pub(crate) condition: LocatedExpression<'d>,
    pub(crate) message: LocatedExpression<'d>,
}

impl Validation<'_> {
    /// Returns the error message; `None` if it refers to a value.
    pub(crate) fn constant_message(&self) -> Option<String> {
        self.message.expression().constant().ok()?.value.as_str().map(str::to_owned)
    }
}

/// An expression and its location.
#[derive(Debug)]
pub(crate) struct LocatedExpression<'d> {
    pub(crate) syntax: ExpressionSyntax<'d>,
    pub(crate) references: ExpressionReferences,
    /// The location of the expression. In JSON, it is also the location of each subexpression.
    pub(crate) location: Location,
}

#[derive(Debug)]
pub(crate) enum ExpressionSyntax<'d> {
    Native(&'d Expression<'d>),
    Json(Expression<'d>),
}

impl<'d> ExpressionSyntax<'d> {
    fn expression(&self) -> &Expression<'d> {
        match self {
            ExpressionSyntax::Native(it) => it,
            ExpressionSyntax::Json(it) => it,
        }
    }
}

impl<'d> LocatedExpression<'d> {
    pub(crate) fn new(syntax: ExpressionSyntax<'d>, location: Location) -> LocatedExpression<'d> {
        LocatedExpression { references: syntax.expression().references(), syntax, location }
    }

    pub(crate) fn expression(&self) -> &Expression<'d> {
        self.syntax.expression()
    }

    /// Returns the location of a subexpression at a range of the source.
    pub(crate) fn subexpression_location(&self, at: Range<usize>) -> Location {
        match self.syntax {
            ExpressionSyntax::Native(_) => Location::new(self.location.source, at),
            ExpressionSyntax::Json(_) => self.location.clone(),
        }
    }
}
