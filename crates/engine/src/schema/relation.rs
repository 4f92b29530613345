//! Relations between attributes: which of them the configuration must or must not set together.

use std::sync::Arc;

use crate::Pattern;

/// How an attribute of the configuration is related to others.
///
/// An unknown value may turn out to be null or set, so it neither satisfies nor violates a relation, unless its
/// refinements exclude null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelationKind {
    /// It must not be set together with one of the others.
    ConflictsWith,
    /// If it is set, each of the others must be set.
    Requires,
    /// Exactly one of it and the others must be set.
    ExactlyOneOf,
    /// At least one of it and the others must be set.
    AtLeastOneOf,
    /// Each of the others is a write-only alternative. If Terraform supports write-only attributes, a configuration
    /// that sets this one gets a warning.
    PreferWriteOnly,
    /// It is a number that is at least the sum of the others; null counts as zero.
    AtLeastSumOf,
    /// It is a number that is at most the sum of the others; null counts as zero.
    AtMostSumOf,
    /// It is a number that is the sum of the others; null counts as zero.
    EqualToSumOf,
    /// It is a number that is the product of the others, once all of them are set.
    EqualToProductOf,
}

impl RelationKind {
    /// True if the relation is about which attributes are set.
    pub fn is_presence(self) -> bool {
        use RelationKind::{AtLeastOneOf, ConflictsWith, ExactlyOneOf, Requires};
        matches!(self, ConflictsWith | Requires | ExactlyOneOf | AtLeastOneOf)
    }

    /// True if the relation is about numbers.
    pub fn is_numeric(self) -> bool {
        !self.is_presence() && self != RelationKind::PreferWriteOnly
    }
}

/// A relation of an attribute to others.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Relation {
    /// The kind of the relation.
    pub kind: RelationKind,
    /// The other attributes.
    pub others: RelatedAttributes,
}

impl Relation {
    /// A relation of this kind to other attributes.
    pub fn new(kind: RelationKind, others: RelatedAttributes) -> Relation {
        Relation { kind, others }
    }
}

/// The other attributes of a relation, or the members of a group.
///
/// ```
/// use ferroform_engine::pattern;
/// use ferroform_engine::schema::RelatedAttributes;
///
/// let others = RelatedAttributes::siblings(["url"]).and([pattern!(defaults.url)]);
/// assert_eq!((others.siblings.len(), others.patterns.len()), (1, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RelatedAttributes {
    /// The names of attributes of the same object.
    pub siblings: Vec<Arc<str>>,
    /// Patterns of attributes of other objects: from the root of the configuration, or relative to the attribute (in a
    /// group, to the object).
    pub patterns: Vec<Pattern>,
}

impl RelatedAttributes {
    /// Attributes of the same object.
    pub fn siblings<N: Into<Arc<str>>>(names: impl IntoIterator<Item = N>) -> RelatedAttributes {
        RelatedAttributes { siblings: names.into_iter().map(Into::into).collect(), patterns: Vec::new() }
    }

    /// Adds the attributes that the patterns match.
    #[must_use]
    pub fn and(mut self, patterns: impl IntoIterator<Item = Pattern>) -> RelatedAttributes {
        self.patterns.extend(patterns);
        self
    }
}

/// The number of members of a group that the configuration must set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupRule {
    /// Exactly one of them.
    ExactlyOne,
    /// At least one of them.
    AtLeastOne,
    /// At most one of them.
    AtMostOne,
    /// All of them or none.
    AllOrNone,
}

/// A group of attributes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// The number of members that must be set.
    pub rule: GroupRule,
    /// The members.
    pub members: RelatedAttributes,
}
