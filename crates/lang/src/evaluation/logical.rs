//! The operators `&&` and `||`.
//!
//! Since Terraform 1.12, one operand can decide the result, even if the other operand has an error or is null. Both
//! operands are still evaluated and must be convertible to bool:
//!
//! | expression | since 1.12 | before |
//! | --- | --- | --- |
//! | `true \|\| tobool("x")` | `true` | an error |
//! | `tobool("x") \|\| true` | `true` | an error |
//! | `null \|\| true` | `true` | an error |
//! | `true && null` | `false` | an error |
//! | `null \|\| false` | an error | an error |
//! | `true \|\| "x"` | an error, because the string is not a bool | an error |
//! | `unknown \|\| true` | `true` | unknown |
//! | `unknown \|\| tobool("x")` | unknown | an error |
//!
//! ```
//! use ferroform_lang::expression;
//!
//! assert_eq!(expression::evaluate("true || tobool(\"x\")")?.value, true.into());
//! assert!(expression::evaluate("true || \"x\"").is_err());
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use super::logical_operators::LogicalOperators;
use super::scope::{Outcome, failed};
use crate::diagnostic::{Range, SourceError};
use crate::marks::{Marked, Marks};
use crate::syntax::Binary;
use crate::unknown::not_null;
use ferroform_value::convert::{Availability, availability, convert};
use ferroform_value::{Type, Typed, Value};

/// An operand that is evaluated and converted to bool.
enum Operand {
    Bool(bool),
    Null,
    Unknown,
    /// The operand has an error, but the expression without the error would convert to bool. Terraform continues with
    /// an unknown value.
    Failed(SourceError),
    /// The operand does not convert to bool. The other operand cannot decide the result.
    Unsuitable(SourceError),
}

impl Operand {
    fn new(outcome: Outcome<Marked>, at: &Range, marks: &mut Marks) -> Operand {
        let it = match outcome {
            Ok(it) => it,
            Err(e) => {
                return match e.ty() {
                    Some(Type::Dynamic) => Operand::Failed(e),
                    Some(ty) if availability(ty, &Type::Bool) != Availability::None => Operand::Failed(e),
                    Some(_) => Operand::Unsuitable(e),
                    None => Operand::Unsuitable(e.into_undetermined()),
                };
            }
        };
        let (it, of_operand) = it.unmarked();
        marks.extend(of_operand);
        match convert(it.value, &it.ty, &Type::Bool).map(|it| it.value) {
            Ok(Value::Bool(it)) => Operand::Bool(it),
            Ok(Value::Null) => Operand::Null,
            Ok(_) => Operand::Unknown,
            Err(e) => {
                let detail = format!("The operand is not suitable: {e}.");
                Operand::Unsuitable(SourceError::new("Invalid operand", at.clone(), detail))
            }
        }
    }

    /// Returns true if the operand decides the result. As in Terraform, null decides like `false`.
    fn decides(&self, operator: Binary) -> bool {
        match self {
            Operand::Bool(it) => *it == (operator == Binary::Or),
            Operand::Null => operator == Binary::And,
            Operand::Unknown | Operand::Failed(_) | Operand::Unsuitable(_) => false,
        }
    }
}

/// Returns the result of `&&` or `||` from both operands with their positions.
pub(super) fn logical(
    operators: LogicalOperators,
    operator: Binary,
    (left, left_at, right, right_at): (Outcome<Marked>, &Range, Outcome<Marked>, &Range),
    at: &Range,
) -> Outcome<Marked> {
    let mut marks = Marks::none();
    let (left, right) = (Operand::new(left, left_at, &mut marks), Operand::new(right, right_at, &mut marks));
    let is_short_circuited = operators == LogicalOperators::ShortCircuit
        && !matches!((&left, &right), (Operand::Unsuitable(_), _) | (_, Operand::Unsuitable(_)))
        && (left.decides(operator) || right.decides(operator));
    let result = if is_short_circuited {
        Some(operator == Binary::Or)
    } else {
        match (left, right) {
            // An unknown operand may decide the result, so an error or null in the other one is not reported.
            (Operand::Unknown, Operand::Unknown | Operand::Failed(_) | Operand::Bool(_) | Operand::Null)
            | (Operand::Bool(_) | Operand::Null, Operand::Unknown)
                if operators == LogicalOperators::ShortCircuit =>
            {
                None
            }
            // The undetermined operand could decide the result in spite of the error of the other one.
            (_, Operand::Failed(e) | Operand::Unsuitable(e)) if e.is_undetermined() => return Err(e),
            (
                Operand::Failed(left) | Operand::Unsuitable(left),
                Operand::Failed(right) | Operand::Unsuitable(right),
            ) => return Err(left.and(right)),
            (Operand::Failed(e) | Operand::Unsuitable(e), _)
            | (_, Operand::Failed(e) | Operand::Unsuitable(e)) => return Err(e),
            // As in Terraform, null is an error only if both operands are suitable.
            (Operand::Null, _) | (_, Operand::Null) => return Err(failed(at, "an operand is null")),
            (Operand::Bool(left), Operand::Bool(right)) => {
                Some(if operator == Binary::And { left && right } else { left || right })
            }
            (Operand::Unknown, _) | (_, Operand::Unknown) => None,
        }
    };
    let result = match result {
        Some(it) => Typed::new(Type::Bool, Value::Bool(it)),
        // As in Terraform before 1.12, the result has no marks in this case.
        None if operators == LogicalOperators::Strict => return Ok(not_null(Type::Bool).into()),
        None => not_null(Type::Bool),
    };
    Ok(Marked::from(result).with(marks))
}
