//! Expressions of the configuration language.
//!
//! Only what can be known without a configuration is computed: literals, templates and heredocs, operators,
//! conditions, `for`, indices. There are no variables, and functions only in [`evaluate`]; see
//! [`body`](crate::body) for expressions that refer to variables.
//!
//! ```
//! use ferroform_lang::expression;
//! use ferroform_value::{Number, Type, Value};
//!
//! let it = expression::constant("[1 + 1, \"a\"]")?;
//! assert_eq!(it.ty, Type::tuple([Type::Number, Type::String]));
//! assert_eq!(it.value, Value::Tuple(vec![Number::from(2).into(), "a".into()]));
//!
//! let wrong = expression::constant("[1, upper(\"a\")]").unwrap_err();
//! assert_eq!(wrong.first().summary(), "Function calls not allowed");
//! assert_eq!(wrong.first().span().start.column, 5);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```
//!
//! # Limits
//!
//! Expressions nest 100 deep, each bracket, sign and condition counted, and a text may make a million steps and
//! bytes of value more than it has bytes itself. What patterns do counts as steps. Widths in `format` go up to
//! 1000, digits for `parseint` up to 512.
//!
//! # Differences from Terraform
//!
//! Terraform does arithmetic at the precision of the operands, which is 64 bits for the result of `length` and
//! 53 for the result of `pow`: there `length([1]) / length([1, 2, 3])` has twenty digits. Here everything is
//! computed with 512 bits, as Terraform does with literals.
//!
//! The condition of a `for` over no elements is not evaluated; Terraform rejects one that could
//! never be true or false.

use std::collections::HashSet;
use std::sync::Arc;

use ferroform_value::{NfcString, Typed};

use crate::diagnostic::{Errors, Mistake, settle};
use crate::evaluation::Scope;
pub use crate::functions::functions;
use crate::syntax;

/// Computes an expression that refers to nothing: the right-hand side in a variables file.
///
/// # Errors
///
/// Where the text is no expression, or refers to a variable or a function.
pub fn constant(text: &str) -> Result<Typed, Errors> {
    whole(text, false)
}

/// Computes an expression with functions, as the console does.
///
/// The functions that need nothing but their arguments are available:
///
/// | for | functions |
/// | --- | --- |
/// | types | `tostring`, `tonumber`, `tobool`, `tolist`, `toset`, `tomap`, `try`, `can`, `coalesce`, `nonsensitive` |
/// | collections | `length`, `keys`, `values`, `lookup`, `merge`, `zipmap`, `transpose`, `contains`, `alltrue`, `anytrue`, `one` |
/// | lists | `concat`, `flatten`, `element`, `index`, `slice`, `range`, `chunklist`, `coalescelist`, `matchkeys`, `reverse`, `distinct`, `compact`, `sort` |
/// | sets | `setunion`, `setintersection`, `setsubtract`, `setproduct` |
/// | texts | `upper`, `lower`, `title`, `startswith`, `endswith`, `strcontains`, `trim`, `trimprefix`, `trimsuffix`, `trimspace`, `chomp`, `strrev`, `split`, `join`, `indent`, `replace`, `substr`, `basename`, `dirname`, `format`, `formatlist`, `regex`, `regexall` |
/// | numbers | `abs`, `ceil`, `floor`, `max`, `min`, `sum`, `signum`, `pow`, `parseint` |
/// | addresses | `cidrhost`, `cidrnetmask`, `cidrsubnet`, `cidrsubnets` |
/// | times | `formatdate`, `timeadd`, `timecmp` |
/// | encodings | `jsonencode`, `jsondecode`, `base64encode`, `base64decode`, `urlencode` |
///
/// # Errors
///
/// If `text` is not an expression or cannot be evaluated; also if it is not certain what Terraform would
/// return, see [`Expression::evaluate`](crate::body::Expression::evaluate).
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
    let made = syntax::expression(text).and_then(|it| Scope::new(text, functions).eval(&it));
    made.map_err(|it| it.into_errors(text))
}

/// Reads a variables file: names and constant values, in their order.
///
/// # Errors
///
/// All values that are not constant; or the first thing that is no name and value, or a name that is there
/// already.
///
/// ```
/// use ferroform_lang::expression;
///
/// let found = expression::attributes("name = \"web\" # words\nports = [80, 443]\n")?;
/// assert_eq!(&*found[1].0, "ports");
/// # Ok::<(), ferroform_lang::Errors>(())
/// ```
pub fn attributes(text: &str) -> Result<Vec<(Arc<str>, Typed)>, Errors> {
    let found = arguments(text)?;
    Ok(found.into_iter().map(|it| (it.name, it.value)).collect())
}

/// A name with its value, and where both stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The name.
    pub name: Arc<str>,
    /// Where the name stands, in bytes.
    pub name_at: std::ops::Range<usize>,
    /// The value.
    pub value: Typed,
    /// Where the value stands, in bytes.
    pub value_at: std::ops::Range<usize>,
}

pub(crate) fn arguments(text: &str) -> Result<Vec<Given>, Errors> {
    let found = syntax::attributes(text).map_err(|it| it.into_errors(text))?;
    let mut seen = HashSet::new();
    let mut done = Vec::with_capacity(found.len());
    let mut mistakes = Vec::new();
    for (name, name_at, expression) in found {
        let name: Arc<str> = NfcString::new(name).into();
        if !seen.insert(name.clone()) {
            let why = format!("The argument {name:?} is set more than once.");
            mistakes.push(Mistake::new("Attribute redefined", name_at.clone(), why));
        }
        match Scope::new(text, false).eval(&expression) {
            Ok(value) => done.push(Given { name, name_at, value, value_at: expression.at }),
            Err(it) => mistakes.push(it),
        }
    }
    settle(text, done, mistakes)
}
