//! Numbers as Terraform keeps them.

use std::fmt;

/// A number, with the precision that Terraform gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Number(i64);

impl From<i64> for Number {
    fn from(it: i64) -> Number {
        Number(it)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
