//! The values and functions of expressions, as the caller of
//! [`Expression::evaluate_in`](crate::body::Expression::evaluate_in) provides them.

use super::logical_operators::LogicalOperators;
use crate::marks::Marked;

/// The values and functions that the expressions of a module can refer to.
///
/// ```
/// use ferroform_lang::body::{Expression, FailedCall, EvaluationContext, UnresolvedReference};
/// use ferroform_lang::marks::Marked;
/// use ferroform_value::Type;
///
/// /// A module with the resource `aws_vpc.main`, which does not exist yet.
/// struct Module {
///     main: Marked,
/// }
///
/// impl EvaluationContext for Module {
///     fn resolve(&self, names: &[&str]) -> Result<(&Marked, usize), UnresolvedReference> {
///         match names {
///             ["aws_vpc", "main", ..] => Ok((&self.main, 2)),
///             _ => Err(UnresolvedReference {
///                 summary: "Reference to undeclared resource".into(),
///                 detail: format!("A resource {} has not been declared in the root module.", names.join(".")),
///             }),
///         }
///     }
///
///     fn call(&self, _name: &str, _arguments: &[Marked]) -> Option<Result<Marked, FailedCall>> {
///         None
///     }
/// }
///
/// let module = Module { main: Marked::unknown("object({ id = string })".parse()?) };
/// let name = Expression::parse("\"vpc-${aws_vpc.main.id}\"")?.evaluate_in(&module)?;
/// assert_eq!(name.typed.ty, Type::String);
/// assert!(name.typed.value.is_unknown());
/// let errors = Expression::parse("aws_vpc.other.id")?.evaluate_in(&module).unwrap_err();
/// assert_eq!(errors.first().summary(), "Reference to undeclared resource");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait EvaluationContext {
    /// Resolves a reference by its first names: `["aws_vpc", "a", "id"]` for `aws_vpc.a.id`, or `["var", "x"]` for
    /// `var.x["k"]`. `names` are the attribute names up to the first index, splat or the end.
    ///
    /// Returns the value and the number of names that it covers: 2 for `aws_vpc.a`, `var.x`, `each.key` and
    /// `path.module`, 3 for `data.aws_vpc.a`, and 1 for `self`.
    ///
    /// # Errors
    ///
    /// Returns the error that Terraform reports if the reference is not declared.
    fn resolve(&self, names: &[&str]) -> Result<(&Marked, usize), UnresolvedReference>;

    /// Calls a function that this crate does not implement: `provider::local::direxists`, or one that needs files or
    /// the time, such as `file`, `templatefile`, `timestamp` and `uuid`. Returns `None` if there is no such function.
    fn call(&self, name: &str, arguments: &[Marked]) -> Option<Result<Marked, FailedCall>>;

    /// Returns the behavior of the operators `&&` and `||`.
    fn logical_operators(&self) -> LogicalOperators {
        LogicalOperators::default()
    }
}

/// The error of a reference that cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnresolvedReference {
    /// The summary, such as `Reference to undeclared resource`.
    pub summary: String,
    /// The detail.
    pub detail: String,
}

/// The error of a call with [`EvaluationContext::call`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCall {
    /// The summary, such as `Too many function arguments`; `None` if the function has returned the error.
    pub summary: Option<&'static str>,
    /// The index of the invalid argument; `None` if the error is not about a single argument.
    pub argument: Option<usize>,
    /// The detail: a sentence without a period at its end.
    pub detail: String,
}
