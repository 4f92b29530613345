//! The versions of the operators `&&` and `||`.

/// The behavior of the operators `&&` and `||`, which depends on the version of Terraform or OpenTofu.
///
/// ```
/// use ferroform_lang::body::{Expression, Variables};
/// use ferroform_lang::expression::LogicalOperators;
/// use ferroform_value::Value;
///
/// let condition = Expression::parse("var.name == null || length(var.name) > 3")?;
/// let mut variables = Variables::default();
/// variables.set("name", ferroform_lang::expression::constant("null")?);
/// let evaluate = |operators| condition.evaluate_with(&variables, operators).map(|it| it.value);
///
/// assert_eq!(evaluate(LogicalOperators::ShortCircuit), Ok(Value::Bool(true)));
/// // The length of null is an error.
/// assert!(evaluate(LogicalOperators::Strict).is_err());
/// # Ok::<(), ferroform_lang::Errors>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogicalOperators {
    /// One operand can decide the result, even if the other one has an error or is null: Terraform 1.12 and later,
    /// and OpenTofu 1.10 and later.
    #[default]
    ShortCircuit,
    /// Both operands must be valid and not null: earlier versions.
    Strict,
}
