//! Variable definitions files: `.tfvars` and `.tfvars.json`.
//!
//! A value is kept as its position in the source, and is read when it is needed. A file with a list of 200,000 small
//! objects takes about four times its size in memory, in addition to the values.
//!
//! ```
//! use ferroform_lang::type_constraint::Constraint;
//! use ferroform_lang::{console, values};
//!
//! let (file, errors) = values::parse("ports = [\"80\", 443]\n");
//! assert!(errors.is_none());
//! let ports = &file.assignments[0];
//! let constraint = Constraint::parse("list(number)")?;
//! let fitted = ports.value.fit(&constraint).expect("the value is constant");
//! assert_eq!((ports.name, console::show(&fitted.value).as_str()), ("ports", "tolist([\n  80,\n  443,\n])"));
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::ops::Range;

use ferroform_value::{Path, Typed};

use crate::body::{Block, Expression, block};
use crate::diagnostic::{Errors, result_or_errors};
use crate::evaluation::Scope;
pub use crate::reading::MAX_ELEMENTS;
use crate::reading::{JsonSource, NativeSource, Shape, read, skip_native};
use crate::syntax::{self, Parser};
use crate::type_constraint::Constraint;

/// A variables file.
#[derive(Debug, Default)]
pub struct VariablesFile<'a> {
    /// The assignments in the order of the source. Each name occurs once.
    pub assignments: Vec<Assignment<'a>>,
    /// The blocks, which are not allowed in a variables file.
    pub blocks: Vec<Block<'a>>,
}

/// A value and the name of its variable.
#[derive(Debug)]
pub struct Assignment<'a> {
    /// The name of the variable.
    pub name: &'a str,
    /// The position of the name, in bytes.
    pub name_at: Range<usize>,
    /// The value.
    pub value: AssignedValue<'a>,
}

/// Parses a variable definitions file. After a syntax error, the result contains the assignments before it.
///
/// ```
/// let (file, errors) = ferroform_lang::values::parse("a = 1\nb = [1 2]\n");
/// assert_eq!(file.assignments.len(), 1);
/// assert_eq!(errors.unwrap().first().summary(), "Missing item separator");
/// ```
pub fn parse(text: &str) -> (VariablesFile<'_>, Option<Errors>) {
    let (raw, errors) = syntax::values(text, skip_native);
    let assignments = raw.arguments.into_iter().map(|(name, name_at, placeholder)| {
        let value =
            AssignedValue { text, start: placeholder.at.start, end: placeholder.at.end, is_json: false };
        Assignment { name, name_at, value }
    });
    let file = VariablesFile {
        assignments: assignments.collect(),
        blocks: raw.blocks.into_iter().map(|it| block(text, it)).collect(),
    };
    (file, result_or_errors(text, (), errors).err())
}

/// The position of a value in a variables file.
#[derive(Clone, Copy, Debug)]
pub struct AssignedValue<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    is_json: bool,
}

/// A value that is converted to the type of a constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The value.
    pub value: Typed,
    /// True if the source can have attributes that the type does not have.
    pub has_undeclared: bool,
}

impl<'a> From<&Expression<'a>> for AssignedValue<'a> {
    /// Returns the position of an expression.
    fn from(it: &Expression<'a>) -> AssignedValue<'a> {
        let at = it.at();
        AssignedValue { text: it.raw().0, start: at.start, end: at.end, is_json: false }
    }
}

impl<'a> AssignedValue<'a> {
    /// Returns the value in JSON at a position.
    ///
    /// ```
    /// use ferroform_lang::values::AssignedValue;
    ///
    /// let value = AssignedValue::json(r#"{"sizes": [1, 2]}"#, 10..16);
    /// assert_eq!(value.read().unwrap().ty.to_string(), "tuple([number, number])");
    /// ```
    pub fn json(text: &'a str, at: Range<usize>) -> AssignedValue<'a> {
        AssignedValue { text, start: at.start, end: at.end, is_json: true }
    }

    /// Returns the position of the value, in bytes.
    pub fn at(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Reads a value; `None` if it has an error, or if only the parser can read it.
    pub fn read(&self) -> Option<Typed> {
        if self.is_json {
            return read(&mut JsonSource::new(self.source()));
        }
        let mut parser = self.parser();
        read(&mut NativeSource::new(&mut parser, Some(Scope::new(self.text, false))))
    }

    /// Reads a value and converts it to the type of a constraint, after the defaults of optional attributes are applied.
    /// Returns `None` if the value has an error, if it does not convert, or if the type contains `any`.
    pub fn fit(&self, constraint: &Constraint) -> Option<Fitted> {
        let shape = Shape::new(constraint)?;
        let mut has_undeclared = false;
        let value = if self.is_json {
            shape.read(&mut JsonSource::new(self.source()), &mut has_undeclared)?
        } else {
            let mut parser = self.parser();
            let mut source = NativeSource::new(&mut parser, Some(Scope::new(self.text, false)));
            shape.read(&mut source, &mut has_undeclared)?
        };
        Some(Fitted { value: Typed::new(constraint.ty.without_optional(), value), has_undeclared })
    }

    /// Parses a value in HCL.
    ///
    /// # Errors
    ///
    /// Returns the first syntax error.
    pub fn expression(&self) -> Result<Expression<'a>, Errors> {
        let expression = self.parser().expression().map_err(|e| e.into_errors(self.text))?;
        Ok(Expression::new(self.text, expression))
    }

    /// Evaluates a value in HCL.
    ///
    /// # Errors
    ///
    /// Returns an error if the expression refers to a variable or a function, or if it cannot be evaluated.
    pub fn constant(&self) -> Result<Typed, Errors> {
        match self.read() {
            Some(it) => Ok(it),
            None => self.expression()?.constant(),
        }
    }

    /// Returns the position of the nested value in HCL that determines the value at an attribute path.
    pub fn part(&self, path: &Path) -> Range<usize> {
        self.expression().map_or_else(|_| self.at(), |it| it.part(path))
    }

    /// Returns the source of the value.
    pub fn source(&self) -> &'a str {
        &self.text[self.at()]
    }

    fn parser(&self) -> Parser<'a> {
        let mut parser = Parser::new(self.text, true);
        parser.restart(self.start);
        parser
    }
}
