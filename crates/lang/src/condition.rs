//! Conditions as trees of predicates, for tools that describe the values that a condition accepts.
//!
//! A [`Condition`] represents a boolean expression as a tree of predicates, each of which tests one value. A JSON Schema, a
//! form or a documentation page can show these predicates; every other part of the condition is [`Condition::Opaque`].
//!
//! ```
//! use ferroform_lang::body::{Expression, Variables};
//! use ferroform_lang::condition::{Condition, OperandRoot, Predicate};
//!
//! let condition = Expression::parse("contains([\"dev\", \"prod\"], var.stage) && var.stage != local.default")?;
//! let mut constants = Variables::default();
//! constants.set_local("default", Expression::parse("\"test\"")?.constant()?);
//!
//! let Some(Condition::And(conditions)) = condition.to_condition(&constants) else { panic!("a conjunction") };
//! let Condition::Predicate(operand, Predicate::OneOf(values)) = &conditions[0] else { panic!("a predicate on a value") };
//! assert_eq!((&operand.root, values.len()), (&OperandRoot::Variable("stage".to_owned()), 2));
//! assert!(matches!(&conditions[1], Condition::Not(condition) if matches!(**condition, Condition::Predicate(_, Predicate::OneOf(_)))));
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::ops::Bound;

use ferroform_value::{Number, Path, Step, Typed, Value};

use crate::body::{Expression, Variables};
use crate::evaluation::{Environment, LogicalOperators, Scope};
use crate::functions::{is_supported_pattern, plain_name};
use crate::syntax::{
    Binary, Call, Expr, ExprKind, For, Names, ReferenceCollector, StepExpr, TraversalStep, Unary,
};

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// All conditions must be true.
    And(Vec<Condition>),
    /// At least one condition must be true.
    Or(Vec<Condition>),
    /// The condition must be false.
    Not(Box<Condition>),
    /// A predicate on one value. If the value is null, every predicate except [`Predicate::IsNull`] is false or an error.
    Predicate(Operand, Predicate),
    /// A part of the condition that cannot be represented by predicates.
    Opaque,
}

/// The value that a predicate tests: a variable, or a part of the current element.
///
/// The current element is that of the innermost enclosing [`Predicate::AllElements`] or [`Predicate::AnyElement`].
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// The variable, the element or its key.
    pub root: OperandRoot,
    /// The path of the tested value, which consists of attributes.
    pub path: Path,
}

/// The value at which the path of an [`Operand`] starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandRoot {
    /// The variable with this name.
    Variable(String),
    /// The current element.
    Element,
    /// The key of the current element: a string for a map, and otherwise an index or the element itself.
    Key,
}

/// A predicate on a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// The value is true.
    IsTrue,
    /// The value is null.
    IsNull,
    /// The value equals one of the constants, which are neither null nor of several types.
    OneOf(Vec<Typed>),
    /// The number is in a range.
    InRange(Bound<Number>, Bound<Number>),
    /// The length is in a range.
    LengthInRange(Bound<Number>, Bound<Number>),
    /// The number is an integer.
    IsInteger,
    /// A part of the string matches the regular expression, in the syntax of RE2.
    MatchesRegex(String),
    /// The string starts with the prefix.
    StartsWith(String),
    /// The string ends with the suffix.
    EndsWith(String),
    /// The string contains the substring.
    Contains(String),
    /// Each element satisfies the condition.
    AllElements(Box<Condition>),
    /// At least one element satisfies the condition.
    AnyElement(Box<Condition>),
}

/// Functions whose result can always be determined.
const DETERMINED: [&str; 27] = [
    "abs",
    "alltrue",
    "anytrue",
    "can",
    "ceil",
    "contains",
    "distinct",
    "endswith",
    "floor",
    "keys",
    "length",
    "lower",
    "max",
    "min",
    "setsubtract",
    "startswith",
    "strcontains",
    "substr",
    "tobool",
    "tolist",
    "tonumber",
    "toset",
    "tostring",
    "trimspace",
    "try",
    "upper",
    "values",
];

/// The maximum number of predicates in the condition of a conditional expression, which occurs in the tree twice.
const MAX_REPEATED: usize = 16;

impl<'a> Expression<'a> {
    /// Returns the expression as a tree of predicates. `constants` contains the local values that it can refer to.
    ///
    /// Returns `None` if [`Expression::evaluate`] may be unable to determine the result for some values, because the
    /// expression contains references or functions that are not supported.
    pub fn to_condition(&self, constants: &Variables) -> Option<Condition> {
        let (text, expr) = self.raw();
        Reader { text, constants, names: Vec::new() }.read_condition(expr)
    }
}

struct Reader<'a> {
    text: &'a str,
    constants: &'a Variables,
    /// The names of the enclosing `for` expressions.
    names: Vec<Names<'a>>,
}

impl<'a> Reader<'a> {
    fn read_condition(&mut self, expr: &Expr<'a>) -> Option<Condition> {
        let condition = match &expr.kind {
            ExprKind::Parens(it) => return self.read_condition(it),
            ExprKind::Unary(Unary::Not, it) => return self.read_condition(it).map(negate),
            ExprKind::Binary(first, rest) => match &**rest {
                [(operator @ (Binary::And | Binary::Or), _), ..] => {
                    let operands = std::iter::once(&**first).chain(rest.iter().map(|(_, it)| it));
                    let conditions = operands.map(|it| self.read_condition(it)).collect::<Option<_>>()?;
                    return Some(if *operator == Binary::And {
                        Condition::And(conditions)
                    } else {
                        Condition::Or(conditions)
                    });
                }
                [(operator, second)] => self.read_comparison(first, *operator, second),
                _ => None,
            },
            ExprKind::Conditional(branches) => {
                let [condition, then, otherwise] = &**branches;
                let condition = self.read_condition(condition)?;
                let (then, otherwise) = (self.read_condition(then)?, self.read_condition(otherwise)?);
                if count_predicates(&condition) > MAX_REPEATED {
                    return Some(Condition::Opaque);
                }
                let otherwise = Condition::And(vec![negate(condition.clone()), otherwise]);
                return Some(Condition::Or(vec![Condition::And(vec![condition, then]), otherwise]));
            }
            ExprKind::Call(call) if !call.expand => self.read_call(call),
            _ => self.build_predicate(expr, Predicate::IsTrue),
        };
        match condition {
            None if self.is_determined(expr) => Some(Condition::Opaque),
            condition => condition,
        }
    }

    fn read_comparison(&mut self, left: &Expr<'a>, operator: Binary, right: &Expr<'a>) -> Option<Condition> {
        if let Some(condition) = self.compare_with_constant(left, operator, right) {
            return Some(condition);
        }
        let mirrored = match operator {
            Binary::Less => Binary::Greater,
            Binary::LessOrEqual => Binary::GreaterOrEqual,
            Binary::Greater => Binary::Less,
            Binary::GreaterOrEqual => Binary::LessOrEqual,
            other => other,
        };
        self.compare_with_constant(right, mirrored, left)
    }

    /// Returns the condition for the comparison of an expression with a constant.
    fn compare_with_constant(
        &mut self,
        expr: &Expr<'a>,
        operator: Binary,
        constant: &Expr<'a>,
    ) -> Option<Condition> {
        let expr = without_parens(expr);
        if operator == Binary::NotEqual {
            return self.compare_with_constant(expr, Binary::Equal, constant).map(negate);
        }
        if operator == Binary::Equal
            && let Some([argument]) =
                find_arguments(constant, "floor").or_else(|| find_arguments(constant, "ceil"))
            && let (Some(operand), Some(other)) = (self.read_operand(expr), self.read_operand(argument))
        {
            return (operand == other).then_some(Condition::Predicate(operand, Predicate::IsInteger));
        }
        let constant = self.evaluate_constant(constant)?;
        if operator == Binary::Equal && constant.value == Value::Null {
            return self.build_predicate(expr, Predicate::IsNull);
        }
        let range = to_range(operator, &constant.value);
        if let Some([argument]) = find_arguments(expr, "length") {
            return self.read_length_condition(without_parens(argument), range?);
        }
        if let (Some([of, start, _]), Some(prefix)) =
            (find_arguments(expr, "substr"), constant.value.as_str())
            && operator == Binary::Equal
            && self.evaluate_constant(start)?.value == Value::from(0)
        {
            // The string can have a combining character after the prefix.
            return Some(Condition::And(vec![
                self.build_predicate(of, Predicate::StartsWith(prefix.to_owned()))?,
                Condition::Opaque,
            ]))
            .filter(|_| self.is_determined(expr));
        }
        match operator {
            Binary::Equal => self.build_predicate(expr, Predicate::OneOf(vec![constant])),
            _ => range.and_then(|(min, max)| self.build_predicate(expr, Predicate::InRange(min, max))),
        }
    }

    /// Returns the condition for the length of an expression.
    fn read_length_condition(
        &mut self,
        expr: &Expr<'a>,
        range: (Bound<Number>, Bound<Number>),
    ) -> Option<Condition> {
        if let Some(operand) = self.read_operand(expr) {
            return Some(Condition::Predicate(operand, Predicate::LengthInRange(range.0, range.1)));
        }
        let contains = |number: i64| range_contains(&range, number);
        // The number of elements that are found determines the result only if it is zero, or not zero.
        let is_empty = match (contains(0), contains(1), &range.1) {
            (true, false, _) => true,
            (false, true, Bound::Unbounded) => false,
            _ => return None,
        };
        let (found, is_each) = match &expr.kind {
            ExprKind::For(each) => {
                let condition = each.condition.as_ref().filter(|_| each.key.is_none())?;
                // The value is evaluated as well and can have an error.
                self.within(each, |reader| reader.is_determined(&each.value).then_some(()))?;
                let condition = self.within(each, |reader| reader.read_condition(condition))?;
                (self.build_predicate(&each.of, Predicate::AnyElement(Box::new(condition)))?, false)
            }
            _ => match (find_arguments(expr, "regexall"), find_arguments(expr, "setsubtract")) {
                (Some([pattern, of]), _) => (self.match_regex(pattern, of)?, false),
                (_, Some([of, removed])) => {
                    let operand = Operand { root: OperandRoot::Element, path: Path::ROOT };
                    let condition = Condition::Predicate(operand, self.read_constants(removed)?);
                    (self.build_predicate(of, Predicate::AllElements(Box::new(condition)))?, true)
                }
                _ => return None,
            },
        };
        Some(if is_empty == is_each { found } else { negate(found) })
    }

    fn read_call(&mut self, call: &Call<'a>) -> Option<Condition> {
        let string = |reader: &mut Self, it: &Expr<'a>| {
            reader.evaluate_constant(it)?.value.as_str().map(str::to_owned)
        };
        match (plain_name(call.name), &*call.args) {
            ("can", [argument]) => match find_arguments(argument, "regex") {
                Some([pattern, of]) => self.match_regex(pattern, of),
                _ => None,
            },
            ("contains", [list, of]) => {
                let predicate = self.read_constants(list)?;
                self.build_predicate(of, predicate)
            }
            ("startswith", [of, prefix]) => {
                string(self, prefix).and_then(|it| self.build_predicate(of, Predicate::StartsWith(it)))
            }
            ("endswith", [of, suffix]) => {
                string(self, suffix).and_then(|it| self.build_predicate(of, Predicate::EndsWith(it)))
            }
            ("strcontains", [of, substring]) => {
                string(self, substring).and_then(|it| self.build_predicate(of, Predicate::Contains(it)))
            }
            (name @ ("alltrue" | "anytrue"), [Expr { kind: ExprKind::Tuple(elements), .. }]) => {
                let conditions = elements.iter().map(|it| self.read_condition(it)).collect::<Option<_>>()?;
                Some(if name == "alltrue" { Condition::And(conditions) } else { Condition::Or(conditions) })
            }
            (name @ ("alltrue" | "anytrue"), [Expr { kind: ExprKind::For(each), .. }]) => {
                if each.key.is_some() {
                    return None;
                }
                let selected = match &each.condition {
                    Some(it) => Some(self.within(each, |reader| reader.read_condition(it))?),
                    None => None,
                };
                let condition = self.within(each, |reader| reader.read_condition(&each.value))?;
                let predicate = match (name == "alltrue", selected) {
                    (true, None) => Predicate::AllElements(Box::new(condition)),
                    (true, Some(selected)) => {
                        Predicate::AllElements(Box::new(Condition::Or(vec![negate(selected), condition])))
                    }
                    (false, None) => Predicate::AnyElement(Box::new(condition)),
                    (false, Some(it)) => Predicate::AnyElement(Box::new(Condition::And(vec![it, condition]))),
                };
                self.build_predicate(&each.of, predicate)
            }
            _ => None,
        }
    }

    fn within<T>(&mut self, each: &For<'a>, inner: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.names.push(each.names);
        let result = inner(self);
        self.names.pop();
        result
    }

    fn match_regex(&mut self, pattern: &Expr<'a>, of: &Expr<'a>) -> Option<Condition> {
        let pattern = self.evaluate_constant(pattern)?;
        let pattern = pattern.value.as_str().filter(|it| is_supported_pattern(it))?;
        self.build_predicate(of, Predicate::MatchesRegex(pattern.to_owned()))
    }

    /// Returns the predicate for a constant list of values of one type.
    fn read_constants(&mut self, list: &Expr<'a>) -> Option<Predicate> {
        let mut values = self.evaluate_constant(list)?.into_elements().ok()?;
        values.retain(|it| it.value != Value::Null);
        let first = values.first()?.ty.clone();
        values.iter().all(|it| it.ty == first).then_some(Predicate::OneOf(values))
    }

    fn build_predicate(&mut self, expr: &Expr<'a>, predicate: Predicate) -> Option<Condition> {
        self.read_operand(expr).map(|operand| Condition::Predicate(operand, predicate))
    }

    /// Returns the value that an expression refers to: an attribute of a variable or of the current element.
    fn read_operand(&self, expr: &Expr<'a>) -> Option<Operand> {
        let (first, steps) = match &expr.kind {
            ExprKind::Parens(it) => return self.read_operand(it),
            ExprKind::Variable(name) => (*name, &[][..]),
            ExprKind::Steps(of, steps) => match of.kind {
                ExprKind::Variable(name) => (name, &**steps),
                _ => return None,
            },
            _ => return None,
        };
        let (root, steps) = match (first, steps) {
            (name, _) if self.is_for_name(name) => match self.names.last() {
                // The value of a loop with the same name for both hides the key.
                Some(it) if it.value == name && it.key != Some(name) => (OperandRoot::Element, steps),
                Some(it) if it.key == Some(name) && it.value != name => (OperandRoot::Key, steps),
                _ => return None,
            },
            ("var", [StepExpr::Attribute(name, _), rest @ ..]) => {
                (OperandRoot::Variable((*name).to_owned()), rest)
            }
            _ => return None,
        };
        let steps = steps.iter().map(|step| match step.literal()? {
            TraversalStep::Name(name) => Some(Step::Attribute(name.as_str().into())),
            TraversalStep::Index(_) => None,
        });
        let path = steps.collect::<Option<Vec<_>>>()?.into_iter().fold(Path::ROOT, Path::then);
        Some(Operand { root, path })
    }

    /// Returns the value of an expression without references to variables.
    fn evaluate_constant(&self, expr: &Expr<'a>) -> Option<Typed> {
        // The name of a `for` expression can hide local values.
        if self.is_for_name("local") {
            return None;
        }
        let environment = Environment::Variables(self.constants);
        let mut scope = Scope::new(self.text, true).within(environment, LogicalOperators::default());
        scope.eval(expr).ok().map(|it| it.typed).filter(|it| it.value.is_wholly_known())
    }

    /// Returns true if an enclosing `for` expression declares the name.
    fn is_for_name(&self, name: &str) -> bool {
        self.names.iter().any(|it| it.value == name || it.key == Some(name))
    }

    /// Returns true if the result of the expression can be determined for all values of the variables.
    fn is_determined(&self, expr: &Expr<'a>) -> bool {
        let mut references = ReferenceCollector::default();
        references.walk(expr);
        references.others.iter().all(|name| self.is_for_name(name))
            && references.locals.is_empty()
            && references.functions.iter().all(|it| DETERMINED.contains(&plain_name(it)))
    }
}

fn negate(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

fn count_predicates(condition: &Condition) -> usize {
    match condition {
        Condition::And(conditions) | Condition::Or(conditions) => {
            conditions.iter().map(count_predicates).sum()
        }
        Condition::Not(condition)
        | Condition::Predicate(_, Predicate::AllElements(condition) | Predicate::AnyElement(condition)) => {
            1 + count_predicates(condition)
        }
        Condition::Predicate(..) | Condition::Opaque => 1,
    }
}

fn without_parens<'e, 'a>(mut expr: &'e Expr<'a>) -> &'e Expr<'a> {
    while let ExprKind::Parens(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

/// Returns the arguments of a call of this function.
fn find_arguments<'e, 'a, const N: usize>(expr: &'e Expr<'a>, name: &str) -> Option<&'e [Expr<'a>; N]> {
    match &without_parens(expr).kind {
        ExprKind::Call(call) if plain_name(call.name) == name && !call.expand => {
            (&*call.args).try_into().ok()
        }
        _ => None,
    }
}

/// Returns the numbers for which the comparison with a constant is true.
fn to_range(operator: Binary, constant: &Value) -> Option<(Bound<Number>, Bound<Number>)> {
    let Value::Number(number) = constant else { return None };
    let number = || number.clone();
    Some(match operator {
        Binary::Less => (Bound::Unbounded, Bound::Excluded(number())),
        Binary::LessOrEqual => (Bound::Unbounded, Bound::Included(number())),
        Binary::Greater => (Bound::Excluded(number()), Bound::Unbounded),
        Binary::GreaterOrEqual => (Bound::Included(number()), Bound::Unbounded),
        Binary::Equal => (Bound::Included(number()), Bound::Included(number())),
        _ => return None,
    })
}

fn range_contains((min, max): &(Bound<Number>, Bound<Number>), number: i64) -> bool {
    let number = Number::from(number);
    let above = match min {
        Bound::Included(it) => it.compare(&number).is_le(),
        Bound::Excluded(it) => it.compare(&number).is_lt(),
        Bound::Unbounded => true,
    };
    let below = match max {
        Bound::Included(it) => it.compare(&number).is_ge(),
        Bound::Excluded(it) => it.compare(&number).is_gt(),
        Bound::Unbounded => true,
    };
    above && below
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(condition: &str) -> Option<Condition> {
        Expression::parse(condition).ok()?.to_condition(&Variables::default())
    }

    #[test]
    fn undetermined_condition_has_no_tree() {
        for condition in ["var.a == path.module", "var.a > 0 && md5(var.b) == \"\"", "var.a == local.b"] {
            assert_eq!(parse(condition), None, "{condition}");
        }
    }

    #[test]
    fn condition_without_known_predicate_is_opaque() {
        for condition in [
            "var.a == var.b",
            "lower(var.a) == \"a\"",
            "var.a[0] == 1",
            "alltrue([for a in var.a : a.b][*])",
            "length([for a in var.a : a if a > 0]) == 2",
            "contains([1, \"a\"], var.a)",
        ] {
            assert_eq!(parse(condition), Some(Condition::Opaque), "{condition}");
        }
    }

    #[test]
    fn inner_names_hide_outer_names() {
        let Some(Condition::Predicate(_, Predicate::AllElements(inner))) =
            parse("alltrue([for a in var.a : anytrue([for a in a.b : a > 1])])")
        else {
            panic!("a predicate on each element")
        };
        let Condition::Predicate(operand, Predicate::AnyElement(inner)) = *inner else {
            panic!("a predicate on some element")
        };
        assert_eq!((operand.root, operand.path), (OperandRoot::Element, Path::attribute("b")));
        assert!(matches!(
            *inner,
            Condition::Predicate(Operand { root: OperandRoot::Element, .. }, Predicate::InRange(..))
        ));
        assert_eq!(
            parse("alltrue([for a in var.a : alltrue([for b in var.b : a > 1])])")
                .map(|it| count_predicates(&it)),
            Some(3)
        );
    }
}
