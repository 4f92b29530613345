//! Conditions as trees of rules, for tools that describe the values that a condition accepts.
//!
//! A [`Rule`] is a condition whose tests of single values are known. A JSON Schema, a form or a documentation page can
//! show such tests; every other part of the condition is [`Rule::Other`].
//!
//! ```
//! use ferroform_lang::body::{Expression, Variables};
//! use ferroform_lang::rule::{Origin, Rule, Test};
//!
//! let condition = Expression::parse("contains([\"dev\", \"prod\"], var.stage) && var.stage != local.default")?;
//! let mut constants = Variables::default();
//! constants.set_local("default", Expression::parse("\"test\"")?.constant()?);
//!
//! let Some(Rule::All(rules)) = condition.rule(&constants) else { panic!("a conjunction") };
//! let Rule::Test(subject, Test::OneOf(values)) = &rules[0] else { panic!("a test of a value") };
//! assert_eq!((&subject.of, values.len()), (&Origin::Variable("stage".to_owned()), 2));
//! assert!(matches!(&rules[1], Rule::Not(rule) if matches!(**rule, Rule::Test(_, Test::OneOf(_)))));
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
pub enum Rule {
    /// All rules must be true.
    All(Vec<Rule>),
    /// At least one rule must be true.
    Any(Vec<Rule>),
    /// The rule must be false.
    Not(Box<Rule>),
    /// A test of one value. If the value is null, every test except [`Test::Null`] is false or an error.
    Test(Subject, Test),
    /// Any other condition.
    Other,
}

/// The value that a rule tests: a variable, or a part of the current element.
///
/// The current element is that of the innermost enclosing [`Test::Each`] or [`Test::Some`].
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The variable, the element or its key.
    pub of: Origin,
    /// The path of the tested value, which consists of attributes.
    pub path: Path,
}

/// The value that the path of a [`Subject`] starts at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The variable with this name.
    Variable(String),
    /// The current element.
    Element,
    /// The key of the current element: a string for a map, and otherwise an index or the element itself.
    Key,
}

/// A test of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The value is true.
    True,
    /// The value is null.
    Null,
    /// The value equals one of the constants, which are neither null nor of several types.
    OneOf(Vec<Typed>),
    /// The number is in a range.
    Range(Bound<Number>, Bound<Number>),
    /// The length is in a range.
    Length(Bound<Number>, Bound<Number>),
    /// The number is an integer.
    Integer,
    /// A part of the string matches the regular expression, in the syntax of RE2.
    Matches(String),
    /// The string starts with the prefix.
    StartsWith(String),
    /// The string ends with the suffix.
    EndsWith(String),
    /// The string contains the substring.
    Includes(String),
    /// Each element satisfies the rule.
    Each(Box<Rule>),
    /// At least one element satisfies the rule.
    Some(Box<Rule>),
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

/// The maximum number of tests in the condition of a conditional expression, which occurs in the rule twice.
const MAX_REPEATED: usize = 16;

impl<'a> Expression<'a> {
    /// Returns the expression as a rule. `constants` contains the local values that it can refer to.
    ///
    /// Returns `None` if [`Expression::evaluate`] may be unable to determine the result for some values, because the
    /// expression contains references or functions that are not supported.
    pub fn rule(&self, constants: &Variables) -> Option<Rule> {
        let (text, expr) = self.raw();
        Reader { text, constants, names: Vec::new() }.condition(expr)
    }
}

struct Reader<'a> {
    text: &'a str,
    constants: &'a Variables,
    /// The names of the enclosing `for` expressions.
    names: Vec<Names<'a>>,
}

impl<'a> Reader<'a> {
    fn condition(&mut self, it: &Expr<'a>) -> Option<Rule> {
        let rule = match &it.kind {
            ExprKind::Parens(it) => return self.condition(it),
            ExprKind::Unary(Unary::Not, it) => return self.condition(it).map(not),
            ExprKind::Binary(first, rest) => match &**rest {
                [(operator @ (Binary::And | Binary::Or), _), ..] => {
                    let operands = std::iter::once(&**first).chain(rest.iter().map(|(_, it)| it));
                    let rules = operands.map(|it| self.condition(it)).collect::<Option<_>>()?;
                    return Some(if *operator == Binary::And { Rule::All(rules) } else { Rule::Any(rules) });
                }
                [(operator, second)] => self.comparison(first, *operator, second),
                _ => None,
            },
            ExprKind::Conditional(branches) => {
                let [condition, then, otherwise] = &**branches;
                let condition = self.condition(condition)?;
                let (then, otherwise) = (self.condition(then)?, self.condition(otherwise)?);
                if size(&condition) > MAX_REPEATED {
                    return Some(Rule::Other);
                }
                let otherwise = Rule::All(vec![not(condition.clone()), otherwise]);
                return Some(Rule::Any(vec![Rule::All(vec![condition, then]), otherwise]));
            }
            ExprKind::Call(call) if !call.expand => self.call(call),
            _ => self.test(it, Test::True),
        };
        match rule {
            None if self.is_determined(it) => Some(Rule::Other),
            rule => rule,
        }
    }

    fn comparison(&mut self, left: &Expr<'a>, operator: Binary, right: &Expr<'a>) -> Option<Rule> {
        if let Some(rule) = self.compared(left, operator, right) {
            return Some(rule);
        }
        let mirrored = match operator {
            Binary::Less => Binary::Greater,
            Binary::LessOrEqual => Binary::GreaterOrEqual,
            Binary::Greater => Binary::Less,
            Binary::GreaterOrEqual => Binary::LessOrEqual,
            other => other,
        };
        self.compared(right, mirrored, left)
    }

    /// Returns the rule for the comparison of an expression with a constant.
    fn compared(&mut self, it: &Expr<'a>, operator: Binary, constant: &Expr<'a>) -> Option<Rule> {
        let it = without_parens(it);
        if operator == Binary::NotEqual {
            return self.compared(it, Binary::Equal, constant).map(not);
        }
        if operator == Binary::Equal
            && let Some([argument]) = arguments(constant, "floor").or_else(|| arguments(constant, "ceil"))
            && let (Some(subject), Some(other)) = (self.subject(it), self.subject(argument))
        {
            return (subject == other).then_some(Rule::Test(subject, Test::Integer));
        }
        let constant = self.constant(constant)?;
        if operator == Binary::Equal && constant.value == Value::Null {
            return self.test(it, Test::Null);
        }
        let range = constant_range(operator, &constant.value);
        if let Some([argument]) = arguments(it, "length") {
            return self.length(without_parens(argument), range?);
        }
        if let (Some([of, start, _]), Some(prefix)) = (arguments(it, "substr"), constant.value.as_str())
            && operator == Binary::Equal
            && self.constant(start)?.value == Value::from(0)
        {
            // The string can have a combining character after the prefix.
            return Some(Rule::All(vec![self.test(of, Test::StartsWith(prefix.to_owned()))?, Rule::Other]))
                .filter(|_| self.is_determined(it));
        }
        match operator {
            Binary::Equal => self.test(it, Test::OneOf(vec![constant])),
            _ => range.and_then(|(min, max)| self.test(it, Test::Range(min, max))),
        }
    }

    /// Returns the rule for the length of an expression.
    fn length(&mut self, it: &Expr<'a>, range: (Bound<Number>, Bound<Number>)) -> Option<Rule> {
        if let Some(subject) = self.subject(it) {
            return Some(Rule::Test(subject, Test::Length(range.0, range.1)));
        }
        let contains = |number: i64| range_contains(&range, number);
        // The number of elements that are found determines the result only if it is zero, or not zero.
        let is_empty = match (contains(0), contains(1), &range.1) {
            (true, false, _) => true,
            (false, true, Bound::Unbounded) => false,
            _ => return None,
        };
        let (found, is_each) = match &it.kind {
            ExprKind::For(each) => {
                let condition = each.condition.as_ref().filter(|_| each.key.is_none())?;
                // The value is evaluated as well and can have an error.
                self.within(each, |reader| reader.is_determined(&each.value).then_some(()))?;
                let rule = self.within(each, |reader| reader.condition(condition))?;
                (self.test(&each.of, Test::Some(Box::new(rule)))?, false)
            }
            _ => match (arguments(it, "regexall"), arguments(it, "setsubtract")) {
                (Some([pattern, of]), _) => (self.matches(pattern, of)?, false),
                (_, Some([of, removed])) => {
                    let subject = Subject { of: Origin::Element, path: Path::ROOT };
                    let rule = Rule::Test(subject, self.one_of(removed)?);
                    (self.test(of, Test::Each(Box::new(rule)))?, true)
                }
                _ => return None,
            },
        };
        Some(if is_empty == is_each { found } else { not(found) })
    }

    fn call(&mut self, call: &Call<'a>) -> Option<Rule> {
        let string =
            |reader: &mut Self, it: &Expr<'a>| reader.constant(it)?.value.as_str().map(str::to_owned);
        match (plain_name(call.name), &*call.args) {
            ("can", [it]) => match arguments(it, "regex") {
                Some([pattern, of]) => self.matches(pattern, of),
                _ => None,
            },
            ("contains", [list, of]) => {
                let test = self.one_of(list)?;
                self.test(of, test)
            }
            ("startswith", [of, it]) => string(self, it).and_then(|it| self.test(of, Test::StartsWith(it))),
            ("endswith", [of, it]) => string(self, it).and_then(|it| self.test(of, Test::EndsWith(it))),
            ("strcontains", [of, it]) => string(self, it).and_then(|it| self.test(of, Test::Includes(it))),
            (name @ ("alltrue" | "anytrue"), [Expr { kind: ExprKind::Tuple(elements), .. }]) => {
                let rules = elements.iter().map(|it| self.condition(it)).collect::<Option<_>>()?;
                Some(if name == "alltrue" { Rule::All(rules) } else { Rule::Any(rules) })
            }
            (name @ ("alltrue" | "anytrue"), [Expr { kind: ExprKind::For(each), .. }]) => {
                if each.key.is_some() {
                    return None;
                }
                let selected = match &each.condition {
                    Some(it) => Some(self.within(each, |reader| reader.condition(it))?),
                    None => None,
                };
                let rule = self.within(each, |reader| reader.condition(&each.value))?;
                let test = match (name == "alltrue", selected) {
                    (true, None) => Test::Each(Box::new(rule)),
                    (true, Some(it)) => Test::Each(Box::new(Rule::Any(vec![not(it), rule]))),
                    (false, None) => Test::Some(Box::new(rule)),
                    (false, Some(it)) => Test::Some(Box::new(Rule::All(vec![it, rule]))),
                };
                self.test(&each.of, test)
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

    fn matches(&mut self, pattern: &Expr<'a>, of: &Expr<'a>) -> Option<Rule> {
        let pattern = self.constant(pattern)?;
        let pattern = pattern.value.as_str().filter(|it| is_supported_pattern(it))?;
        self.test(of, Test::Matches(pattern.to_owned()))
    }

    /// Returns the test for a constant list of values of one type.
    fn one_of(&mut self, list: &Expr<'a>) -> Option<Test> {
        let mut values = self.constant(list)?.into_elements().ok()?;
        values.retain(|it| it.value != Value::Null);
        let first = values.first()?.ty.clone();
        values.iter().all(|it| it.ty == first).then_some(Test::OneOf(values))
    }

    fn test(&mut self, it: &Expr<'a>, test: Test) -> Option<Rule> {
        self.subject(it).map(|subject| Rule::Test(subject, test))
    }

    /// Returns the value that an expression refers to: an attribute of a variable or of the current element.
    fn subject(&self, it: &Expr<'a>) -> Option<Subject> {
        let (first, steps) = match &it.kind {
            ExprKind::Parens(it) => return self.subject(it),
            ExprKind::Variable(name) => (*name, &[][..]),
            ExprKind::Steps(of, steps) => match of.kind {
                ExprKind::Variable(name) => (name, &**steps),
                _ => return None,
            },
            _ => return None,
        };
        let (of, steps) = match (first, steps) {
            (name, _) if self.is_name(name) => match self.names.last() {
                // The value of a loop with the same name for both hides the key.
                Some(it) if it.value == name && it.key != Some(name) => (Origin::Element, steps),
                Some(it) if it.key == Some(name) && it.value != name => (Origin::Key, steps),
                _ => return None,
            },
            ("var", [StepExpr::Attribute(name, _), rest @ ..]) => {
                (Origin::Variable((*name).to_owned()), rest)
            }
            _ => return None,
        };
        let steps = steps.iter().map(|it| match it.literal()? {
            TraversalStep::Name(name) => Some(Step::Attribute(name.as_str().into())),
            TraversalStep::Index(_) => None,
        });
        let path = steps.collect::<Option<Vec<_>>>()?.into_iter().fold(Path::ROOT, Path::then);
        Some(Subject { of, path })
    }

    /// Returns the value of an expression without references to variables.
    fn constant(&self, it: &Expr<'a>) -> Option<Typed> {
        // The name of a `for` expression can hide local values.
        if self.is_name("local") {
            return None;
        }
        let environment = Environment::Variables(self.constants);
        let mut scope = Scope::new(self.text, true).within(environment, LogicalOperators::default());
        scope.eval(it).ok().map(|it| it.typed).filter(|it| it.value.is_wholly_known())
    }

    /// Returns true if an enclosing `for` expression declares the name.
    fn is_name(&self, name: &str) -> bool {
        self.names.iter().any(|it| it.value == name || it.key == Some(name))
    }

    /// Returns true if the result of the expression can be determined for all values of the variables.
    fn is_determined(&self, it: &Expr<'a>) -> bool {
        let mut references = ReferenceCollector::default();
        references.walk(it);
        references.others.iter().all(|name| self.is_name(name))
            && references.locals.is_empty()
            && references.functions.iter().all(|it| DETERMINED.contains(&plain_name(it)))
    }
}

fn not(rule: Rule) -> Rule {
    Rule::Not(Box::new(rule))
}

fn size(rule: &Rule) -> usize {
    match rule {
        Rule::All(rules) | Rule::Any(rules) => rules.iter().map(size).sum(),
        Rule::Not(rule) | Rule::Test(_, Test::Each(rule) | Test::Some(rule)) => 1 + size(rule),
        Rule::Test(..) | Rule::Other => 1,
    }
}

fn without_parens<'e, 'a>(mut it: &'e Expr<'a>) -> &'e Expr<'a> {
    while let ExprKind::Parens(inner) = &it.kind {
        it = inner;
    }
    it
}

/// Returns the arguments of a call of this function.
fn arguments<'e, 'a, const N: usize>(it: &'e Expr<'a>, name: &str) -> Option<&'e [Expr<'a>; N]> {
    match &without_parens(it).kind {
        ExprKind::Call(call) if plain_name(call.name) == name && !call.expand => {
            (&*call.args).try_into().ok()
        }
        _ => None,
    }
}

/// Returns the numbers for which the comparison with a constant is true.
fn constant_range(operator: Binary, constant: &Value) -> Option<(Bound<Number>, Bound<Number>)> {
    let Value::Number(it) = constant else { return None };
    let it = || it.clone();
    Some(match operator {
        Binary::Less => (Bound::Unbounded, Bound::Excluded(it())),
        Binary::LessOrEqual => (Bound::Unbounded, Bound::Included(it())),
        Binary::Greater => (Bound::Excluded(it()), Bound::Unbounded),
        Binary::GreaterOrEqual => (Bound::Included(it()), Bound::Unbounded),
        Binary::Equal => (Bound::Included(it()), Bound::Included(it())),
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

    fn rule(condition: &str) -> Option<Rule> {
        Expression::parse(condition).ok()?.rule(&Variables::default())
    }

    #[test]
    fn undetermined_condition_has_no_rule() {
        for condition in ["var.a == path.module", "var.a > 0 && md5(var.b) == \"\"", "var.a == local.b"] {
            assert_eq!(rule(condition), None, "{condition}");
        }
    }

    #[test]
    fn condition_without_known_test_is_another_rule() {
        for condition in [
            "var.a == var.b",
            "lower(var.a) == \"a\"",
            "var.a[0] == 1",
            "alltrue([for a in var.a : a.b][*])",
            "length([for a in var.a : a if a > 0]) == 2",
            "contains([1, \"a\"], var.a)",
        ] {
            assert_eq!(rule(condition), Some(Rule::Other), "{condition}");
        }
    }

    #[test]
    fn inner_names_hide_outer_names() {
        let Some(Rule::Test(_, Test::Each(inner))) =
            rule("alltrue([for a in var.a : anytrue([for a in a.b : a > 1])])")
        else {
            panic!("a test of each element")
        };
        let Rule::Test(subject, Test::Some(inner)) = *inner else { panic!("a test of some element") };
        assert_eq!((subject.of, subject.path), (Origin::Element, Path::attribute("b")));
        assert!(matches!(*inner, Rule::Test(Subject { of: Origin::Element, .. }, Test::Range(..))));
        assert_eq!(
            rule("alltrue([for a in var.a : alltrue([for b in var.b : a > 1])])").map(|it| size(&it)),
            Some(3)
        );
    }
}
