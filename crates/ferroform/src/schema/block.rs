//! The methods of [`Block`] that take a Rust type.

use super::Block;
use crate::Attr;
use crate::rule::{IntoRule, erase_for};

/// The methods of [`Block`] that take a Rust type.
pub trait BlockExt: Sized {
    /// Adds a rule for each object as a whole, as it stands in the configuration: mostly
    /// [`configured`](crate::validator::configured). Without a model it is a function of a [`Dynamic`](crate::Dynamic), which
    /// sees the object with its type; a [`Rule::new`] by itself sees the bare object.
    #[must_use]
    fn validate<T: Attr, How>(self, rule: impl IntoRule<T, How>) -> Self;
}

impl BlockExt for Block {
    fn validate<T: Attr, How>(mut self, rule: impl IntoRule<T, How>) -> Block {
        self.rules.push(erase_for(rule.into_rule()));
        self
    }
}
