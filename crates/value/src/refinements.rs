//! Refinements of unknown values.

use std::ops::{Bound, RangeBounds};

use crate::nfc_string::NfcString;
use crate::number::Number;

/// Constraints on the final value of an unknown value.
///
/// Terraform derives refinements from expressions: the result of `"https://${aws_lb.a.dns_name}"` is unknown, but not
/// null, and begins with `https://`. Every type except `any` can be refined as not null. The other refinements depend
/// on the type; see [`RefinementKind`].
///
/// ```
/// use ferroform_value::{Number, RefinementKind, Refinements, Value};
///
/// let url = Refinements::new().not_null().with_prefix("https://");
/// assert_eq!(url.prefix(), Some("https://"));
/// assert!(url.is_not_null());
/// let value = Value::unknown(url);
/// assert!(value.is_unknown());
///
/// let port = Refinements::new().with_range(Number::from(1)..=Number::from(65535));
/// assert!(matches!(port.kind(), RefinementKind::Number { .. }));
/// let zones = Refinements::new().with_length(2..);
/// assert_eq!((zones.min_length(), zones.max_length()), (2, None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Refinements {
    not_null: bool,
    kind: RefinementKind,
}

/// The refinement that applies to values of one kind of type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum RefinementKind {
    /// No refinement, except possibly [not null](Refinements::is_not_null).
    #[default]
    Any,
    /// A string that begins with this prefix, which is not empty.
    String {
        /// The prefix.
        prefix: NfcString,
    },
    /// A number within bounds. At least one bound is finite.
    Number {
        /// The lower bound.
        min: Bound<Number>,
        /// The upper bound.
        max: Bound<Number>,
    },
    /// A list, set or map whose number of elements is within these bounds. There is at least one bound. Bounds are
    /// inclusive, except for the upper bound of an empty range.
    Collection {
        /// The lower bound.
        min: Bound<u64>,
        /// The upper bound.
        max: Bound<u64>,
    },
}

impl Refinements {
    /// Creates refinements that exclude no value.
    pub fn new() -> Refinements {
        Refinements::default()
    }

    /// Refines the final value as not null.
    #[must_use]
    pub fn not_null(self) -> Refinements {
        Refinements { not_null: true, ..self }
    }

    /// Sets the prefix of the final string. An empty prefix excludes no value.
    #[must_use]
    pub fn with_prefix(self, prefix: impl Into<NfcString>) -> Refinements {
        let prefix = prefix.into();
        let kind = if prefix.is_empty() { RefinementKind::Any } else { RefinementKind::String { prefix } };
        Refinements { kind, ..self }
    }

    /// Sets the range of the final number. An infinite bound excludes no value.
    #[must_use]
    pub fn with_range(self, range: impl RangeBounds<Number>) -> Refinements {
        let finite = |bound: Bound<&Number>| match bound {
            Bound::Included(number) | Bound::Excluded(number) if number.is_infinite() => Bound::Unbounded,
            bound => bound.cloned(),
        };
        let kind = match (finite(range.start_bound()), finite(range.end_bound())) {
            (Bound::Unbounded, Bound::Unbounded) => RefinementKind::Any,
            (min, max) => RefinementKind::Number { min, max },
        };
        Refinements { kind, ..self }
    }

    /// Sets the range of the number of elements of the final list, set or map. A minimum of zero excludes no value.
    #[must_use]
    pub fn with_length(self, length: impl RangeBounds<u64>) -> Refinements {
        let min = match length.start_bound() {
            Bound::Included(0) | Bound::Unbounded => Bound::Unbounded,
            Bound::Included(&min) => Bound::Included(min),
            Bound::Excluded(&min) => Bound::Included(min.saturating_add(1)),
        };
        let max = match length.end_bound() {
            Bound::Excluded(&max) => max.checked_sub(1).map_or(Bound::Excluded(0), Bound::Included),
            bound => bound.cloned(),
        };
        let kind = match (min, max) {
            (Bound::Unbounded, Bound::Unbounded) => RefinementKind::Any,
            (min, max) => RefinementKind::Collection { min, max },
        };
        Refinements { kind, ..self }
    }

    /// Returns true if the final value is not null.
    pub fn is_not_null(&self) -> bool {
        self.not_null
    }

    /// Returns the refinement that depends on the type of the value.
    pub fn kind(&self) -> &RefinementKind {
        &self.kind
    }

    /// Returns the prefix of the final string.
    pub fn prefix(&self) -> Option<&str> {
        if let RefinementKind::String { prefix } = &self.kind { Some(prefix) } else { None }
    }

    /// Returns the range of the final number: its lower and its upper bound, which implement [`RangeBounds`].
    pub fn range(&self) -> (Bound<&Number>, Bound<&Number>) {
        match &self.kind {
            RefinementKind::Number { min, max } => (min.as_ref(), max.as_ref()),
            _ => (Bound::Unbounded, Bound::Unbounded),
        }
    }

    /// Returns the minimum number of elements of the final list, set or map.
    pub fn min_length(&self) -> u64 {
        match self.kind {
            RefinementKind::Collection { min: Bound::Included(min), .. } => min,
            _ => 0,
        }
    }

    /// Returns the maximum number of elements of the final list, set or map.
    pub fn max_length(&self) -> Option<u64> {
        match self.kind {
            RefinementKind::Collection { max: Bound::Included(max), .. } => Some(max),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_exclude_no_value_are_removed() {
        let infinite = Number::from_f64(f64::INFINITY).unwrap();
        for refinements in [
            Refinements::new().with_prefix(""),
            Refinements::new().with_range(..),
            Refinements::new().with_range(..=infinite),
            Refinements::new().with_length(0..),
        ] {
            assert_eq!(refinements, Refinements::new());
        }
    }

    #[test]
    fn length_bounds_are_inclusive() {
        let length = Refinements::new().with_length(1..3);
        assert_eq!((length.min_length(), length.max_length()), (1, Some(2)));
        assert_eq!(length, Refinements::new().with_length(1..=2));
    }
}
