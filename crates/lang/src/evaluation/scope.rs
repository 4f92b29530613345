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

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::rc::Rc;
use std::sync::Arc;

use super::environment::Environment;
use super::logical::logical;
use super::logical_operators::LogicalOperators;
use crate::diagnostic::{Range, Reason, SourceError, both};
use crate::functions::Patterns;
use crate::marks::{Marked, Marks};
use crate::syntax::{Binary, Expr, ExprKind, For, Names, Unary};
use crate::unknown::{either, equal, not_null, order_of_ranges};
use ferroform_value::convert::{Availability, Mode, availability, convert, mismatch};
use ferroform_value::{Error, NfcString, Number, Type, Typed, Value, unify};

pub(crate) type Outcome<T> = Result<T, SourceError>;

/// The number of steps and bytes in addition to the length of the text. Nested `for` expressions can multiply them.
const MAX_WORK: usize = 1_000_000;

/// The names and functions that an expression can refer to, and the remaining steps.
pub(crate) struct Scope<'a> {
    /// True if functions can be called.
    pub(crate) functions: bool,
    pub(crate) names: Vec<(&'a str, Rc<Marked>)>,
    pub(crate) environment: Environment<'a>,
    pub(crate) logical_operators: LogicalOperators,
    remaining: usize,
    patterns: Patterns,
}

/// Creates the error of an operation on several values.
pub(super) fn failed(at: &Range, detail: impl Display) -> SourceError {
    SourceError::new("Operation failed", at.clone(), format!("The operation failed: {detail}."))
}

/// The keys and values that a `for` expression iterates over.
pub(super) struct Entries {
    /// `None` if the collection is unknown.
    pub(super) entries: Option<Vec<(Marked, Marked)>>,
    /// The marks of the collection as a whole.
    pub(super) marks: Marks,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(text: &str, functions: bool) -> Scope<'a> {
        Scope {
            functions,
            names: Vec::new(),
            environment: Environment::Constant,
            logical_operators: LogicalOperators::default(),
            remaining: MAX_WORK + text.len(),
            patterns: Patterns::default(),
        }
    }

    pub(crate) fn within(
        mut self,
        environment: Environment<'a>,
        logical_operators: LogicalOperators,
    ) -> Scope<'a> {
        self.environment = environment;
        self.logical_operators = logical_operators;
        self
    }

    /// Returns the remaining steps and the compiled regular expressions.
    pub(crate) fn resources(&mut self) -> (&mut usize, &mut Patterns) {
        (&mut self.remaining, &mut self.patterns)
    }

    /// Returns true if values can be marked.
    pub(super) fn has_marks(&self) -> bool {
        matches!(self.environment, Environment::Context(_))
    }

    /// Returns true if values can be unknown.
    pub(super) fn has_unknown(&self) -> bool {
        match self.environment {
            Environment::Constant => false,
            Environment::Variables(variables) => variables.has_unknown(),
            Environment::Context(_) => true,
        }
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
    pub(crate) fn eval(&mut self, it: &Expr<'a>) -> Outcome<Marked> {
        self.spend(1, &it.at)?;
        match &it.kind {
            ExprKind::Null => Ok(Typed::new(Type::Dynamic, Value::Null).into()),
            ExprKind::Bool(it) => Ok(Typed::new(Type::Bool, Value::Bool(*it)).into()),
            ExprKind::Number(it) => Ok(Typed::new(Type::Number, Value::Number(it.clone())).into()),
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

    /// Returns the value of a variable of an enclosing `for` expression.
    pub(super) fn name(&self, name: &str) -> Option<Rc<Marked>> {
        self.names.iter().rev().find(|(it, _)| *it == name).map(|(_, it)| it.clone())
    }

    #[inline(never)]
    fn variable(&mut self, name: &str, at: &Range) -> Outcome<Marked> {
        let found = match (self.name(name), self.environment.resolve(name, at, &[])) {
            (Some(it), _) => (*it).clone(),
            (None, Some((part, _))) => part?.to_marked(),
            (None, None) => {
                let detail =
                    format!("Only constant values are allowed here; the variable {name:?} cannot be used.");
                return Err(SourceError::new("Variables not allowed", at.clone(), detail));
            }
        };
        self.spend(value_size(&found.typed.value), at)?;
        Ok(found)
    }

    /// Evaluates a subexpression. After an error, returns an unknown value of the type that the subexpression would
    /// have without the error. Only the first error is kept.
    pub(crate) fn attempt(&mut self, it: &Expr<'a>, first_error: &mut Option<SourceError>) -> Marked {
        self.eval(it).unwrap_or_else(|e| {
            let ty = e.ty().cloned();
            let first = first_error.take().unwrap_or(e);
            *first_error = Some(if ty.is_none() { first.with_type(None) } else { first });
            Marked::unknown(ty.unwrap_or(Type::Dynamic))
        })
    }

    #[inline(never)]
    fn tuple(&mut self, elements: &[Expr<'a>]) -> Outcome<Marked> {
        let mut first_error = None;
        let mut values = Vec::with_capacity(elements.len());
        for it in elements {
            values.push(self.attempt(it, &mut first_error));
        }
        value_or_error(first_error, Marked::tuple(values))
    }

    #[inline(never)]
    fn object(&mut self, items: &[[Expr<'a>; 2]]) -> Outcome<Marked> {
        let mut first_error = None;
        let mut attributes = BTreeMap::new();
        let mut marks = Marks::none();
        let mut is_known = true;
        for [key, value] in items {
            let name = match &key.kind {
                ExprKind::Variable(name) => Ok(Some(NfcString::new(name).into())),
                ExprKind::Null => Ok(Some("null".into())),
                ExprKind::Bool(it) => Ok(Some(it.to_string().into())),
                // As in Terraform, an index that is not a literal makes the key an expression.
                ExprKind::Steps(..) if key.traversal().is_some() => {
                    let detail = "A computed key must be enclosed in parentheses.";
                    Err(SourceError::new("Ambiguous attribute key", key.at.clone(), detail))
                }
                _ => self.key(key, &mut marks).and_then(|it| key_name(it, &key.at)),
            };
            // If an attribute name has an error, the type of the object is unknown.
            let name = name.map_err(|e| first_error.take().unwrap_or(e).with_type(Type::Dynamic))?;
            let value = self.attempt(value, &mut first_error);
            match name {
                Some(name) => drop(attributes.insert(name, value)),
                None => is_known = false,
            }
        }
        // As in Terraform, the result has no marks in this case.
        let it =
            if is_known { Marked::object(attributes).with(marks) } else { Marked::unknown(Type::Dynamic) };
        value_or_error(first_error, it)
    }

    /// Evaluates the key of an object.
    fn key(&mut self, key: &Expr<'a>, marks: &mut Marks) -> Outcome<Typed> {
        let (it, of_key) = self.eval(key)?.unmarked();
        marks.extend(of_key);
        Ok(it)
    }

    /// Returns the keys and values of the collection of a `for` expression.
    pub(super) fn entries(&mut self, of: &Expr<'a>) -> Outcome<Entries> {
        let it = self.eval(of).map_err(|e| match e.ty() {
            // The result depends on the valid elements, which are not available after an error.
            None | Some(Type::Tuple(_) | Type::Object(_)) => e.with_type(None),
            _ => e.with_type(Type::Dynamic),
        })?;
        self.spend(value_size(&it.typed.value), &of.at)?;
        let Typed { ty, value } = &it.typed;
        if *value == Value::Null {
            let detail = "A null value cannot be iterated over.";
            return Err(SourceError::new("Iteration over null value", of.at.clone(), detail));
        }
        if *ty == Type::Dynamic {
            // As in Terraform, the result has no marks in this case.
            return Ok(Entries { entries: None, marks: Marks::none() });
        }
        if ty.element().is_none() && !matches!(ty, Type::Tuple(_) | Type::Object(_)) {
            let detail = format!("A collection is required for iteration, but got {}.", ty.kind());
            return Err(SourceError::new("Iteration over non-iterable value", of.at.clone(), detail));
        }
        if value.is_unknown() {
            return Ok(Entries { entries: None, marks: it.marks.root() });
        }
        let (entries, marks) = it.into_key_value_pairs().unwrap_or_default();
        Ok(Entries { entries: Some(entries), marks })
    }

    pub(super) fn with<T>(
        &mut self,
        names: Names<'a>,
        key: Marked,
        value: Marked,
        inner: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let before = self.names.len();
        self.names.extend(names.key.map(|it| (it, Rc::new(key))));
        self.names.push((names.value, Rc::new(value)));
        let it = inner(self);
        self.names.truncate(before);
        it
    }

    #[inline(never)]
    fn for_each(&mut self, each: &For<'a>) -> Outcome<Marked> {
        let mut first_error = None;
        let mut elements = Vec::new();
        let mut attributes: BTreeMap<Arc<str>, Vec<Marked>> = BTreeMap::new();
        let Entries { entries, mut marks } = self.entries(&each.of)?;
        let mut is_known = entries.is_some();
        if let (Some(condition), true) = (&each.condition, self.has_unknown()) {
            let marks = if is_known { &mut Marks::none() } else { &mut marks };
            self.check_condition(each.names, condition, marks)?;
        }
        for (key, value) in entries.into_iter().flatten() {
            let item = self.with(each.names, key, value, |it| {
                if let Some(condition) = &each.condition {
                    match it.condition(condition, &mut marks)? {
                        Some(true) => {}
                        Some(false) => return Ok(None),
                        None => {
                            is_known = false;
                            return Ok(None);
                        }
                    }
                }
                let key = match &each.key {
                    None => None,
                    Some(key) => {
                        let at = &key.at;
                        let key = it.key(key, &mut marks)?;
                        // As in Terraform, neither an unknown key nor the keys after it are checked.
                        is_known &= !key.value.is_unknown();
                        match key_name(key, at) {
                            Ok(Some(key)) => Some(key),
                            Err(e) if is_known => return Err(e),
                            Ok(None) | Err(_) => return Ok(None),
                        }
                    }
                };
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
        let result = if !is_known {
            Marked::unknown(Type::Dynamic)
        } else if each.key.is_none() {
            Marked::tuple(elements)
        } else if each.group {
            Marked::object(attributes.into_iter().map(|(key, it)| (key, Marked::tuple(it))))
        } else {
            let single = |(key, it): (Arc<str>, Vec<Marked>)| Some((key, it.into_iter().next()?));
            Marked::object(attributes.into_iter().filter_map(single))
        };
        value_or_error(first_error, result.with(marks))
    }

    /// Checks the type of the condition of a `for` expression with unknown elements, as Terraform does first.
    fn check_condition(&mut self, names: Names<'a>, condition: &Expr<'a>, marks: &mut Marks) -> Outcome<()> {
        let unknown = || Marked::unknown(Type::Dynamic);
        let it = self.with(names, unknown(), unknown(), |it| it.eval(condition))?;
        let (it, of_condition) = it.unmarked();
        marks.extend(of_condition);
        let is_bool = availability(&it.ty, &Type::Bool) != Availability::None;
        if is_bool { Ok(()) } else { Err(condition_error(condition, mismatch(&it.ty, &Type::Bool))) }
    }

    #[inline(never)]
    fn unary(&mut self, operator: Unary, of: &Expr<'a>, at: &Range) -> Outcome<Marked> {
        let (it, marks) = self.eval(of)?.unmarked();
        let value = match operator {
            Unary::Negate => number(it, &of.at, at)?.map(|it| Value::Number(it.negate())),
            Unary::Not => bool(it, &of.at, at)?.map(|it| Value::Bool(!it)),
        };
        Ok(match value {
            Some(it) => Marked::from(Typed::new(operator.ty(), it)).with(marks),
            // As in Terraform, an unknown result has no marks.
            None => not_null(operator.ty()).into(),
        })
    }

    #[inline(never)]
    fn binary(&mut self, first: &Expr<'a>, rest: &[(Binary, Expr<'a>)], at: &Range) -> Outcome<Marked> {
        let mut left = self.eval(first);
        let mut left_at = first.at.clone();
        for (operator, right) in rest {
            left = match operator {
                Binary::And | Binary::Or => {
                    let operands = (left, &left_at, self.eval(right), &right.at);
                    logical(self.logical_operators, *operator, operands, at)
                }
                _ => {
                    let mut marks = Marks::none();
                    let mut unmark = |it: Marked| {
                        let (it, of_operand) = it.unmarked();
                        marks.extend(of_operand);
                        it
                    };
                    let (left, right_value) = (left.map(&mut unmark), self.eval(right).map(&mut unmark));
                    let result = binary(*operator, (left, &left_at), (right_value, &right.at), at);
                    let ty = || operator.ty();
                    result
                        .map(|it| it.map_or_else(|| not_null(ty()), |it| Typed::new(ty(), it)))
                        .map(|it| Marked::from(it).with(marks))
                }
            };
            left_at.end = right.at.end;
        }
        left
    }

    /// Evaluates a condition; `None` if it is unknown.
    pub(super) fn condition(&mut self, condition: &Expr<'a>, marks: &mut Marks) -> Outcome<Option<bool>> {
        let (it, of_condition) = self.eval(condition)?.unmarked();
        marks.extend(of_condition);
        // As in Terraform, the type of an unknown condition is not checked.
        if it.value.is_unknown() {
            return Ok(None);
        }
        match convert(it.value, &it.ty, &Type::Bool).map(|it| it.value) {
            Ok(Value::Bool(it)) => Ok(Some(it)),
            Ok(_) => Err(SourceError::new(
                "Null condition",
                condition.at.clone(),
                "The condition must not be null.",
            )),
            Err(e) => Err(condition_error(condition, e)),
        }
    }

    /// Evaluates a conditional expression. As in Terraform, both results are evaluated and must have a common type
    /// before the condition is evaluated. An error in the result that is not selected is ignored, but its type
    /// affects the common type, and the result has the marks of both.
    #[inline(never)]
    fn conditional(&mut self, branches: &[Expr<'a>; 3], at: &Range) -> Outcome<Marked> {
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
        let ty = conditional_type(&then.typed, &otherwise.typed, at)?;
        let mut marks = then.marks.root();
        marks.extend(otherwise.marks.root());
        let (it, first_error, result_at) = match self.condition(condition, &mut marks) {
            Ok(Some(true)) => (then, then_wrong, then_at),
            Ok(Some(false)) => (otherwise, otherwise_wrong, otherwise_at),
            Ok(None) => return Ok(Marked::from(either(&then.typed, &otherwise.typed, ty)).with(marks)),
            Err(e) => return Err(e.with_type(ty)),
        };
        let result = it.convert(&ty).map_err(|e| failed(result_at, e).with_type(ty))?;
        value_or_error(first_error, result.with(marks))
    }
}

/// Converts the key of an object to a string; `None` if it is unknown.
fn key_name(key: Typed, at: &Range) -> Outcome<Option<Arc<str>>> {
    let is_unknown = key.value.is_unknown();
    match to_known_string(key) {
        Ok(None) if is_unknown => Ok(None),
        Ok(Some(it)) => Ok(Some(it.into())),
        Ok(None) => {
            let detail = "A null value cannot be used as a key.";
            Err(SourceError::new("Null value as key", at.clone(), detail))
        }
        Err(e) => {
            let detail = format!("The value cannot be used as a key: {e}.");
            Err(SourceError::new("Incorrect key type", at.clone(), detail))
        }
    }
}

fn condition_error(condition: &Expr<'_>, e: Error) -> SourceError {
    let detail = format!("The condition is not suitable: {e}.");
    SourceError::new("Incorrect condition type", condition.at.clone(), detail)
}

/// Returns the common type of the results of a conditional expression.
fn conditional_type(then: &Typed, otherwise: &Typed, at: &Range) -> Outcome<Type> {
    let untyped = |it: &Typed| it.ty == Type::Dynamic && it.value == Value::Null;
    if untyped(then) {
        return Ok(otherwise.ty.clone());
    }
    if untyped(otherwise) {
        return Ok(then.ty.clone());
    }
    if then.ty == Type::Dynamic || otherwise.ty == Type::Dynamic {
        return Ok(Type::Dynamic);
    }
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
    })
}

/// Returns the value if there is no error; otherwise the error with the type of the value.
pub(crate) fn value_or_error(error: Option<SourceError>, value: Marked) -> Outcome<Marked> {
    match error {
        None => Ok(value),
        Some(e) if e.ty().is_none() => Err(e),
        Some(e) => Err(e.with_type(value.typed.ty)),
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

/// Converts a value to a string; `None` for null and for an unknown value.
pub(crate) fn to_known_string(it: Typed) -> Result<Option<NfcString>, Error> {
    Ok(match convert(it.value, &it.ty, &Type::String)?.value {
        Value::String(it) => Some(it),
        _ => None,
    })
}

/// Converts an operand to a type.
fn operand(it: Typed, ty: &Type, at: &Range) -> Outcome<Value> {
    let result = convert(it.value, &it.ty, ty).map(|it| it.value);
    result.map_err(|e| {
        SourceError::new("Invalid operand", at.clone(), format!("The operand is not suitable: {e}."))
    })
}

/// Returns an error for null.
fn not_null_operand(it: Value, whole: &Range) -> Outcome<Value> {
    if it == Value::Null { Err(failed(whole, "an operand is null")) } else { Ok(it) }
}

/// Converts an operand to a number; `None` if it is unknown.
fn number(it: Typed, at: &Range, whole: &Range) -> Outcome<Option<Number>> {
    let it = not_null_operand(operand(it, &Type::Number, at)?, whole)?;
    Ok(if let Value::Number(it) = it { Some(it) } else { None })
}

/// Converts an operand to a bool; `None` if it is unknown.
fn bool(it: Typed, at: &Range, whole: &Range) -> Outcome<Option<bool>> {
    let it = not_null_operand(operand(it, &Type::Bool, at)?, whole)?;
    Ok(if let Value::Bool(it) = it { Some(it) } else { None })
}

/// Returns the result of a comparison whose operands are not both known, if their ranges determine it. As in Terraform, a
/// common bound of both ranges makes the result unknown, and so does `<=` or `>=` between unknown numbers unless it is true.
fn compare_ranges(operator: Binary, a: &Value, b: &Value) -> Option<bool> {
    let (is_less, is_equal_possible) = match operator {
        Binary::Less => (true, false),
        Binary::Greater => (false, false),
        Binary::LessOrEqual => (true, a.is_unknown() && b.is_unknown()),
        Binary::GreaterOrEqual => (false, a.is_unknown() && b.is_unknown()),
        _ => return None,
    };
    let result = (order_of_ranges(a, b)? == Ordering::Less) == is_less;
    (result || !is_equal_possible).then_some(result)
}

/// Returns the result of an operation; `None` if it is unknown.
fn binary(
    operator: Binary,
    (left, left_at): (Outcome<Typed>, &Range),
    (right, right_at): (Outcome<Typed>, &Range),
    at: &Range,
) -> Outcome<Option<Value>> {
    let bool = |it| Ok(Some(Value::Bool(it)));
    if matches!(operator, Binary::Equal | Binary::NotEqual) {
        let (left, right) = both(left, right)?;
        let is_equal = equal(&left, &right);
        return Ok(is_equal.map(|it| Value::Bool(it == (operator == Binary::Equal))));
    }
    let number = |it: Outcome<Typed>, at| operand(it?, &Type::Number, at);
    let operands = both(number(left, left_at), number(right, right_at))?;
    // As in Terraform, null is an error only if both operands are suitable.
    let operands = (not_null_operand(operands.0, at)?, not_null_operand(operands.1, at)?);
    let (Value::Number(a), Value::Number(b)) = &operands else {
        return Ok(compare_ranges(operator, &operands.0, &operands.1).map(Value::Bool));
    };
    let order = a.compare(b);
    let result = match operator {
        Binary::Less => return bool(order.is_lt()),
        Binary::LessOrEqual => return bool(order.is_le()),
        Binary::Greater => return bool(order.is_gt()),
        Binary::GreaterOrEqual => return bool(order.is_ge()),
        Binary::Add => a.add(b),
        Binary::Subtract => a.subtract(b),
        Binary::Multiply => a.multiply(b),
        Binary::Divide => a.divide(b),
        _ => a.remainder(b),
    };
    Ok(Some(Value::Number(result.map_err(|e| failed(at, e))?)))
}
