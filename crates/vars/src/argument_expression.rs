//! The values of arguments: expressions in HCL, or JSON values whose strings and property names are templates.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ferroform_lang::Errors;
use ferroform_lang::body::Expression;
use ferroform_lang::marks::Marked;
use ferroform_lang::values::AssignedValue;
use ferroform_value::{NfcString, Type, Typed, Value};

use crate::diagnostic::{Diagnostic, locate_errors, locate_errors_at};
use crate::json::{Kind, Node};
use crate::source::Location;

/// The value of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArgumentExpression<'d> {
    Native(&'d Expression<'d>),
    Json(&'d Node),
}

/// The variables, local values and functions that a value refers to.
#[derive(Debug, Default)]
pub(crate) struct ReferencedNames {
    pub(crate) variables: BTreeSet<String>,
    pub(crate) locals: BTreeSet<String>,
    pub(crate) functions: BTreeSet<String>,
}

impl<'d> ArgumentExpression<'d> {
    /// Returns the variables, local values and functions that the value refers to.
    pub(crate) fn names(self) -> ReferencedNames {
        let mut names = ReferencedNames::default();
        self.visit(&mut |expression| {
            let found = expression.references();
            names.variables.extend(found.variables.into_iter().map(|(name, _)| name));
            names.locals.extend(found.locals);
            names.functions.extend(found.functions);
        });
        names
    }

    /// Calls a function with the expression, or with the template of each string in JSON, except those with a syntax error.
    pub(crate) fn visit(self, visit: &mut dyn FnMut(&Expression<'_>)) {
        match self {
            ArgumentExpression::Native(it) => visit(it),
            ArgumentExpression::Json(node) => match &node.kind {
                Kind::String(text) => drop(Expression::template(text).map(|it| visit(&it))),
                Kind::Array(elements) => {
                    elements.iter().for_each(|it| ArgumentExpression::Json(it).visit(visit))
                }
                Kind::Object(members) => members.iter().filter(|it| it.name != "//").for_each(|member| {
                    let _ = Expression::template(&member.name).map(|it| visit(&it));
                    ArgumentExpression::Json(&member.value).visit(visit);
                }),
                Kind::Null | Kind::Bool(_) | Kind::Number(_) => {}
            },
        }
    }

    /// Returns the value, whose expressions and templates the function evaluates. A template with a syntax error, which the
    /// reader of the file has reported, is unknown.
    ///
    /// # Errors
    ///
    /// Returns the first error of the function.
    pub(crate) fn evaluate<E>(
        self,
        evaluate: &mut dyn FnMut(&Expression<'_>) -> Result<Marked, E>,
    ) -> Result<Marked, E> {
        let node = match self {
            ArgumentExpression::Native(it) => return evaluate(it),
            ArgumentExpression::Json(node) => node,
        };
        Ok(match &node.kind {
            Kind::Null => Typed::new(Type::Dynamic, Value::Null).into(),
            Kind::Bool(it) => Typed::new(Type::Bool, Value::Bool(*it)).into(),
            Kind::Number(it) => Typed::new(Type::Number, Value::Number(it.clone())).into(),
            Kind::String(text) => evaluate_template(text, evaluate)?,
            Kind::Array(elements) => {
                let elements = elements.iter().map(|it| ArgumentExpression::Json(it).evaluate(evaluate));
                Marked::tuple(elements.collect::<Result<Vec<_>, _>>()?)
            }
            Kind::Object(members) => {
                let mut attributes: BTreeMap<Arc<str>, Marked> = BTreeMap::new();
                for member in members.iter().filter(|it| it.name != "//") {
                    let key = evaluate_template(&member.name, evaluate)?.convert(&Type::String).ok();
                    let Some(key) = key.and_then(|it| it.typed.value.as_str().map(NfcString::new)) else {
                        return Ok(Marked::unknown(Type::Dynamic));
                    };
                    attributes
                        .insert(key.into(), ArgumentExpression::Json(&member.value).evaluate(evaluate)?);
                }
                Marked::object(attributes)
            }
        })
    }

    /// Returns the position of the value in the text of its file.
    pub(crate) fn assigned(self, text: &'d str) -> AssignedValue<'d> {
        match self {
            ArgumentExpression::Native(it) => AssignedValue::from(it),
            ArgumentExpression::Json(it) => AssignedValue::json(text, it.at.clone()),
        }
    }

    /// Returns the errors of the value. Those of a JSON value have its location.
    pub(crate) fn locate_errors(self, errors: &Errors, location: &Location) -> Vec<Diagnostic> {
        match self {
            ArgumentExpression::Native(_) => locate_errors(errors, location.source).collect(),
            ArgumentExpression::Json(_) => locate_errors_at(errors, location).collect(),
        }
    }
}

fn evaluate_template<E>(
    text: &str,
    evaluate: &mut dyn FnMut(&Expression<'_>) -> Result<Marked, E>,
) -> Result<Marked, E> {
    Expression::template(text).map_or_else(|_| Ok(Marked::unknown(Type::Dynamic)), |it| evaluate(&it))
}
