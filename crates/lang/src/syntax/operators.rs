//! The binary operators and their operations.

use super::scanner::Sign;
use super::tree::{Binary, Expr, ExprKind};

/// Returns the binary operator for a token.
pub(super) fn operator(sign: Sign) -> Option<Binary> {
    Some(match sign {
        Sign::Or => Binary::Or,
        Sign::And => Binary::And,
        Sign::Equal => Binary::Equal,
        Sign::NotEqual => Binary::NotEqual,
        Sign::Less => Binary::Less,
        Sign::LessOrEqual => Binary::LessOrEqual,
        Sign::Greater => Binary::Greater,
        Sign::GreaterOrEqual => Binary::GreaterOrEqual,
        Sign::Plus => Binary::Add,
        Sign::Minus => Binary::Subtract,
        Sign::Star => Binary::Multiply,
        Sign::Slash => Binary::Divide,
        Sign::Percent => Binary::Remainder,
        _ => return None,
    })
}

/// Combines two operands and an operator. Adjacent operations of the same precedence are stored in one expression, so
/// that a long sum is not deeply nested.
pub(super) fn binary_expression<'a>(left: Expr<'a>, operator: Binary, right: Expr<'a>) -> Expr<'a> {
    let at = left.at.start..right.at.end;
    let kind = match left.kind {
        ExprKind::Binary(first, mut rest)
            if rest.first().is_some_and(|(it, _)| it.precedence() == operator.precedence()) =>
        {
            rest.push((operator, right));
            ExprKind::Binary(first, rest)
        }
        kind => {
            let first = Expr { kind, at: left.at };
            ExprKind::Binary(Box::new(first), vec![(operator, right)])
        }
    };
    Expr { kind, at }
}
