//! The references of an expression.
//!
//! ```
//! use ferroform_lang::body::Expression;
//!
//! let references = Expression::parse("[for x in var.list : x + local.offset + each.key]")?.references();
//! assert_eq!(references.variables[0].0, "list");
//! assert!(references.locals.contains("offset") && references.others.contains("each"));
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::collections::BTreeSet;

use super::tree::{Expr, ExprKind, Names, Part, StepExpr, TraversalStep};
use crate::diagnostic::Range;

/// Collects the references of an expression, except those to the variables of its `for` expressions.
#[derive(Debug, Default)]
pub(crate) struct ReferenceCollector<'a> {
    pub(crate) variables: Vec<(String, Range)>,
    pub(crate) locals: BTreeSet<String>,
    pub(crate) others: BTreeSet<String>,
    pub(crate) functions: BTreeSet<String>,
    pub(crate) calls: Vec<FunctionCall>,
    pub(crate) traversals: Vec<Traversal>,
    names: Vec<&'a str>,
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCall {
    /// The name: `upper`, or `provider::local::direxists`.
    pub name: String,
    /// The number of arguments; `None` if the last one is expanded with `...`.
    pub arguments: Option<usize>,
    /// The position of the call, in bytes.
    pub at: Range,
}

/// A reference with the attributes that it accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traversal {
    /// The names without indexes and splats: `data`, `local_file`, `a` and `content` for `data.local_file.a[0].content`.
    pub names: Vec<String>,
    /// The names and literal indexes up to the first other index or splat: `data`, `local_file`, `a`, `0` and `content`
    /// in the example.
    pub steps: Vec<TraversalStep>,
    /// The position of the reference, in bytes.
    pub at: Range,
}

impl<'a> ReferenceCollector<'a> {
    pub(crate) fn walk(&mut self, it: &Expr<'a>) {
        match &it.kind {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) => {}
            ExprKind::Template(parts) => self.parts(parts),
            ExprKind::Variable(name) => self.name(name),
            ExprKind::Steps(of, steps) => self.steps(of, steps, &it.at),
            ExprKind::Call(call) => {
                self.functions.insert(call.name.to_owned());
                let arguments = (!call.expand).then_some(call.args.len());
                self.calls.push(FunctionCall { name: call.name.to_owned(), arguments, at: it.at.clone() });
                // The second argument of `convert` is a type, whose keywords are not references.
                let count = if call.name == "convert" { 1 } else { call.args.len() };
                call.args.iter().take(count).for_each(|it| self.walk(it));
            }
            ExprKind::Tuple(elements) => elements.iter().for_each(|it| self.walk(it)),
            ExprKind::Object(items) => {
                for [key, value] in items.pairs() {
                    // An identifier is the key itself, not a reference.
                    if !matches!(key.kind, ExprKind::Variable(_)) {
                        self.walk(key);
                    }
                    self.walk(value);
                }
            }
            ExprKind::For(each) => {
                self.walk(&each.of);
                self.within(each.names, |collector| {
                    let parts = [each.key.as_ref(), Some(&each.value), each.condition.as_ref()];
                    parts.into_iter().flatten().for_each(|it| collector.walk(it));
                });
            }
            ExprKind::Parens(it) | ExprKind::Unary(_, it) => self.walk(it),
            ExprKind::Binary(first, rest) => {
                self.walk(first);
                rest.iter().for_each(|(_, it)| self.walk(it));
            }
            ExprKind::Conditional(it) => it.iter().for_each(|it| self.walk(it)),
        }
    }

    fn name(&mut self, name: &str) {
        if !self.names.contains(&name) {
            self.others.insert(name.to_owned());
        }
    }

    fn steps(&mut self, of: &Expr<'a>, steps: &[StepExpr<'a>], at: &Range) {
        if let ExprKind::Variable(first) = &of.kind
            && !self.names.contains(first)
        {
            let attributes = steps.iter().filter_map(|it| match it {
                StepExpr::Attribute(name, _) => Some(*name),
                _ => None,
            });
            let names = [*first].into_iter().chain(attributes).map(str::to_owned).collect();
            let first = TraversalStep::Name((*first).to_owned());
            let literals = steps.iter().map_while(StepExpr::literal);
            let steps = [first].into_iter().chain(literals).collect();
            self.traversals.push(Traversal { names, steps, at: at.clone() });
        }
        match (&of.kind, steps.first()) {
            (ExprKind::Variable("var"), Some(StepExpr::Attribute(name, _)))
                if !self.names.contains(&"var") =>
            {
                self.variables.push(((*name).to_owned(), at.clone()));
            }
            (ExprKind::Variable("local"), Some(StepExpr::Attribute(name, _)))
                if !self.names.contains(&"local") =>
            {
                self.locals.insert((*name).to_owned());
            }
            _ => self.walk(of),
        }
        for step in steps {
            if let StepExpr::Index(it) = step {
                self.walk(it);
            }
        }
    }

    fn parts(&mut self, parts: &[Part<'a>]) {
        for part in parts {
            match part {
                Part::Literal(_) => {}
                Part::Value(it) => self.walk(it),
                Part::If(condition, then, otherwise) => {
                    self.walk(condition);
                    self.parts(then);
                    self.parts(otherwise);
                }
                Part::For(names, of, body) => {
                    self.walk(of);
                    self.within(*names, |it| it.parts(body));
                }
            }
        }
    }

    fn within(&mut self, names: Names<'a>, inner: impl FnOnce(&mut Self)) {
        let before = self.names.len();
        self.names.extend(names.key);
        self.names.push(names.value);
        inner(self);
        self.names.truncate(before);
    }
}
