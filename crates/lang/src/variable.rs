//! Input variables: their declarations, and the values that they accept.
//!
//! ```
//! use ferroform_lang::variable::Variable;
//!
//! let it = Variable::declare(Some("list(number)"), "default = [80]")?;
//! assert_eq!(it.show(None)?, "tolist([\n  80,\n])");
//! let given = it.read_text("[\"443\"]")?;
//! assert_eq!(it.show(Some(given))?, "tolist([\n  443,\n])");
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```
//!
//! # Differences from Terraform
//!
//! `validation` blocks are rejected: their conditions are expressions of a whole configuration, for which there is
//! [`body`](crate::body).
//!
//! The argument `deprecated` is accepted, as in newer versions.

use ferroform_value::convert::convert;
use ferroform_value::{Error, Type, Typed, Value, json};

use crate::body::Expression;
use crate::console;
use crate::diagnostic::{Errors, Mistake, settle};
pub use crate::expression::Given;
use crate::expression::{self, constant};
use crate::syntax::{Expr, ExprKind};
use crate::type_constraint::{Constraint, Reading, read_expr};

/// A declared input variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The type constraint of its values.
    pub constraint: Constraint,
    /// The value of the variable if none is set; of the constraint's type.
    pub default: Option<Typed>,
    /// Whether it may be null. Where it may not, a null stands for the default.
    pub nullable: bool,
    /// Whether its value is redacted in output.
    pub sensitive: bool,
    /// Whether its value must not be stored in state or plan.
    pub ephemeral: bool,
    /// Whether text from outside is the value itself rather than an expression.
    literal: bool,
}

impl Variable {
    /// A variable from the text of its `type` argument, where there is one, and the text of the other
    /// arguments of its block.
    ///
    /// # Errors
    ///
    /// Where the type is none, an argument is unknown or of another type, or the default does not fit.
    pub fn declare(ty: Option<&str>, arguments: &str) -> Result<Variable, Errors> {
        let constraint = ty.map(constraint_from_text).transpose()?;
        Variable::assemble(constraint, expression::arguments(arguments)?, arguments)
    }

    /// A variable of a constraint, where there is one, and the other arguments of its block: `text` is what
    /// their places are in.
    ///
    /// # Errors
    ///
    /// Where an argument is unknown or of another type, or the default does not fit.
    pub fn assemble(
        constraint: Option<Constraint>,
        given: Vec<Given>,
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
        let mut mistakes = Vec::new();
        for given in given {
            let flag = match &*given.name {
                "default" => {
                    default = Some(given);
                    continue;
                }
                "nullable" => &mut it.nullable,
                "sensitive" => &mut it.sensitive,
                "ephemeral" => &mut it.ephemeral,
                "description" | "deprecated" => {
                    mistakes.extend(converted(given, &Type::String).err());
                    continue;
                }
                name => {
                    let why = format!("An argument named {name:?} is not expected in a variable block.");
                    mistakes.push(Mistake::new("Unsupported argument", given.name_at, why));
                    continue;
                }
            };
            match converted(given, &Type::Bool) {
                Ok(value) => *flag = value == Value::Bool(true),
                Err(e) => mistakes.push(e),
            }
        }
        if let Some(given) = default {
            let default = it.constraint.fit(given.value).and_then(|default| {
                if default.value == Value::Null && !it.nullable {
                    return Err(Error::null());
                }
                Ok(default)
            });
            match default {
                Ok(default) => it.default = Some(default),
                Err(e) => mistakes.push(Mistake::value(
                    "Invalid default value for variable",
                    given.value_at,
                    "The default value is not compatible with the variable's type constraint",
                    &e,
                )),
            }
        }
        settle(text, it, mistakes)
    }

    /// Puts another declaration's arguments, those of these names, in place of this one's.
    ///
    /// # Errors
    ///
    /// Where the default does not fit then.
    pub fn override_with(&mut self, other: Variable, given: &[&str]) -> Result<(), Error> {
        let has = |name: &str| given.contains(&name);
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

    /// Reads what the environment or the command line gives: for `string`, `number`, `bool` and a variable
    /// without a type, the text itself; for every other type, an expression.
    ///
    /// # Errors
    ///
    /// Where the text is no constant expression.
    pub fn read_text(&self, text: &str) -> Result<Typed, Errors> {
        if self.literal { Ok(Typed::new(Type::String, Value::string(text))) } else { constant(text) }
    }

    /// Reads a value as it stands in a variables file in JSON. Strings are taken as they are, without
    /// templates.
    ///
    /// # Errors
    ///
    /// Where the text is not JSON.
    pub fn read_json(&self, text: &str) -> Result<Typed, Errors> {
        json::decode_simple(text.as_bytes())
            .and_then(|it| Typed::resolve(it, &Type::Dynamic))
            .map_err(|e| Errors::whole(text, "Invalid JSON", format!("The string is not valid JSON: {e}.")))
    }

    /// Makes what is given a value of the variable: the default where nothing is, or null must not be; the
    /// constraint's defaults put in; converted.
    ///
    /// # Errors
    ///
    /// Where there is neither a value nor a default, or the value does not fit.
    pub fn accept(&self, given: Option<Typed>) -> Result<Typed, Errors> {
        let missing = || {
            Errors::missing_value("Required variable not set", "The variable has no value and no default.")
        };
        let Some(given) = given else {
            return self.default.clone().ok_or_else(missing);
        };
        let it = self.constraint.fit(given).map_err(|e| {
            let what = "The value is not compatible with the variable's type constraint";
            Errors::value("", "Invalid value for input variable", what, &e)
        })?;
        if it.value == Value::Null && !self.nullable {
            return self.default.clone().ok_or_else(missing);
        }
        Ok(it)
    }

    /// What the console prints for the variable. One that has no value is not known there.
    ///
    /// # Errors
    ///
    /// Where the value does not fit.
    pub fn show(&self, given: Option<Typed>) -> Result<String, Errors> {
        let it = if given.is_none() && self.default.is_none() {
            Typed::new(self.constraint.ty.without_optional(), Value::UNKNOWN)
        } else {
            self.accept(given)?
        };
        Ok(match (self.sensitive, self.ephemeral) {
            _ if it.value.is_unknown() => console::show(&it),
            (true, _) => console::SENSITIVE.into(),
            (_, true) => console::EPHEMERAL.into(),
            _ => console::show(&it),
        })
    }
}

/// Whether text from outside is the value itself, for a variable of the constraint.
fn is_literal(constraint: Option<&Constraint>) -> bool {
    matches!(constraint.map(|it| &it.ty), None | Some(Type::Bool | Type::Number | Type::String))
}

/// An argument that has a meaning of its own, and hence a type.
fn converted(given: Given, ty: &Type) -> Result<Value, Mistake> {
    let wrong = |e: &Error| {
        let what = "The value of this argument is not suitable";
        Mistake::value("Unsuitable value type", given.value_at.clone(), what, e)
    };
    let it = convert(given.value.value, &given.value.ty, ty).map_err(|e| wrong(&e))?;
    if it.value == Value::Null {
        return Err(wrong(&Error::null()));
    }
    Ok(it.value)
}

/// A variable's `type`. Before there were type expressions one wrote `"string"`, `list` and `map`; the latter
/// two are still taken.
///
/// # Errors
///
/// Where it is no type.
pub fn constraint_from_text(text: &str) -> Result<Constraint, Errors> {
    constraint(&Expression::parse(text)?)
}

/// The same of an expression in a larger text.
///
/// # Errors
///
/// Where it is no type.
pub fn constraint(it: &Expression<'_>) -> Result<Constraint, Errors> {
    let (text, it) = it.raw();
    match &it.kind {
        ExprKind::Variable("list") => Ok(Type::list(Type::Dynamic).into()),
        ExprKind::Variable("map") => Ok(Type::map(Type::Dynamic).into()),
        ExprKind::Template(_) if !it.is_wrapped() => Err(legacy(text, it).into_errors(text)),
        _ => read_expr(text, it, Reading::Defaults),
    }
}

fn legacy(text: &str, it: &Expr<'_>) -> Mistake {
    let quoted = &text[it.at.clone()];
    let (summary, instead) = match quoted.trim_matches('"') {
        "string" => ("Invalid quoted type constraints", "string"),
        "list" => ("Invalid quoted type constraints", "list(string)"),
        "map" => ("Invalid quoted type constraints", "map(string)"),
        _ => ("Invalid legacy variable type hint", "the type"),
    };
    let why = format!("Type constraints are not quoted: write {instead} instead of {quoted}.");
    Mistake::new(summary, it.at.clone(), why)
}
