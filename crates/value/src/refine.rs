//! What is known of an unknown value.

use crate::number::Number;

/// What is known of an unknown value all the same.
///
/// Which of these may be there follows from the type: a prefix for strings, bounds for numbers, lengths for
/// collections, and that it is not null for every type but `any`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Refinements {
    /// The value will not be null.
    pub not_null: bool,
    /// The string will begin with this.
    pub prefix: Option<String>,
    /// The number will be no less than this; with `true`, it may be equal.
    pub min: Option<(Number, bool)>,
    /// The number will be no greater than this; with `true`, it may be equal.
    pub max: Option<(Number, bool)>,
    /// The collection will have at least so many elements.
    pub len_min: Option<u64>,
    /// The collection will have at most so many elements.
    pub len_max: Option<u64>,
}
