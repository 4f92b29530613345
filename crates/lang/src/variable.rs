//! Input variables: their declarations, and the values that they accept.
//!
//! ```
//! use ferroform_lang::variable::Variable;
//!
//! let ports = Variable::declare(Some("list(number)"), "default = [80]")?;
//! assert_eq!(ports.show(None)?, "tolist([\n  80,\n])");
//! let value = ports.read_text("[\"443\"]")?;
//! assert_eq!(ports.show(Some(value))?, "tolist([\n  443,\n])");
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```
//!
//! # Differences from Terraform
//!
//! `validation` blocks are rejected, because their conditions refer to the whole configuration. The module
//! [`body`](crate::body) parses and evaluates them.
//!
//! The arguments `deprecated` and `const` are accepted, as in later versions.

use ferroform_value::convert::convert;
use ferroform_value::{Error, Type, Typed, Value, json};

use crate::body::Expression;
use crate::console;
use crate::diagnostic::{Errors, SourceError, result_or_errors};
pub use crate::expression::EvaluatedArgument;
use crate::expression::{self, constant};
use crate::syntax::{Expr, ExprKind};
use crate::type_constraint::{Constraint, Reading, read_expr};

/// The declaration of an input variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The type constraint of the values.
    pub constraint: Constraint,
    /// The default, converted to the type of the constraint.
    pub default: Option<Typed>,
    /// True if the value can be null. Otherwise the default replaces null.
    pub nullable: bool,
    /// True if the value is redacted in output.
    pub sensitive: bool,
    /// True if the value is not stored in state or plan.
    pub ephemeral: bool,
    /// True if a value from the environment or the command line is a string, false if it is an expression.
    literal: bool,
}

impl Variable {
    /// Creates a variable from the source of its `type` argument, if it has one, and the source of its other arguments.
    ///
    /// # Errors
    ///
    /// Returns the errors of the type and of the arguments, or an error if the default does not convert to the type.
    pub fn declare(ty: Option<&str>, arguments: &str) -> Result<Variable, Errors> {
        let constraint = ty.map(constraint_from_text).transpose()?;
        Variable::assemble(constraint, expression::arguments(arguments)?, arguments)
    }

    /// Creates a variable from its constraint, if it has one, and its other arguments, whose positions refer to `text`.
    ///
    /// # Errors
    ///
    /// Returns the errors of the arguments, or an error if the default does not convert to the type.
    pub fn assemble(
        constraint: Option<Constraint>,
        arguments: Vec<EvaluatedArgument>,
        text: &str,
    ) -> Result<Variable, Errors> {
        let literal = is_literal(constraint.as_ref());
        let mut it = Variable {
            constraint: constraint.unwrap_or_default(),
            default: None,
            nullable: true,
            sensitive: false,
            ephemeral: false,
            literal,
        };
        let mut default = None;
        let (mut is_const, mut const_at) = (false, 0..0);
        let mut errors = Vec::new();
        for argument in arguments {
            let flag = match &*argument.name {
                "default" => {
                    default = Some(argument);
                    continue;
                }
                "nullable" => &mut it.nullable,
                "sensitive" => &mut it.sensitive,
                "ephemeral" => &mut it.ephemeral,
                // Terraform 1.15 evaluates a constant variable earlier. Its value is the same.
                "const" => &mut is_const,
                "description" | "deprecated" => {
                    errors.extend(converted(argument, &Type::String).err());
                    continue;
                }
                name => {
                    let detail = format!("An argument named {name:?} is not expected in a variable block.");
                    errors.push(SourceError::new("Unsupported argument", argument.name_at, detail));
                    continue;
                }
            };
            if &*argument.name == "const" {
                const_at = argument.name_at.clone();
            }
            match converted(argument, &Type::Bool) {
                Ok(value) => *flag = value == Value::Bool(true),
                Err(e) => errors.push(e),
            }
        }
        if is_const && (it.sensitive || it.ephemeral) {
            let detail = "A constant variable can be neither sensitive nor ephemeral.";
            errors.push(SourceError::new("Invalid constant variable", const_at, detail));
        }
        if let Some(argument) = default {
            let default = it.constraint.fit(argument.value).and_then(|default| {
                if default.value == Value::Null && !it.nullable {
                    return Err(Error::null());
                }
                Ok(default)
            });
            match default {
                Ok(default) => it.default = Some(default),
                Err(e) => errors.push(SourceError::value(
                    "Invalid default value for variable",
                    argument.value_at,
                    "The default value is not compatible with the variable's type constraint",
                    &e,
                )),
            }
        }
        result_or_errors(text, it, errors)
    }

    /// Replaces the arguments with these names with those of another declaration, as an override file does.
    ///
    /// # Errors
    ///
    /// Returns an error if the default does not convert to the type afterwards.
    pub fn override_with(&mut self, other: Variable, names: &[&str]) -> Result<(), Error> {
        let has = |name: &str| names.contains(&name);
        if has("nullable") {
            self.nullable = other.nullable;
        }
        if has("sensitive") {
            self.sensitive = other.sensitive;
        }
        if has("ephemeral") {
            self.ephemeral = other.ephemeral;
        }
        if has("type") {
            self.constraint = other.constraint;
            self.literal = other.literal;
        }
        if has("default") {
            self.default = other.default;
        }
        if let Some(it) = self.default.take() {
            let it = self.constraint.fit(it)?;
            if it.value == Value::Null && !self.nullable {
                return Err(Error::null());
            }
            self.default = Some(it);
        }
        Ok(())
    }

    /// Parses a value from the environment or the command line. If the type is `string`, `number`, `bool` or not
    /// declared, the value is a string. For every other type it is an expression.
    ///
    /// # Errors
    ///
    /// Returns an error if the string is not a constant expression.
    ///
    /// ```
    /// use ferroform_lang::variable::Variable;
    ///
    /// let list = Variable::declare(Some("list(number)"), "")?;
    /// assert_eq!(list.show(Some(list.read_text("[1, 2]")?))?, "tolist([\n  1,\n  2,\n])");
    /// let string = Variable::declare(Some("string"), "")?;
    /// assert_eq!(string.show(Some(string.read_text("[1, 2]")?))?, "\"[1, 2]\"");
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn read_text(&self, text: &str) -> Result<Typed, Errors> {
        if self.literal { Ok(Typed::new(Type::String, Value::string(text))) } else { constant(text) }
    }

    /// Parses a value in a `.tfvars.json` file. Strings are not templates.
    ///
    /// # Errors
    ///
    /// Returns an error if the string is not JSON.
    pub fn read_json(&self, text: &str) -> Result<Typed, Errors> {
        json::decode_simple(text.as_bytes())
            .and_then(|it| Typed::resolve(it, &Type::Dynamic))
            .map_err(|e| Errors::whole(text, "Invalid JSON", format!("The string is not valid JSON: {e}.")))
    }

    /// Converts an assigned value to the type of the variable, after the defaults of optional attributes are applied.
    /// The default of the variable replaces a missing value, and null if the variable is not nullable.
    ///
    /// # Errors
    ///
    /// Returns an error if there is neither a value nor a default, or if the value does not convert.
    ///
    /// ```
    /// use ferroform_lang::expression;
    /// use ferroform_lang::variable::Variable;
    ///
    /// let size = Variable::declare(Some("number"), "default = 1\nnullable = false")?;
    /// assert_eq!(size.accept(Some(expression::constant("null")?))?.value, 1.into());
    /// assert!(size.accept(Some(expression::constant("[]")?)).is_err());
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn accept(&self, value: Option<Typed>) -> Result<Typed, Errors> {
        let Some(value) = value else {
            return self.default.clone().ok_or_else(missing_value);
        };
        let it = self.constraint.fit(value).map_err(|e| {
            let context = "The value is not compatible with the variable's type constraint";
            Errors::value("", "Invalid value for input variable", context, &e)
        })?;
        self.accept_fitted(it)
    }

    /// Returns a value that has the type of the variable. The default replaces null if the variable is not nullable.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is null, the variable is not nullable, and there is no default.
    pub fn accept_fitted(&self, it: Typed) -> Result<Typed, Errors> {
        if it.value == Value::Null && !self.nullable {
            return self.default.clone().ok_or_else(missing_value);
        }
        Ok(it)
    }

    /// Returns the value as the console prints it. A variable without a value is unknown in the console.
    ///
    /// # Errors
    ///
    /// Returns an error if the value does not convert.
    pub fn show(&self, value: Option<Typed>) -> Result<String, Errors> {
        let it = if value.is_none() && self.default.is_none() {
            Typed::new(self.constraint.ty.without_optional(), Value::UNKNOWN)
        } else {
            self.accept(value)?
        };
        Ok(match (self.sensitive, self.ephemeral) {
            _ if it.value.is_unknown() => console::show(&it),
            (true, _) => console::SENSITIVE.into(),
            (_, true) => console::EPHEMERAL.into(),
            _ => console::show(&it),
        })
    }
}

fn missing_value() -> Errors {
    Errors::missing_value("Required variable not set", "The variable has no value and no default.")
}

/// Returns true if a value from the environment or the command line is a string.
fn is_literal(constraint: Option<&Constraint>) -> bool {
    matches!(constraint.map(|it| &it.ty), None | Some(Type::Bool | Type::Number | Type::String))
}

/// Converts an argument to its type.
fn converted(argument: EvaluatedArgument, ty: &Type) -> Result<Value, SourceError> {
    let unsuitable = |e: &Error| {
        let context = "The value of this argument is not suitable";
        SourceError::value("Unsuitable value type", argument.value_at.clone(), context, e)
    };
    let it = convert(argument.value.value, &argument.value.ty, ty).map_err(|e| unsuitable(&e))?;
    if it.value == Value::Null {
        return Err(unsuitable(&Error::null()));
    }
    Ok(it.value)
}

/// Parses the `type` argument of a variable. The forms `list` and `map` of early versions are still accepted.
///
/// # Errors
///
/// Returns all errors of the constraint.
pub fn constraint_from_text(text: &str) -> Result<Constraint, Errors> {
    constraint(&Expression::parse(text)?)
}

/// Parses the `type` argument of a variable from a parsed expression.
///
/// # Errors
///
/// Returns all errors of the constraint.
pub fn constraint(it: &Expression<'_>) -> Result<Constraint, Errors> {
    let (text, it) = it.raw();
    match &it.kind {
        ExprKind::Variable("list") => Ok(Type::list(Type::Dynamic).into()),
        ExprKind::Variable("map") => Ok(Type::map(Type::Dynamic).into()),
        ExprKind::Template(_) if !it.is_wrapped() => Err(legacy(text, it).into_errors(text)),
        _ => read_expr(text, it, Reading::Defaults),
    }
}

fn legacy(text: &str, it: &Expr<'_>) -> SourceError {
    let quoted = &text[it.at.clone()];
    let (summary, instead) = match quoted.trim_matches('"') {
        "string" => ("Invalid quoted type constraints", "string"),
        "list" => ("Invalid quoted type constraints", "list(string)"),
        "map" => ("Invalid quoted type constraints", "map(string)"),
        _ => ("Invalid legacy variable type hint", "the type"),
    };
    let detail = format!("Type constraints are not quoted: write {instead} instead of {quoted}.");
    SourceError::new(summary, it.at.clone(), detail)
}
