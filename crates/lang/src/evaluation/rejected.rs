//! The elements that a false condition rejects.
//!
//! Conditions of validations often test each element of a collection: `alltrue([for x in var.list : x > 0])`. If such a
//! condition is false, the elements whose test is false are known.

use ferroform_value::{Number, Path, Step, Type, Typed, Value};

use super::scope::Scope;
use crate::functions::plain_name;
use crate::syntax::{Binary, Expr, ExprKind, For, StepExpr};

/// An element of a variable: the name of the variable, and the path of the element.
pub(crate) type Element = (String, Path);

/// The maximum number of elements.
const MAX_ELEMENTS: usize = 8;

/// Collects rejected elements.
#[derive(Default)]
pub(crate) struct Rejected<'a> {
    pub(crate) elements: Vec<Element>,
    /// The elements that the enclosing `for` expressions iterate over, by the name of the variable.
    names: Vec<(&'a str, Element)>,
}

impl<'a> Rejected<'a> {
    /// Collects the elements that an expression with the value `false` rejects.
    pub(crate) fn collect(&mut self, scope: &mut Scope<'a>, it: &Expr<'a>) {
        match &it.kind {
            ExprKind::Parens(it) => self.collect(scope, it),
            ExprKind::Binary(first, rest) => self.binary(scope, first, rest),
            ExprKind::Conditional(branches) => {
                let [condition, then, otherwise] = &**branches;
                match truth(scope, condition) {
                    Some(true) => self.collect(scope, then),
                    Some(false) => self.collect(scope, otherwise),
                    None => {}
                }
            }
            ExprKind::Call(call) if plain_name(call.name) == "alltrue" && !call.expand => {
                if let [Expr { kind: ExprKind::For(each), .. }] = &*call.args {
                    self.for_each(scope, each, false);
                }
            }
            _ => {}
        }
    }

    fn binary(&mut self, scope: &mut Scope<'a>, first: &Expr<'a>, rest: &[(Binary, Expr<'a>)]) {
        match rest {
            [(Binary::Equal, Expr { kind: ExprKind::Number(number), .. })] if *number == Number::from(0) => {
                // `length([for x in var.list : x if x < 1]) == 0`
                if let ExprKind::Call(call) = &first.kind
                    && plain_name(call.name) == "length"
                    && let [Expr { kind: ExprKind::For(each), .. }] = &*call.args
                {
                    self.for_each(scope, each, true);
                }
            }
            [(Binary::And | Binary::Or, _), ..] => {
                for it in std::iter::once(first).chain(rest.iter().map(|(_, it)| it)) {
                    if truth(scope, it) == Some(false) {
                        self.collect(scope, it);
                    }
                }
            }
            _ => {}
        }
    }

    /// Collects the elements whose test is false, or those that the condition `if` selects.
    fn for_each(&mut self, scope: &mut Scope<'a>, each: &For<'a>, rejects_selected: bool) {
        let Some((variable, path)) = self.element(&each.of) else { return };
        let Ok(collection) = scope.eval(&each.of) else { return };
        let ty = collection.typed.ty;
        let Ok(entries) = scope.entries(&each.of) else { return };
        for (key, value) in entries.entries.into_iter().flatten() {
            if self.elements.len() >= MAX_ELEMENTS {
                return;
            }
            let step = step(&key.typed, matches!(ty, Type::Map(_)), matches!(ty, Type::Set(_)));
            let element = (variable.clone(), path.clone().then(step));
            let result = scope.with(each.names, key, value, |scope| {
                let is_selected = each.condition.as_ref().is_none_or(|it| truth(scope, it) == Some(true));
                let is_rejected =
                    is_selected && (rejects_selected || truth(scope, &each.value) == Some(false));
                if is_rejected {
                    let before = self.elements.len();
                    self.names.push((each.names.value, element.clone()));
                    if !rejects_selected {
                        self.collect(scope, &each.value);
                    }
                    self.names.pop();
                    // The test of the element does not test its own elements.
                    if self.elements.len() == before {
                        self.elements.push(element);
                    }
                }
                Ok(())
            });
            if result.is_err() {
                return;
            }
        }
    }

    /// Returns the element that an expression refers to: `var.list`, `var.object.list`, or `x.list` for the variable
    /// `x` of a `for` expression.
    fn element(&self, it: &Expr<'a>) -> Option<Element> {
        match &it.kind {
            ExprKind::Parens(it) => self.element(it),
            ExprKind::Variable(name) => self.name(name),
            ExprKind::Steps(of, steps) => {
                let ((variable, path), rest) = match (&of.kind, &**steps) {
                    (ExprKind::Variable("var"), [StepExpr::Attribute(name, _), rest @ ..])
                        if self.name("var").is_none() =>
                    {
                        (((*name).to_owned(), Path::ROOT), rest)
                    }
                    (_, rest) => (self.element(of)?, rest),
                };
                rest.iter()
                    .try_fold(path, |path, step| match step {
                        StepExpr::Attribute(name, _) => Some(path.name(*name)),
                        _ => None,
                    })
                    .map(|path| (variable, path))
            }
            _ => None,
        }
    }

    fn name(&self, name: &str) -> Option<Element> {
        self.names.iter().rev().find(|(it, _)| *it == name).map(|(_, it)| it.clone())
    }
}

/// Returns the value of a condition; `None` if it is neither true nor false.
fn truth<'a>(scope: &mut Scope<'a>, it: &Expr<'a>) -> Option<bool> {
    let it = scope.eval(it).ok()?.typed;
    match ferroform_value::convert::convert(it.value, &it.ty, &Type::Bool).ok()?.value {
        Value::Bool(it) => Some(it),
        _ => None,
    }
}

/// Returns the path step of the element with a key.
fn step(key: &Typed, is_map: bool, is_set: bool) -> Step {
    match &key.value {
        value if is_set => Step::Element(Box::new(value.clone())),
        Value::Number(it) => Step::Index(it.to_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(0)),
        Value::String(it) if is_map => Step::Key(it.clone()),
        Value::String(it) => Step::Attribute(it.clone().into()),
        value => Step::Element(Box::new(value.clone())),
    }
}
