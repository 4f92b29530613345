//! What the configuration may set together.

use std::sync::Arc;

use crate::Pattern;

/// How an attribute of the configuration bears on others.
///
/// What is unknown may turn out to be set or not: it decides nothing, unless its refinements say that it will
/// not be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Set together with one of the others is wrong.
    ConflictsWith,
    /// Set without each of the others is wrong.
    Requires,
    /// Of it and the others exactly one must be set.
    ExactlyOneOf,
    /// Of it and the others at least one must be set.
    AtLeastOneOf,
}

/// How an attribute bears on others.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// How.
    pub kind: Kind,
    /// On which.
    pub others: Others,
}

/// Other attributes of the configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum Others {
    /// Those beside it, in the same object.
    Siblings(Vec<Arc<str>>),
    /// Those anywhere, from the root of the configuration.
    Anywhere(Vec<Pattern>),
}

/// How the attributes of a group go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// Exactly one of them is set.
    ExactlyOne,
    /// At least one of them is set.
    AtLeastOne,
    /// At most one of them is set.
    AtMostOne,
    /// All of them are set, or none.
    AllOrNone,
}

/// Attributes of one object that go together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// How.
    pub together: Together,
    /// Their names.
    pub names: Vec<Arc<str>>,
}
