//! The syntax tree of expressions.

use crate::diagnostic::Range;
use ferroform_value::{Number, Type, Value};

#[derive(Clone, Debug)]
pub(crate) struct Expr<'a> {
    pub(crate) kind: ExprKind<'a>,
    pub(crate) at: Range,
}

impl Expr<'_> {
    /// Returns the literal string of a template without interpolations and directives.
    pub(crate) fn literal_string(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Template(it) => match &**it {
                [] => Some(""),
                [Part::Literal(it)] => Some(it),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the steps of a traversal whose indexes are literals: `a.b[0]`; `None` for any other expression.
    pub(crate) fn traversal(&self) -> Option<Vec<TraversalStep>> {
        match &self.kind {
            ExprKind::Variable(name) => Some(vec![TraversalStep::Name((*name).to_owned())]),
            ExprKind::Steps(of, steps) if matches!(of.kind, ExprKind::Variable(_)) => {
                of.traversal()?.into_iter().map(Some).chain(steps.iter().map(StepExpr::literal)).collect()
            }
            _ => None,
        }
    }

    /// Returns the value of a literal.
    fn literal(&self) -> Option<Value> {
        match &self.kind {
            ExprKind::Null => Some(Value::Null),
            ExprKind::Bool(it) => Some(Value::Bool(*it)),
            ExprKind::Number(it) => Some(Value::Number(it.clone())),
            _ => self.literal_string().map(Value::string),
        }
    }

    /// Returns true for a template that consists of one interpolation, whose result is the value itself.
    pub(crate) fn is_wrapped(&self) -> bool {
        matches!(&self.kind, ExprKind::Template(it) if matches!(**it, [Part::Value(_)]))
    }
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind<'a> {
    Null,
    Bool(bool),
    Number(Number),
    /// A quoted template or a heredoc. The result of a single interpolation is the value itself.
    Template(Vec<Part<'a>>),
    Variable(&'a str),
    /// A traversal: `.name`, `[0]`, `[*]`.
    Steps(Box<Expr<'a>>, Vec<StepExpr<'a>>),
    Call(Call<'a>),
    Tuple(Box<[Expr<'a>]>),
    Object(Items<'a>),
    For(Box<For<'a>>),
    Parens(Box<Expr<'a>>),
    Unary(Unary, Box<Expr<'a>>),
    /// Operations of the same precedence, from left to right.
    Binary(Box<Expr<'a>>, Vec<(Binary, Expr<'a>)>),
    /// The condition and the two results.
    Conditional(Box<[Expr<'a>; 3]>),
}

#[derive(Clone, Debug)]
pub(crate) struct Call<'a> {
    /// The name of the function, at the start of the expression.
    pub(crate) name: &'a str,
    /// The position of the opening parenthesis. The expression ends with the closing one.
    pub(crate) open: usize,
    pub(crate) args: Box<[Expr<'a>]>,
    /// True if `...` follows the last argument.
    pub(crate) expand: bool,
}

impl Call<'_> {
    /// Returns the position of the name. `at` is the position of the call expression.
    pub(crate) fn name_at(&self, at: &Range) -> Range {
        at.start..at.start + self.name.len()
    }

    /// Returns the position from the opening to the closing parenthesis. `at` is the position of the call expression.
    pub(crate) fn args_at(&self, at: &Range) -> Range {
        self.open..at.end
    }
}

/// The keys and values of an object, alternating.
#[derive(Clone, Debug)]
pub(crate) struct Items<'a>(pub(crate) Box<[Expr<'a>]>);

impl<'a> Items<'a> {
    /// Returns the keys with their values.
    pub(crate) fn pairs(&self) -> &[[Expr<'a>; 2]] {
        self.0.as_chunks().0
    }
}

#[derive(Clone, Debug)]
pub(crate) enum StepExpr<'a> {
    Attribute(&'a str, Range),
    Index(Expr<'a>),
    /// A splat, with the number of following steps that apply to each element.
    Splat(Range, usize),
}

impl StepExpr<'_> {
    /// Returns the position of the step.
    pub(crate) fn at(&self) -> &Range {
        match self {
            StepExpr::Attribute(_, at) | StepExpr::Splat(at, _) => at,
            StepExpr::Index(index) => &index.at,
        }
    }

    /// Returns the step if it is an attribute or an index that is a literal.
    pub(crate) fn literal(&self) -> Option<TraversalStep> {
        match self {
            StepExpr::Attribute(name, _) => Some(TraversalStep::Name((*name).to_owned())),
            StepExpr::Index(index) => index.literal().map(TraversalStep::Index),
            StepExpr::Splat(..) => None,
        }
    }
}

/// A step of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraversalStep {
    /// The first name, or the name of an attribute.
    Name(String),
    /// A literal index.
    Index(Value),
}

#[derive(Clone, Debug)]
pub(crate) struct For<'a> {
    pub(crate) names: Names<'a>,
    pub(crate) of: Expr<'a>,
    /// The key, for an object.
    pub(crate) key: Option<Expr<'a>>,
    pub(crate) value: Expr<'a>,
    /// True if `...` groups the values by key.
    pub(crate) group: bool,
    pub(crate) condition: Option<Expr<'a>>,
}

/// The names of the key and the value in a `for` expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    pub(crate) key: Option<&'a str>,
    pub(crate) value: &'a str,
}

#[derive(Clone, Debug)]
pub(crate) enum Part<'a> {
    Literal(String),
    Value(Expr<'a>),
    If(Expr<'a>, Vec<Part<'a>>, Vec<Part<'a>>),
    For(Names<'a>, Expr<'a>, Vec<Part<'a>>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unary {
    Negate,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Binary {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Unary {
    /// Returns the type of the result.
    pub(crate) fn ty(self) -> Type {
        match self {
            Unary::Negate => Type::Number,
            Unary::Not => Type::Bool,
        }
    }
}

impl Binary {
    /// Returns the type of the result.
    pub(crate) fn ty(self) -> Type {
        if self.precedence() < 5 { Type::Bool } else { Type::Number }
    }

    /// Returns the precedence. An operator with a higher precedence binds more tightly.
    pub(crate) fn precedence(self) -> u8 {
        match self {
            Binary::Or => 1,
            Binary::And => 2,
            Binary::Equal | Binary::NotEqual => 3,
            Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => 4,
            Binary::Add | Binary::Subtract => 5,
            Binary::Multiply | Binary::Divide | Binary::Remainder => 6,
        }
    }
}
