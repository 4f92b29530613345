//! Configuration files: blocks, arguments, and expressions that may refer to something.
//!
//! ```
//! use ferroform_lang::body::{self, Names};
//! use ferroform_value::{Typed, Type, Value};
//!
//! let file = body::parse("variable \"size\" {\n  default = var.small + 1\n}\n")?;
//! let block = &file.blocks[0];
//! assert_eq!((block.name, &*block.labels[0].text), ("variable", "size"));
//!
//! let value = &block.body.arguments[0].value;
//! let mut names = Names::default();
//! names.set("small", Typed::new(Type::Number, Value::Number(4.into())));
//! assert_eq!(value.evaluate(&names).unwrap()?.value, Value::Number(5.into()));
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use ferroform_value::{NfcString, Path, Step, Typed};

use crate::diagnostic::{Errors, settle};
use crate::evaluation::Scope;
use crate::functions::is_function;
use crate::syntax::{self, Expr, ExprKind, RawBody, Uses};

/// What stands between the braces of a block, or in a whole file.
#[derive(Debug, Default)]
pub struct Body<'a> {
    /// What has an equals sign, in the order of the text. No name is there twice.
    pub arguments: Vec<Argument<'a>>,
    /// What has braces, in the order of the text.
    pub blocks: Vec<Block<'a>>,
}

/// A name with its value.
#[derive(Debug)]
pub struct Argument<'a> {
    /// The name.
    pub name: &'a str,
    /// Where the name stands, in bytes.
    pub name_at: Range<usize>,
    /// The value.
    pub value: Expression<'a>,
}

/// A name, labels, and a body in braces.
#[derive(Debug)]
pub struct Block<'a> {
    /// What kind of block it is.
    pub name: &'a str,
    /// Where that stands, in bytes.
    pub name_at: Range<usize>,
    /// What follows the name.
    pub labels: Vec<Label>,
    /// Where the name and the labels stand, in bytes.
    pub header: Range<usize>,
    /// What stands between the braces.
    pub body: Body<'a>,
}

/// A label of a block, with or without quotes.
#[derive(Debug)]
pub struct Label {
    /// The label without its quotes.
    pub text: String,
    /// Where it stands with them, in bytes.
    pub at: Range<usize>,
}

/// Reads a file of blocks and arguments.
///
/// # Errors
///
/// The first thing that is not written as the language asks.
pub fn parse(text: &str) -> Result<Body<'_>, Errors> {
    match parse_all(text, |_| false) {
        (it, None) => Ok(it),
        (_, Some(e)) => Err(e),
    }
}

/// Reads a file of blocks and arguments as far as it can be read: after something that is not written as the
/// language asks, it goes on with the next line that begins a block of one of the kinds that `starts` knows.
/// The block in which that is does not come out.
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
    let (raw, mistakes) = syntax::body(text, starts);
    (body(text, raw), settle(text, (), mistakes).err())
}

fn body<'a>(text: &'a str, raw: RawBody<'a>) -> Body<'a> {
    let arguments = raw.arguments.into_iter().map(|(name, name_at, expr)| Argument {
        name,
        name_at,
        value: Expression { text, expr },
    });
    let blocks = raw.blocks.into_iter().map(|it| Block {
        name: it.name,
        name_at: it.name_at,
        labels: it.labels.into_iter().map(|(text, at)| Label { text, at }).collect(),
        header: it.header,
        body: body(text, it.body),
    });
    Body { arguments: arguments.collect(), blocks: blocks.collect() }
}

/// An expression that is not computed yet.
#[derive(Debug)]
pub struct Expression<'a> {
    text: &'a str,
    expr: Expr<'a>,
}

impl<'a> Expression<'a> {
    /// Reads a text that is one expression.
    ///
    /// # Errors
    ///
    /// Where it is none.
    pub fn parse(text: &'a str) -> Result<Expression<'a>, Errors> {
        let expr = syntax::expression(text).map_err(|it| it.into_errors(text))?;
        Ok(Expression { text, expr })
    }

    /// Reads a text that is all template, as in quotes, but without escapes: what a string is in JSON.
    ///
    /// # Errors
    ///
    /// Where something in it is begun and not ended, or no expression.
    pub fn template(text: &'a str) -> Result<Expression<'a>, Errors> {
        let expr = syntax::template(text).map_err(|it| it.into_errors(text))?;
        Ok(Expression { text, expr })
    }

    /// Where it stands, in bytes.
    pub fn at(&self) -> Range<usize> {
        self.expr.at.clone()
    }

    /// Where the part of it stands that its value has at this place; as near as that is written out.
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

    /// Computes it without names and functions.
    ///
    /// # Errors
    ///
    /// Where it refers to something, or cannot be computed.
    pub fn constant(&self) -> Result<Typed, Errors> {
        let it = Scope::new(self.text, false).eval(&self.expr);
        it.map_err(|it| it.into_errors(self.text))
    }

    /// What it refers to.
    pub fn references(&self) -> References {
        let mut uses = Uses::default();
        uses.walk(&self.expr);
        References { variables: uses.variables, others: uses.others, functions: uses.functions }
    }

    /// Computes it with functions, and with `var.…` for each of the names. `None` where it needs something
    /// that cannot be computed here: another kind of reference, a function that there is not, a value that is
    /// not known, a pattern that is not understood with certainty.
    pub fn evaluate(&self, names: &Names) -> Option<Result<Typed, Errors>> {
        let uses = self.references();
        let known = |it: &Typed| it.value.is_wholly_known();
        let missing = |(name, _): &(String, Range<usize>)| !names.values.get(&**name).is_some_and(known);
        if !uses.others.is_empty() || uses.variables.iter().any(missing) || uses.unknown_function().is_some()
        {
            return None;
        }
        let mut scope = Scope::new(self.text, true).with_variables(&names.values);
        let it = scope.eval(&self.expr);
        if scope.declined() { None } else { Some(it.map_err(|it| it.into_errors(self.text))) }
    }

    pub(crate) fn raw(&self) -> (&'a str, &Expr<'a>) {
        (self.text, &self.expr)
    }
}

/// What an expression refers to.
#[derive(Debug)]
pub struct References {
    /// The names after `var.`, and where these references stand.
    pub variables: Vec<(String, Range<usize>)>,
    /// Everything else: `local.…`, a resource, `var` itself.
    pub others: BTreeSet<String>,
    /// The functions that are called.
    pub functions: BTreeSet<String>,
}

impl References {
    /// A function that is called and that [`Expression::evaluate`] does not have.
    pub fn unknown_function(&self) -> Option<&str> {
        self.functions.iter().map(String::as_str).find(|it| !is_function(it))
    }
}

/// The values that `var.…` stands for.
#[derive(Clone, Debug, Default)]
pub struct Names {
    values: BTreeMap<Arc<str>, Typed>,
}

impl Names {
    /// Gives a name its value.
    pub fn set(&mut self, name: impl Into<Arc<str>>, value: Typed) {
        self.values.insert(name.into(), value);
    }

    /// True where the name has a value.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }
}

/// Returns the value of the last item with this key in an object expression.
fn item<'e, 'a>(items: &'e [[Expr<'a>; 2]], name: &str) -> Option<&'e Expr<'a>> {
    let has_name = |key: &Expr<'_>| match &key.kind {
        ExprKind::Variable(key) => NfcString::new(key) == *name,
        _ => key.plain_text().is_some_and(|key| NfcString::new(key) == *name),
    };
    items.iter().rev().find(|[key, _]| has_name(key)).map(|[_, value]| value)
}
