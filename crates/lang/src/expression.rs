//! Expressions of the configuration language.
//!
//! This module evaluates expressions without a configuration: literals, templates and heredocs, operators, conditional
//! expressions, `for` expressions and indices. [`evaluate`] also supports functions. The module [`body`](crate::body)
//! evaluates expressions that refer to variables.
//!
//! ```
//! use ferroform_lang::expression;
//! use ferroform_value::{Number, Type, Value};
//!
//! let tuple = expression::constant("[1 + 1, \"a\"]")?;
//! assert_eq!(tuple.ty, Type::tuple([Type::Number, Type::String]));
//! assert_eq!(tuple.value, Value::Tuple(vec![Number::from(2).into(), "a".into()]));
//!
//! let errors = expression::constant("[1, upper(\"a\")]").unwrap_err();
//! assert_eq!(errors.first().summary(), "Function calls not allowed");
//! assert_eq!(errors.first().span().start.column, 5);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```
//!
//! # Limits
//!
//! Expressions can be nested 100 levels deep. Each bracket, unary operator and condition is a level. The evaluation
//! is limited to one million steps and bytes in addition to the length of the source, including the steps of regular
//! expressions. The width in `format` is limited to 1000, and the number of digits in `parseint` to 512.
//!
//! # Differences from Terraform
//!
//! Terraform calculates with the precision of the operands, which is 64 bits for the result of `length` and 53 bits
//! for the result of `pow`. For example, `length([1]) / length([1, 2, 3])` has twenty digits in Terraform. This crate
//! always calculates with 512 bits, which is the precision of literals.
//!
//! The condition of a `for` expression over an empty collection is not evaluated. Terraform rejects a condition whose
//! type does not convert to bool, and [`Expression::evaluate_in`](crate::body::Expression::evaluate_in) does the same.

use std::collections::HashSet;
use std::sync::Arc;

use ferroform_value::{NfcString, Typed};

use crate::diagnostic::{Errors, SourceError, result_or_errors};
pub use crate::evaluation::LogicalOperators;
use crate::evaluation::Scope;
pub use crate::functions::{functions, known_functions};
use crate::syntax;

/// Evaluates a constant expression, such as a value in a `.tfvars` file.
///
/// # Errors
///
/// Returns an error if the string is not an expression, or if it refers to a variable or a function.
pub fn constant(text: &str) -> Result<Typed, Errors> {
    whole(text, false)
}

/// Evaluates an expression with functions, as the console does.
///
/// The functions whose results depend only on their arguments are available:
///
/// | group | functions |
/// | --- | --- |
/// | types | `tostring`, `tonumber`, `tobool`, `tolist`, `toset`, `tomap`, `try`, `can`, `coalesce`, `nonsensitive` |
/// | collections | `length`, `keys`, `values`, `lookup`, `merge`, `zipmap`, `transpose`, `contains` |
/// | collections of at most one element or of bools | `one`, `alltrue`, `anytrue` |
/// | list elements | `element`, `index`, `slice`, `distinct`, `compact`, `matchkeys`, `reverse`, `sort` |
/// | combining and creating lists | `concat`, `flatten`, `range`, `chunklist`, `coalescelist` |
/// | sets | `setunion`, `setintersection`, `setsubtract`, `setproduct` |
/// | strings | `upper`, `lower`, `title`, `strrev`, `split`, `join`, `indent`, `replace`, `substr` |
/// | parts of strings | `startswith`, `endswith`, `strcontains` |
/// | removing characters | `trim`, `trimprefix`, `trimsuffix`, `trimspace`, `chomp` |
/// | paths | `basename`, `dirname` |
/// | formats and patterns | `format`, `formatlist`, `regex`, `regexall` |
/// | numbers | `abs`, `ceil`, `floor`, `max`, `min`, `sum`, `signum`, `pow`, `parseint` |
/// | addresses | `cidrhost`, `cidrnetmask`, `cidrsubnet`, `cidrsubnets` |
/// | times | `formatdate`, `timeadd`, `timecmp` |
/// | encodings | `jsonencode`, `jsondecode`, `base64encode`, `base64decode`, `urlencode` |
///
/// # Errors
///
/// Returns an error if `text` is not an expression, if it cannot be evaluated, or if the result in Terraform cannot be
/// determined; see [`Expression::evaluate`](crate::body::Expression::evaluate).
///
/// ```
/// use ferroform_lang::{console, expression};
///
/// let it = expression::evaluate("toset([2, \"1\", 1])")?;
/// assert_eq!(console::show(&it), "toset([\n  \"1\",\n  \"2\",\n])");
/// # Ok::<(), ferroform_lang::Errors>(())
/// ```
pub fn evaluate(text: &str) -> Result<Typed, Errors> {
    whole(text, true)
}

fn whole(text: &str, functions: bool) -> Result<Typed, Errors> {
    let result = syntax::expression(text).and_then(|it| Scope::new(text, functions).eval(&it));
    result.map(|it| it.typed).map_err(|it| it.into_errors(text))
}

/// Parses and evaluates a `.tfvars` file. Returns the names and values in their order.
///
/// # Errors
///
/// Returns the first syntax error, or the errors of all values that are not constant and of all duplicate names.
///
/// ```
/// use ferroform_lang::expression;
///
/// let attributes = expression::attributes("name = \"web\" # comment\nports = [80, 443]\n")?;
/// assert_eq!(&*attributes[1].0, "ports");
/// # Ok::<(), ferroform_lang::Errors>(())
/// ```
pub fn attributes(text: &str) -> Result<Vec<(Arc<str>, Typed)>, Errors> {
    let found = arguments(text)?;
    Ok(found.into_iter().map(|it| (it.name, it.value)).collect())
}

/// An evaluated argument, with the positions of its name and value.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatedArgument {
    /// The name.
    pub name: Arc<str>,
    /// The position of the name, in bytes.
    pub name_at: std::ops::Range<usize>,
    /// The value.
    pub value: Typed,
    /// The position of the value, in bytes.
    pub value_at: std::ops::Range<usize>,
}

pub(crate) fn arguments(text: &str) -> Result<Vec<EvaluatedArgument>, Errors> {
    let found = syntax::attributes(text).map_err(|it| it.into_errors(text))?;
    let mut seen = HashSet::new();
    let mut evaluated = Vec::with_capacity(found.len());
    let mut errors = Vec::new();
    for (name, name_at, expression) in found {
        let name: Arc<str> = NfcString::new(name).into();
        if !seen.insert(name.clone()) {
            let detail = format!("The argument {name:?} is set more than once.");
            errors.push(SourceError::new("Attribute redefined", name_at.clone(), detail));
        }
        match Scope::new(text, false).eval(&expression) {
            Ok(value) => {
                let value = value.typed;
                evaluated.push(EvaluatedArgument { name, name_at, value, value_at: expression.at });
            }
            Err(it) => errors.push(it),
        }
    }
    result_or_errors(text, evaluated, errors)
}
