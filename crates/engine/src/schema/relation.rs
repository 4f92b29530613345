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
    /// Each of the others is its write-only form: a host that knows such attributes warns who sets this one.
    PreferWriteOnly,
    /// As a number it is no less than the sum of the others; null counts as zero.
    AtLeastSumOf,
    /// As a number it is no more than the sum of the others; null counts as zero.
    AtMostSumOf,
    /// As a number it is the sum of the others; null counts as zero.
    EqualToSumOf,
    /// As a number it is the product of the others, once all of them are set.
    EqualToProductOf,
}

impl Kind {
    /// True where it is about what is set and what is not.
    pub fn is_of_presence(self) -> bool {
        matches!(self, Kind::ConflictsWith | Kind::Requires | Kind::ExactlyOneOf | Kind::AtLeastOneOf)
    }

    /// True where it is about numbers.
    pub fn is_of_numbers(self) -> bool {
        !self.is_of_presence() && self != Kind::PreferWriteOnly
    }
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Others {
    /// Those beside it, in the same object.
    pub siblings: Vec<Arc<str>>,
    /// Those anywhere else: from the root of the configuration, or relative to the attribute (of a group, to the
    /// object).
    pub elsewhere: Vec<Pattern>,
}

impl Others {
    /// Those beside it, in the same object.
    pub fn siblings<N: Into<Arc<str>>>(names: impl IntoIterator<Item = N>) -> Others {
        Others { siblings: names.into_iter().map(Into::into).collect(), elsewhere: Vec::new() }
    }

    /// And those that the patterns mean.
    #[must_use]
    pub fn and(mut self, patterns: impl IntoIterator<Item = Pattern>) -> Others {
        self.elsewhere.extend(patterns);
        self
    }
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

/// Attributes that go together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// How.
    pub together: Together,
    /// Which.
    pub members: Others,
}
