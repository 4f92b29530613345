//! Errors of numbers.

use std::fmt;

/// A string that is not a number, or an operation on numbers that has no result.
///
/// Numbers know nothing of paths and types, so this is an error of its own. It converts into
/// [`Error`](crate::Error) wherever the number is part of a value.
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
    /// The number is larger or smaller than numbers may be here.
    pub(super) const OUT_OF_RANGE: NumberError = NumberError(Kind::OutOfRange);

    /// The operation is not defined for its operands; `what` is the message.
    pub(super) fn undefined(what: &'static str) -> NumberError {
        NumberError(Kind::Undefined(what))
    }

    /// Returns true if the number's exponent exceeds what this crate supports, about 10^±19,700.
    pub fn is_out_of_range(&self) -> bool {
        self.0 == Kind::OutOfRange
    }

    /// Returns true if the operation has no result for its operands, as zero divided by zero.
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
            Kind::Undefined(what) => what,
        })
    }
}

impl std::error::Error for NumberError {}
