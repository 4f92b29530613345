//! Configuration files: blocks, arguments, and expressions with references.
//!
//! ```
//! use ferroform_lang::body::{self, Variables};
//! use ferroform_value::{Typed, Type, Value};
//!
//! let file = body::parse("variable \"size\" {\n  default = var.small + 1\n}\n")?;
//! let block = &file.blocks[0];
//! assert_eq!((block.name, &*block.labels[0].text), ("variable", "size"));
//!
//! let value = &block.body.arguments[0].value;
//! let mut variables = Variables::default();
//! variables.set("small", Typed::new(Type::Number, Value::Number(4.into())));
//! assert_eq!(value.evaluate(&variables)?.value, Value::Number(5.into()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use ferroform_value::{NfcString, Path, Step, Type, Typed, Value};

use crate::diagnostic::{Errors, EvaluationError, result_or_errors};
use crate::evaluation::{Environment, LogicalOperators, Rejected, Scope};
pub use crate::evaluation::{EvaluationContext, FailedCall, UnresolvedReference, Variables};
use crate::functions::is_function;
use crate::marks::Marked;
use crate::syntax::{self, Expr, ExprKind, RawBlock, RawBody, ReferenceCollector, StepExpr};
pub use crate::syntax::{FunctionCall, Traversal, TraversalStep};

/// The body of a block, or of a whole file.
#[derive(Debug, Default)]
pub struct Body<'a> {
    /// The arguments in the order of the source. Each name occurs once.
    pub arguments: Vec<Argument<'a>>,
    /// The blocks in the order of the source.
    pub blocks: Vec<Block<'a>>,
}

/// An argument.
#[derive(Debug)]
pub struct Argument<'a> {
    /// The name.
    pub name: &'a str,
    /// The position of the name, in bytes.
    pub name_at: Range<usize>,
    /// The value.
    pub value: Expression<'a>,
}

/// A block.
#[derive(Debug)]
pub struct Block<'a> {
    /// The block type.
    pub name: &'a str,
    /// The position of the block type, in bytes.
    pub name_at: Range<usize>,
    /// The labels.
    pub labels: Vec<Label>,
    /// The position of the block type and the labels, in bytes.
    pub header: Range<usize>,
    /// The body.
    pub body: Body<'a>,
}

/// A label of a block, with or without quotes.
#[derive(Clone, Debug)]
pub struct Label {
    /// The label without quotes.
    pub text: String,
    /// The position of the label including its quotes, in bytes.
    pub at: Range<usize>,
}

/// Parses a configuration file.
///
/// # Errors
///
/// Returns the first syntax error.
pub fn parse(text: &str) -> Result<Body<'_>, Errors> {
    match parse_all(text, |_| false) {
        (it, None) => Ok(it),
        (_, Some(e)) => Err(e),
    }
}

/// Parses a configuration file and continues after syntax errors.
///
/// After a syntax error, parsing continues with the next line that starts a block whose type is accepted by `starts`.
/// The block with the error is omitted from the result.
///
/// ```
/// use ferroform_lang::body;
///
/// let text = "variable \"a\" {\n  default = [1 2]\n}\nvariable \"b\" {}\n";
/// let (file, errors) = body::parse_all(text, |kind| kind == "variable");
/// assert_eq!(file.blocks[0].labels[0].text, "b");
/// assert_eq!(errors.unwrap().first().summary(), "Missing item separator");
/// ```
pub fn parse_all(text: &str, starts: impl Fn(&str) -> bool) -> (Body<'_>, Option<Errors>) {
    let (raw, errors) = syntax::body(text, starts);
    (body(text, raw), result_or_errors(text, (), errors).err())
}

fn body<'a>(text: &'a str, raw: RawBody<'a>) -> Body<'a> {
    let arguments = raw.arguments.into_iter().map(|(name, name_at, expr)| Argument {
        name,
        name_at,
        value: Expression { text, expr },
    });
    let blocks = raw.blocks.into_iter().map(|it| block(text, it)).collect();
    Body { arguments: arguments.collect(), blocks }
}

pub(crate) fn block<'a>(text: &'a str, raw: RawBlock<'a>) -> Block<'a> {
    Block {
        name: raw.name,
        name_at: raw.name_at,
        labels: raw.labels.into_iter().map(|(text, at)| Label { text, at }).collect(),
        header: raw.header,
        body: body(text, raw.body),
    }
}

/// A parsed expression.
#[derive(Clone, Debug)]
pub struct Expression<'a> {
    text: &'a str,
    expr: Expr<'a>,
}

impl<'a> Expression<'a> {
    pub(crate) fn new(text: &'a str, expr: Expr<'a>) -> Expression<'a> {
        Expression { text, expr }
    }

    /// Parses a string that consists of one expression.
    ///
    /// # Errors
    ///
    /// Returns the first syntax error.
    pub fn parse(text: &'a str) -> Result<Expression<'a>, Errors> {
        let expr = syntax::expression(text).map_err(|it| it.into_errors(text))?;
        Ok(Expression { text, expr })
    }

    /// Parses a template without quotes and escape sequences, which is the content of a string in JSON configuration.
    ///
    /// # Errors
    ///
    /// Returns the first syntax error.
    ///
    /// ```
    /// use ferroform_lang::body::{Expression, Variables};
    ///
    /// let template = Expression::template("size: ${1 + 1}")?;
    /// assert_eq!(template.constant()?.value.as_str(), Some("size: 2"));
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn template(text: &'a str) -> Result<Expression<'a>, Errors> {
        let expr = syntax::template(text).map_err(|it| it.into_errors(text))?;
        Ok(Expression { text, expr })
    }

    /// Returns the position of the expression, in bytes.
    pub fn at(&self) -> Range<usize> {
        self.expr.at.clone()
    }

    /// Returns the position of the nested expression that determines the value at an attribute path. If the
    /// source does not contain it separately, it is the position of the enclosing expression.
    ///
    /// ```
    /// use ferroform_lang::body::Expression;
    /// use ferroform_value::Path;
    ///
    /// let text = "[{ port = 80 }, { port = \"x\" }]";
    /// let port = Path::ROOT.then(1.into()).name("port");
    /// assert_eq!(&text[Expression::parse(text)?.part(&port)], "\"x\"");
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn part(&self, path: &Path) -> Range<usize> {
        let mut it = &self.expr;
        for step in path.steps() {
            let found = match (&it.kind, step) {
                (ExprKind::Tuple(elements), Step::Index(i)) => elements.get(*i),
                (ExprKind::Object(items), Step::Attribute(name)) => item(items.pairs(), name),
                (ExprKind::Object(items), Step::Key(key)) => item(items.pairs(), key),
                _ => None,
            };
            match found {
                Some(inner) => it = inner,
                None => break,
            }
        }
        it.at.clone()
    }

    /// Evaluates a constant expression.
    ///
    /// # Errors
    ///
    /// Returns an error if the expression refers to a variable or a function, or if it cannot be evaluated.
    pub fn constant(&self) -> Result<Typed, Errors> {
        let it = Scope::new(self.text, false).eval(&self.expr);
        it.map(|it| it.typed).map_err(|it| it.into_errors(self.text))
    }

    /// Evaluates the parts of the expression that can be evaluated without a configuration. Each other part, such as a
    /// reference, is an unknown value of the type `any`.
    ///
    /// ```
    /// use ferroform_lang::body::Expression;
    /// use ferroform_value::Value;
    ///
    /// let parts = Expression::parse("[1 + 1, var.size, { name = local.name }]")?.known_parts()?;
    /// let Value::Tuple(elements) = parts.value else { unreachable!() };
    /// assert_eq!((&elements[0], &elements[1]), (&Value::from(2), &Value::UNKNOWN));
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if Terraform reports an error for a part whatever the references are.
    pub fn known_parts(&self) -> Result<Typed, Errors> {
        self.known_parts_of(&self.expr)
    }

    fn known_parts_of(&self, expr: &Expr<'a>) -> Result<Typed, Errors> {
        let variables = Variables::default();
        let mut scope = Scope::new(self.text, true)
            .within(Environment::Variables(&variables), LogicalOperators::default());
        match scope.eval(expr).map_err(|it| it.into_evaluation_error(self.text)) {
            Ok(it) => return Ok(it.typed),
            Err(EvaluationError::Invalid(errors)) => return Err(errors),
            Err(EvaluationError::Undetermined(_)) => {}
        }
        let unknown = || Typed::new(Type::Dynamic, Value::UNKNOWN);
        Ok(match &expr.kind {
            ExprKind::Parens(inner) => self.known_parts_of(inner)?,
            ExprKind::Tuple(elements) => {
                let elements =
                    elements.iter().map(|it| self.known_parts_of(it)).collect::<Result<Vec<_>, _>>()?;
                let (types, values): (Vec<_>, Vec<_>) =
                    elements.into_iter().map(|it| (it.ty, it.value)).unzip();
                Typed::new(Type::tuple(types), Value::Tuple(values))
            }
            ExprKind::Object(items) => {
                let mut parts: BTreeMap<Arc<str>, Typed> = BTreeMap::new();
                for [key, value] in items.pairs() {
                    let Some(name) = key_name(key) else { return Ok(unknown()) };
                    parts.insert(name.into(), self.known_parts_of(value)?);
                }
                let types: Vec<_> = parts.iter().map(|(name, it)| (name.clone(), it.ty.clone())).collect();
                let values = parts.into_iter().map(|(name, it)| (name, it.value));
                Typed::new(Type::object(types), Value::Object(values.collect()))
            }
            _ => unknown(),
        })
    }

    /// Returns the references of the expression.
    ///
    /// ```
    /// use ferroform_lang::body::Expression;
    ///
    /// let references = Expression::parse("upper(var.name) == local.name")?.references();
    /// assert_eq!(references.variables[0].0, "name");
    /// assert!(references.functions.contains("upper") && references.locals.contains("name"));
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn references(&self) -> ExpressionReferences {
        let mut collector = ReferenceCollector::default();
        collector.walk(&self.expr);
        let ReferenceCollector { variables, locals, others, functions, calls, traversals, .. } = collector;
        ExpressionReferences { variables, locals, others, functions, calls, traversals }
    }

    /// Returns the steps of a reference whose indexes are literals, for arguments that Terraform does not evaluate:
    /// `depends_on`, `ignore_changes`, `replace_triggered_by`, `provider`, or `to` in a `moved` block. Returns `None` for
    /// any other expression.
    ///
    /// ```
    /// use ferroform_lang::body::{Expression, TraversalStep};
    ///
    /// let steps = Expression::parse("aws_vpc.a[0]")?.static_traversal().unwrap_or_default();
    /// assert_eq!(steps[1..], [TraversalStep::Name("a".into()), TraversalStep::Index(0.into())]);
    /// assert_eq!(Expression::parse("aws_vpc.a[var.i]")?.static_traversal(), None);
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn static_traversal(&self) -> Option<Vec<TraversalStep>> {
        self.expr.traversal()
    }

    /// Returns the steps of a reference whose indexes are expressions, such as `to` in an `import` block. Returns `None` for any
    /// other expression, and for a splat.
    ///
    /// # Errors
    ///
    /// Returns the first error of an index.
    ///
    /// ```
    /// use ferroform_lang::body::{Expression, TraversalStep, Variables};
    /// # use ferroform_lang::body::{EvaluationContext, FailedCall, UnresolvedReference};
    /// # use ferroform_lang::marks::Marked;
    /// # struct Module;
    /// # impl EvaluationContext for Module {
    /// #     fn resolve(&self, _: &[&str]) -> Result<(&Marked, usize), UnresolvedReference> { unreachable!() }
    /// #     fn call(&self, _: &str, _: &[Marked]) -> Option<Result<Marked, FailedCall>> { None }
    /// # }
    ///
    /// let steps = Expression::parse("aws_vpc.a[upper(\"a]\")]")?.traversal_in(&Module)?.unwrap_or_default();
    /// assert_eq!(steps[2], TraversalStep::Index("A]".into()));
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn traversal_in(
        &self,
        context: &dyn EvaluationContext,
    ) -> Result<Option<Vec<TraversalStep>>, Errors> {
        let (root, steps): (_, &[StepExpr<'a>]) = match &self.expr.kind {
            ExprKind::Steps(of, steps) => (&of.kind, steps),
            kind => (kind, &[]),
        };
        let ExprKind::Variable(root) = root else { return Ok(None) };
        let mut found = vec![TraversalStep::Name((*root).to_owned())];
        for step in steps {
            found.push(match step {
                StepExpr::Attribute(name, _) => TraversalStep::Name((*name).to_owned()),
                StepExpr::Index(key) => {
                    TraversalStep::Index(self.with(key).evaluate_in(context)?.typed.value)
                }
                StepExpr::Splat(..) => return Ok(None),
            });
        }
        Ok(Some(found))
    }

    /// Returns the elements of a tuple expression, such as `[aws_vpc.a, aws_vpc.b]`; `None` for any other expression.
    ///
    /// ```
    /// use ferroform_lang::body::Expression;
    ///
    /// let elements = Expression::parse("[aws_vpc.a, aws_vpc.b]")?.tuple_elements().unwrap_or_default();
    /// assert!(elements.iter().all(|it| it.static_traversal().is_some()));
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn tuple_elements(&self) -> Option<Vec<Expression<'a>>> {
        match &self.expr.kind {
            ExprKind::Tuple(elements) => Some(elements.iter().map(|it| self.with(it)).collect()),
            _ => None,
        }
    }

    /// Returns the keys and values of an object expression, such as `{ aws.east = aws.west }`; `None` for any other
    /// expression. A key without quotes is a reference for [`Expression::static_traversal`].
    ///
    /// ```
    /// use ferroform_lang::body::Expression;
    ///
    /// let items = Expression::parse("{ aws.east = aws.west }")?.object_items().unwrap_or_default();
    /// let (key, value) = &items[0];
    /// assert_ne!(key.static_traversal(), value.static_traversal());
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn object_items(&self) -> Option<Vec<(Expression<'a>, Expression<'a>)>> {
        match &self.expr.kind {
            ExprKind::Object(items) => {
                let items = items.pairs().iter();
                Some(items.map(|[key, value]| (self.with(key), self.with(value))).collect())
            }
            _ => None,
        }
    }

    /// Returns the expression for a part of this expression.
    fn with(&self, expr: &Expr<'a>) -> Expression<'a> {
        Expression { text: self.text, expr: expr.clone() }
    }

    /// Evaluates the expression with functions, and with `var.…` and `local.…` for each of the names, as the latest
    /// version of Terraform does.
    ///
    /// # Errors
    ///
    /// Returns [`EvaluationError::Invalid`] if Terraform reports an error as well, and
    /// [`EvaluationError::Undetermined`] if the result depends on another kind of reference, an unsupported function, an
    /// unknown value, or a regular expression that Terraform may interpret differently.
    pub fn evaluate(&self, variables: &Variables) -> Result<Typed, EvaluationError> {
        self.evaluate_with(variables, LogicalOperators::default())
    }

    /// Evaluates the expression as [`Expression::evaluate`] does, with the logical operators of a version.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Expression::evaluate`].
    pub fn evaluate_with(
        &self,
        variables: &Variables,
        operators: LogicalOperators,
    ) -> Result<Typed, EvaluationError> {
        let mut scope = Scope::new(self.text, true).within(Environment::Variables(variables), operators);
        scope.eval(&self.expr).map(|it| it.typed).map_err(|e| e.into_evaluation_error(self.text))
    }

    /// Evaluates the expression as Terraform does while it plans or applies. Its references and functions can return
    /// unknown, sensitive and ephemeral values; see [`EvaluationContext`] for an example. In addition to the functions of
    /// [`evaluate`](crate::expression::evaluate), `sensitive`, `issensitive` and `ephemeralasnull` are available.
    ///
    /// The result is that of Terraform 1.11. Where it drops the sensitive mark of an unknown value, such as in
    /// `element(sensitive(unknown_list), 0)`, the result has no mark either.
    ///
    /// # Errors
    ///
    /// Returns the first error that Terraform reports as well. If the result in Terraform cannot be determined, such as
    /// that of a regular expression that Go and Rust interpret differently, it is an error as well.
    pub fn evaluate_in(&self, context: &dyn EvaluationContext) -> Result<Marked, Errors> {
        let mut scope =
            Scope::new(self.text, true).within(Environment::Context(context), context.logical_operators());
        scope.eval(&self.expr).map_err(|e| e.into_errors(self.text))
    }

    /// Returns the elements of variables that the expression rejects, if it is a condition with the value `false` that
    /// tests each element of a collection: the name of the variable and the path of the element, at most eight.
    ///
    /// ```
    /// use ferroform_lang::body::{Expression, Variables};
    /// use ferroform_lang::expression;
    ///
    /// let condition = Expression::parse("alltrue([for port in var.ports : port.number < 1024])")?;
    /// let mut variables = Variables::default();
    /// variables.set("ports", expression::constant("[{number = 80}, {number = 8080}]")?);
    /// let elements = condition.rejected_elements(&variables, Default::default());
    /// assert_eq!((&*elements[0].0, elements[0].1.to_string().as_str()), ("ports", "[1]"));
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn rejected_elements(
        &self,
        variables: &Variables,
        operators: LogicalOperators,
    ) -> Vec<(String, Path)> {
        let mut scope = Scope::new(self.text, true).within(Environment::Variables(variables), operators);
        let mut rejected = Rejected::default();
        rejected.collect(&mut scope, &self.expr);
        rejected.elements
    }

    pub(crate) fn raw(&self) -> (&'a str, &Expr<'a>) {
        (self.text, &self.expr)
    }
}

/// The references of an expression.
#[derive(Debug)]
pub struct ExpressionReferences {
    /// The names after `var.`, with the positions of the references.
    pub variables: Vec<(String, Range<usize>)>,
    /// The names after `local.`.
    pub locals: BTreeSet<String>,
    /// The first names of all other references, such as `path` or a resource type.
    pub others: BTreeSet<String>,
    /// The names of the called functions.
    pub functions: BTreeSet<String>,
    /// The calls of functions, with their number of arguments.
    pub calls: Vec<FunctionCall>,
    /// The references with the attributes that they access.
    pub traversals: Vec<Traversal>,
}

impl ExpressionReferences {
    /// Returns a called function that [`Expression::evaluate`] does not support. The result can be determined in spite
    /// of the call: `true || md5("a") == ""` is true.
    pub fn unknown_function(&self) -> Option<&str> {
        self.functions.iter().map(String::as_str).find(|it| !is_function(it))
    }
}

/// Returns the value of the last item with this key in an object expression.
fn item<'e, 'a>(items: &'e [[Expr<'a>; 2]], name: &str) -> Option<&'e Expr<'a>> {
    let has_name = |key: &Expr<'_>| key_name(key).is_some_and(|key| key == *name);
    items.iter().rev().find(|[key, _]| has_name(key)).map(|[_, value]| value)
}

/// Returns the key of an item in an object expression; `None` if it is not a literal.
fn key_name(key: &Expr<'_>) -> Option<NfcString> {
    match &key.kind {
        ExprKind::Variable(key) => Some(NfcString::new(key)),
        _ => key.literal_string().map(NfcString::new),
    }
}
