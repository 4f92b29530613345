//! The evaluation of expressions.
//!
//! An evaluation has a budget of steps and bytes, because a short expression can create a large value. After an error
//! in an operand, the evaluation continues with an unknown value of the type that the operand would have without the
//! error. Terraform does the same, and its errors depend on these types.
//!
//! ```
//! use ferroform_lang::expression;
//!
//! let errors = expression::constant("true ? [1, 1 + \"x\"] : {}").unwrap_err();
//! // The first result has the type of a tuple, although one of its elements has an error.
//! assert_eq!(errors.first().summary(), "Inconsistent conditional result types");
//! ```

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use super::logical::{LogicalOperators, logical};
use super::variables::Variables;
use crate::diagnostic::{Range, Reason, SourceError};
use crate::functions::Patterns;
use crate::syntax::{Binary, Expr, ExprKind, For, Names, Part, Unary};
use ferroform_value::convert::{Mode, convert};
use ferroform_value::{Error, NfcString, Number, Type, Typed, Value, unify};

pub(crate) type Outcome<T> = Result<T, SourceError>;

/// The number of steps and bytes in addition to the length of the text. Nested `for` expressions can multiply them.
const MAX_WORK: usize = 1_000_000;

/// The names and functions that an expression can refer to, and the remaining steps.
pub(crate) struct Scope<'a> {
    /// True if functions can be called.
    pub(crate) functions: bool,
    pub(crate) names: Vec<(&'a str, Typed)>,
    /// The values of `var.…` and `local.…`, if the expression can refer to them.
    pub(crate) variables: Option<&'a Variables>,
    pub(crate) logical_operators: LogicalOperators,
    remaining: usize,
    patterns: Patterns,
}

/// Creates the error of an operation on several values.
pub(super) fn failed(at: &Range, detail: impl Display) -> SourceError {
    SourceError::new("Operation failed", at.clone(), format!("The operation failed: {detail}."))
}

impl<'a> Scope<'a> {
    pub(crate) fn new(text: &str, functions: bool) -> Scope<'a> {
        Scope {
            functions,
            names: Vec::new(),
            variables: None,
            logical_operators: LogicalOperators::default(),
            remaining: MAX_WORK + text.len(),
            patterns: Patterns::default(),
        }
    }

    pub(crate) fn with_variables(
        mut self,
        variables: &'a Variables,
        logical_operators: LogicalOperators,
    ) -> Scope<'a> {
        self.variables = Some(variables);
        self.logical_operators = logical_operators;
        self
    }

    /// Returns the remaining steps and the compiled regular expressions.
    pub(crate) fn resources(&mut self) -> (&mut usize, &mut Patterns) {
        (&mut self.remaining, &mut self.patterns)
    }

    /// Subtracts from the remaining steps, and returns an error if none remain.
    pub(crate) fn spend(&mut self, work: usize, at: &Range) -> Outcome<()> {
        if let Some(remaining) = self.remaining.checked_sub(work) {
            self.remaining = remaining;
            return Ok(());
        }
        self.remaining = 0;
        Err(SourceError::undetermined(
            "Expression too large",
            at.clone(),
            "The value of this expression is too large.",
            Reason::Uncertain,
        ))
    }

    /// Evaluates an expression. This function calls itself for nested expressions, so it uses little stack space.
    pub(crate) fn eval(&mut self, it: &Expr<'a>) -> Outcome<Typed> {
        self.spend(1, &it.at)?;
        match &it.kind {
            ExprKind::Null => Ok(Typed::new(Type::Dynamic, Value::Null)),
            ExprKind::Bool(it) => Ok(Typed::new(Type::Bool, Value::Bool(*it))),
            ExprKind::Number(it) => Ok(Typed::new(Type::Number, Value::Number(it.clone()))),
            ExprKind::Template(parts) => self.template(parts, &it.at),
            ExprKind::Variable(name) => self.variable(name, &it.at),
            ExprKind::Steps(of, steps) => self.steps(of, steps),
            ExprKind::Call(call) => self.call(call, &it.at),
            ExprKind::Tuple(elements) => self.tuple(elements),
            ExprKind::Object(items) => self.object(items.pairs()),
            ExprKind::For(each) => self.for_each(each),
            ExprKind::Parens(it) => self.eval(it),
            ExprKind::Unary(operator, of) => {
                self.unary(*operator, of, &it.at).map_err(|e| e.with_type(operator.ty()))
            }
            ExprKind::Binary(first, rest) => {
                let ty = rest.last().map_or(Type::Dynamic, |(it, _)| it.ty());
                self.binary(first, rest, &it.at).map_err(|e| e.with_type(ty))
            }
            ExprKind::Conditional(branches) => self.conditional(branches, &it.at),
        }
    }

    #[inline(never)]
    fn variable(&mut self, name: &str, at: &Range) -> Outcome<Typed> {
        let found = self.names.iter().rev().find(|(it, _)| *it == name);
        let found = found.map(|(_, it)| it.clone()).ok_or_else(|| {
            let detail =
                format!("Only constant values are allowed here; the variable {name:?} cannot be used.");
            if self.variables.is_none() {
                return SourceError::new("Variables not allowed", at.clone(), detail);
            }
            let reason = Reason::Reference(name.to_owned());
            SourceError::undetermined("Unsupported reference", at.clone(), detail, reason)
        })?;
        self.spend(value_size(&found.value), at)?;
        Ok(found)
    }

    /// Evaluates a subexpression. After an error, returns an unknown value of the type that the subexpression would
    /// have without the error. Only the first error is kept.
    pub(crate) fn attempt(&mut self, it: &Expr<'a>, first_error: &mut Option<SourceError>) -> Typed {
        self.eval(it).unwrap_or_else(|e| {
            let ty = e.ty().cloned();
            let first = first_error.take().unwrap_or(e);
            *first_error = Some(if ty.is_none() { first.with_type(None) } else { first });
            Typed::new(ty.unwrap_or(Type::Dynamic), Value::UNKNOWN)
        })
    }

    #[inline(never)]
    fn tuple(&mut self, elements: &[Expr<'a>]) -> Outcome<Typed> {
        let mut first_error = None;
        let mut types = Vec::with_capacity(elements.len());
        let mut values = Vec::with_capacity(elements.len());
        for it in elements {
            let it = self.attempt(it, &mut first_error);
            types.push(it.ty);
            values.push(it.value);
        }
        value_or_error(first_error, Typed::new(Type::tuple(types), Value::Tuple(values)))
    }

    #[inline(never)]
    fn object(&mut self, items: &[[Expr<'a>; 2]]) -> Outcome<Typed> {
        let mut first_error = None;
        let mut attributes = BTreeMap::new();
        for [key, value] in items {
            let name = match &key.kind {
                ExprKind::Variable(name) => Ok(NfcString::new(name).into()),
                ExprKind::Null => Ok("null".into()),
                ExprKind::Bool(it) => Ok(it.to_string().into()),
                ExprKind::Steps(..) => {
                    let detail = "A computed key must be enclosed in parentheses.";
                    Err(SourceError::new("Ambiguous attribute key", key.at.clone(), detail))
                }
                _ => self.key(key),
            };
            // If an attribute name has an error, the type of the object is unknown.
            let name = name.map_err(|e| first_error.take().unwrap_or(e).with_type(Type::Dynamic))?;
            attributes.insert(name, self.attempt(value, &mut first_error));
        }
        value_or_error(first_error, Typed::object(attributes))
    }

    fn key(&mut self, key: &Expr<'a>) -> Outcome<Arc<str>> {
        let it = self.eval(key)?;
        match to_known_string(it) {
            Ok(Some(it)) => Ok(it.into()),
            Ok(None) => Err(SourceError::new(
                "Null value as key",
                key.at.clone(),
                "A null value cannot be used as a key.",
            )),
            Err(e) => Err(SourceError::new(
                "Incorrect key type",
                key.at.clone(),
                format!("The value cannot be used as a key: {e}."),
            )),
        }
    }

    #[inline(never)]
    fn template(&mut self, parts: &[Part<'a>], at: &Range) -> Outcome<Typed> {
        match parts {
            [Part::Value(it)] => self.eval(it),
            parts => {
                let mut out = String::new();
                self.parts(&mut out, parts, at).map_err(|e| e.with_type(Type::String))?;
                Ok(Typed::new(Type::String, Value::string(out)))
            }
        }
    }

    fn parts(&mut self, out: &mut String, parts: &[Part<'a>], at: &Range) -> Outcome<()> {
        for part in parts {
            match part {
                Part::Literal(it) => {
                    // A `for` directive can evaluate this literal many times.
                    self.spend(it.len(), at)?;
                    out.push_str(it);
                }
                Part::Value(it) => {
                    let invalid = |detail| {
                        SourceError::new("Invalid template interpolation value", it.at.clone(), detail)
                    };
                    match to_known_string(self.eval(it)?) {
                        Ok(Some(text)) => {
                            self.spend(text.len(), &it.at)?;
                            out.push_str(&text);
                        }
                        Ok(None) => {
                            return Err(invalid(
                                "A null value cannot be used in a string template.".to_owned(),
                            ));
                        }
                        Err(e) => {
                            return Err(invalid(format!(
                                "The value cannot be used in a string template: {e}."
                            )));
                        }
                    }
                }
                Part::If(condition, then, otherwise) => {
                    let branch = if self.condition(condition)? { then } else { otherwise };
                    self.parts(out, branch, at)?;
                }
                Part::For(names, of, body) => {
                    for (key, value) in self.entries(of)? {
                        self.with(*names, key, value, |it| it.parts(out, body, at))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the keys and values of the collection of a `for` expression.
    pub(super) fn entries(&mut self, of: &Expr<'a>) -> Outcome<Vec<(Typed, Typed)>> {
        let it = self.eval(of).map_err(|e| match e.ty() {
            // The result depends on the valid elements, which are not available after an error.
            None | Some(Type::Tuple(_) | Type::Object(_)) => e.with_type(None),
            _ => e.with_type(Type::Dynamic),
        })?;
        self.spend(value_size(&it.value), &of.at)?;
        if it.value == Value::Null {
            let detail = "A null value cannot be iterated over.";
            return Err(SourceError::new("Iteration over null value", of.at.clone(), detail));
        }
        let is_set = matches!(it.ty, Type::Set(_));
        let kind = it.ty.kind();
        let number = |i: usize| Typed::new(Type::Number, Value::Number(i.into()));
        let name = |it: Arc<str>| Typed::new(Type::String, Value::String(it.into()));
        let it = match it.into_elements() {
            Ok(it) if is_set => return Ok(it.into_iter().map(|it| (it.clone(), it)).collect()),
            Ok(it) => {
                return Ok(it.into_iter().enumerate().map(|(i, it)| (number(i), it)).collect());
            }
            Err(it) => it.into_entries(),
        };
        let it = it.map_err(|_| {
            let detail = format!("A collection is required for iteration, but got {}.", kind);
            SourceError::new("Iteration over non-iterable value", of.at.clone(), detail)
        })?;
        Ok(it.into_iter().map(|(key, it)| (name(key), it)).collect())
    }

    pub(super) fn with<T>(
        &mut self,
        names: Names<'a>,
        key: Typed,
        value: Typed,
        inner: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let before = self.names.len();
        self.names.extend(names.key.map(|it| (it, key)));
        self.names.push((names.value, value));
        let it = inner(self);
        self.names.truncate(before);
        it
    }

    #[inline(never)]
    fn for_each(&mut self, each: &For<'a>) -> Outcome<Typed> {
        let mut first_error = None;
        let mut elements = Vec::new();
        let mut attributes: BTreeMap<Arc<str>, Vec<Typed>> = BTreeMap::new();
        for (key, value) in self.entries(&each.of)? {
            let item = self.with(each.names, key, value, |it| {
                if !each.condition.as_ref().map_or(Ok(true), |condition| it.condition(condition))? {
                    return Ok(None);
                }
                let key = each.key.as_ref().map(|key| it.key(key)).transpose()?;
                Ok(Some((key, it.attempt(&each.value, &mut first_error))))
            });
            // After this error, the number of elements and their keys are unknown.
            let item = item.map_err(|e: SourceError| {
                let ty = if e.is_template_error() { None } else { Some(Type::Dynamic) };
                first_error.take().unwrap_or(e).with_type(ty)
            })?;
            match item {
                None => {}
                Some((None, value)) => elements.push(value),
                Some((Some(key), value)) => {
                    let before = attributes.entry(key).or_default();
                    if before.is_empty() || each.group {
                        before.push(value);
                        continue;
                    }
                    let at = each.key.as_ref().map_or(0..0, |it| it.at.clone());
                    let detail = "Two elements produce the same key. Add ... after the value expression to group values by key.";
                    first_error.get_or_insert_with(|| SourceError::new("Duplicate object key", at, detail));
                }
            }
        }
        let result = if each.key.is_none() {
            Typed::tuple(elements)
        } else if each.group {
            Typed::object(attributes.into_iter().map(|(key, it)| (key, Typed::tuple(it))))
        } else {
            let single = |(key, it): (Arc<str>, Vec<Typed>)| Some((key, it.into_iter().next()?));
            Typed::object(attributes.into_iter().filter_map(single))
        };
        value_or_error(first_error, result)
    }

    #[inline(never)]
    fn unary(&mut self, operator: Unary, of: &Expr<'a>, at: &Range) -> Outcome<Typed> {
        let it = self.eval(of)?;
        Ok(match operator {
            Unary::Negate => {
                Typed::new(Type::Number, Value::Number(operand_number(it, &of.at, at)?.negate()))
            }
            Unary::Not => Typed::new(Type::Bool, Value::Bool(!operand_bool(it, &of.at, at)?)),
        })
    }

    #[inline(never)]
    fn binary(&mut self, first: &Expr<'a>, rest: &[(Binary, Expr<'a>)], at: &Range) -> Outcome<Typed> {
        let mut left = self.eval(first);
        let mut left_at = first.at.clone();
        for (operator, right) in rest {
            left = match operator {
                Binary::And | Binary::Or => {
                    let operands = (left, &left_at, self.eval(right), &right.at);
                    logical(self.logical_operators, *operator, operands, at)
                }
                _ => {
                    let left = left?;
                    binary(*operator, (left, &left_at), (self.eval(right)?, &right.at), at)
                }
            };
            left_at.end = right.at.end;
        }
        left
    }

    fn condition(&mut self, condition: &Expr<'a>) -> Outcome<bool> {
        let it = self.eval(condition)?;
        match convert(it.value, &it.ty, &Type::Bool).map(|it| it.value) {
            Ok(Value::Bool(it)) => Ok(it),
            Ok(_) => Err(SourceError::new(
                "Null condition",
                condition.at.clone(),
                "The condition must not be null.",
            )),
            Err(e) => {
                let detail = format!("The condition is not suitable: {e}.");
                Err(SourceError::new("Incorrect condition type", condition.at.clone(), detail))
            }
        }
    }

    /// Evaluates a conditional expression. As in Terraform, both results are evaluated and must have a common type
    /// before the condition is evaluated. An error in the result that is not selected is ignored, but its type
    /// affects the common type.
    #[inline(never)]
    fn conditional(&mut self, branches: &[Expr<'a>; 3], at: &Range) -> Outcome<Typed> {
        let [condition, then, otherwise] = branches;
        let (mut then_wrong, mut otherwise_wrong) = (None, None);
        let (then_at, otherwise_at) = (&then.at, &otherwise.at);
        let then = self.attempt(then, &mut then_wrong);
        let otherwise = self.attempt(otherwise, &mut otherwise_wrong);
        for wrong in [&mut then_wrong, &mut otherwise_wrong] {
            if wrong.as_ref().is_some_and(|it| it.ty().is_none())
                && let Some(e) = wrong.take()
            {
                return Err(e.into_undetermined());
            }
        }
        let untyped = |it: &Typed| it.ty == Type::Dynamic && it.value == Value::Null;
        let dynamic = |it: &Typed| it.ty == Type::Dynamic && it.value.is_unknown();
        let ty = if untyped(&then) {
            otherwise.ty.clone()
        } else if untyped(&otherwise) {
            then.ty.clone()
        } else if dynamic(&then) || dynamic(&otherwise) {
            Type::Dynamic
        } else {
            let types = [then.ty.clone(), otherwise.ty.clone()];
            let common = unify(&types, Mode::Unsafe);
            // Terraform converts these types through a map or a list of any type, which can succeed.
            if let (None, [collection, of @ (Type::Object(_) | Type::Tuple(_))])
            | (None, [of @ (Type::Object(_) | Type::Tuple(_)), collection]) = (&common, &types)
                && matches!(collection, Type::Map(_) | Type::List(_))
                && of.has_dynamic()
            {
                let detail = "The type of this conditional expression cannot be determined.";
                let summary = "Inconsistent conditional result types";
                return Err(SourceError::undetermined(summary, at.clone(), detail, Reason::Uncertain));
            }
            common.map(|it| it.ty).ok_or_else(|| {
                let detail = "The true and false results of a conditional must have a common type.";
                SourceError::new("Inconsistent conditional result types", at.clone(), detail)
            })?
        };
        let (it, first_error, result_at) = match self.condition(condition) {
            Ok(true) => (then, then_wrong, then_at),
            Ok(false) => (otherwise, otherwise_wrong, otherwise_at),
            Err(e) => return Err(e.with_type(ty)),
        };
        let result = convert(it.value, &it.ty, &ty).map_err(|e| failed(result_at, e).with_type(ty))?;
        value_or_error(first_error, result)
    }
}

/// Returns the value if there is no error; otherwise the error with the type of the value.
pub(crate) fn value_or_error(error: Option<SourceError>, value: Typed) -> Outcome<Typed> {
    match error {
        None => Ok(value),
        Some(e) if e.ty().is_none() => Err(e),
        Some(e) => Err(e.with_type(value.ty)),
    }
}

/// Returns the size of a value, in elements and bytes.
pub(crate) fn value_size(it: &Value) -> usize {
    match it.without_type() {
        Value::String(it) => 1 + it.len(),
        Value::Object(it) => 1 + it.values().map(value_size).sum::<usize>(),
        it => 1 + it.elements().map(value_size).sum::<usize>(),
    }
}

/// Converts a value to a string; `None` for null.
pub(crate) fn to_known_string(it: Typed) -> Result<Option<NfcString>, Error> {
    Ok(match convert(it.value, &it.ty, &Type::String)?.value {
        Value::String(it) => Some(it),
        _ => None,
    })
}

/// Converts an operand to a type and extracts its known value.
fn operand<T>(it: Typed, ty: &Type, known: fn(Value) -> Option<T>, at: &Range, whole: &Range) -> Outcome<T> {
    let it = convert(it.value, &it.ty, ty).map_err(|e| {
        SourceError::new("Invalid operand", at.clone(), format!("The operand is not suitable: {e}."))
    })?;
    known(it.value).ok_or_else(|| failed(whole, "an operand is null"))
}

fn operand_number(it: Typed, at: &Range, whole: &Range) -> Outcome<Number> {
    let known = |it| if let Value::Number(it) = it { Some(it) } else { None };
    operand(it, &Type::Number, known, at, whole)
}

fn operand_bool(it: Typed, at: &Range, whole: &Range) -> Outcome<bool> {
    let known = |it| if let Value::Bool(it) = it { Some(it) } else { None };
    operand(it, &Type::Bool, known, at, whole)
}

fn binary(operator: Binary, left: (Typed, &Range), right: (Typed, &Range), at: &Range) -> Outcome<Typed> {
    let bool = |it| Ok(Typed::new(Type::Bool, Value::Bool(it)));
    match operator {
        Binary::Equal | Binary::NotEqual => {
            let null = |it: &Typed| it.value == Value::Null;
            let (a, b) = (left.0, right.0);
            let is_equal = null(&a) && null(&b) || a == b;
            return bool(is_equal == (operator == Binary::Equal));
        }
        _ => {}
    }
    let a = operand_number(left.0, left.1, at)?;
    let b = operand_number(right.0, right.1, at)?;
    let order = a.compare(&b);
    let result = match operator {
        Binary::Less => return bool(order.is_lt()),
        Binary::LessOrEqual => return bool(order.is_le()),
        Binary::Greater => return bool(order.is_gt()),
        Binary::GreaterOrEqual => return bool(order.is_ge()),
        Binary::Add => a.add(&b),
        Binary::Subtract => a.subtract(&b),
        Binary::Multiply => a.multiply(&b),
        Binary::Divide => a.divide(&b),
        _ => a.remainder(&b),
    };
    Ok(Typed::new(Type::Number, Value::Number(result.map_err(|e| failed(at, e))?)))
}
