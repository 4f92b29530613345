//! Errors of numbers.

use std::fmt;

/// The error of parsing a number, or of an operation without a result.
///
/// It has no attribute path. It converts to [`Error`](crate::Error) for a number that is part of a value.
///
/// ```
/// use ferroform_value::Number;
///
/// let error = Number::parse("1e999999").unwrap_err();
/// assert!(error.is_out_of_range());
/// let error = Number::from(0).divide(&Number::from(0)).unwrap_err();
/// assert!(error.is_undefined());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberError(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Syntax,
    NotANumber,
    OutOfRange,
    Undefined(&'static str),
}

impl NumberError {
    /// The string is not a number.
    pub(super) const SYNTAX: NumberError = NumberError(Kind::Syntax);
    /// The float is "not a number".
    pub(super) const NOT_A_NUMBER: NumberError = NumberError(Kind::NotANumber);
    /// The exponent exceeds the limit of this crate.
    pub(super) const OUT_OF_RANGE: NumberError = NumberError(Kind::OutOfRange);

    /// Creates the error of an operation that is not defined for its operands.
    pub(super) fn undefined(message: &'static str) -> NumberError {
        NumberError(Kind::Undefined(message))
    }

    /// Returns true if the number exceeds the limits of this crate, about 10^±19,700.
    pub fn is_out_of_range(&self) -> bool {
        self.0 == Kind::OutOfRange
    }

    /// Returns true if the operation has no result for its operands, such as the quotient of two zeros.
    pub fn is_undefined(&self) -> bool {
        matches!(self.0, Kind::Undefined(_))
    }
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Syntax => "a number is required",
            Kind::NotANumber => "a number is required, but got NaN",
            Kind::OutOfRange => "the number is out of range",
            Kind::Undefined(message) => message,
        })
    }
}

impl std::error::Error for NumberError {}
