//! The methods of [`Block`] that take a Rust type.

use super::Block;
use crate::Attr;
use crate::validators::{IntoValidator, erased};

/// The methods of [`Block`] that take a Rust type.
pub trait BlockExt: Sized {
    /// Adds a rule for each object as a whole, as it stands in the configuration: mostly
    /// [`configured`](crate::validators::configured). Without a model it is a function of a [`Dynamic`](crate::Dynamic), which
    /// sees the object with its type; a [`Validator::new`](crate::validators::Validator::new) by itself sees the bare object.
    #[must_use]
    fn validate<T: Attr, How>(self, rule: impl IntoValidator<T, How>) -> Self;
}

impl BlockExt for Block {
    fn validate<T: Attr, How>(mut self, rule: impl IntoValidator<T, How>) -> Block {
        self.validators.push(erased(rule.into_validator()));
        self
    }
}
