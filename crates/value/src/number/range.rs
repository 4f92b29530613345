//! Ranges of numbers, as types and validators require them.

use std::cmp::Ordering;
use std::fmt;

use super::Number;

/// Bounds beyond this magnitude, such as those of 64-bit integers, are only printed if a number exceeds them.
const MAX_OBVIOUS_BOUND: u64 = 1 << 53;

/// A range of numbers that includes its bounds. `Display` prints it as a noun phrase for messages.
///
/// ```
/// use ferroform_value::{Number, NumberRange};
///
/// let octet = NumberRange::integers(Some(0.into()), Some(255.into()));
/// let percent = NumberRange::numbers(None, Some(100.into()));
/// let range = octet.intersection(&percent);
/// assert_eq!(range.to_string(), "a whole number between 0 and 100");
/// assert!(range.contains(&100.into()) && !range.contains(&101.into()));
///
/// // The bounds of a 64-bit integer are printed if a number exceeds them.
/// let wide = NumberRange::integers(Some(i64::MIN.into()), Some(100.into()));
/// assert_eq!(wide.to_string(), "a whole number of at most 100");
/// let smaller = Number::parse("-1e30")?;
/// assert_eq!(wide.describe_for(&smaller), "a whole number between -9223372036854775808 and 100");
/// # Ok::<(), ferroform_value::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberRange {
    min: Option<Number>,
    max: Option<Number>,
    only_integers: bool,
}

impl NumberRange {
    /// The range of all numbers between two bounds. `None` if there is no bound.
    pub fn numbers(min: Option<Number>, max: Option<Number>) -> NumberRange {
        NumberRange { min, max, only_integers: false }
    }

    /// The range of all integers between two bounds. `None` if there is no bound.
    pub fn integers(min: Option<Number>, max: Option<Number>) -> NumberRange {
        NumberRange { min, max, only_integers: true }
    }

    /// The lower bound, if there is one.
    pub fn min(&self) -> Option<&Number> {
        self.min.as_ref()
    }

    /// The upper bound, if there is one.
    pub fn max(&self) -> Option<&Number> {
        self.max.as_ref()
    }

    /// The numbers that are in both ranges.
    #[must_use]
    pub fn intersection(&self, other: &NumberRange) -> NumberRange {
        let tighter = |one: &Option<Number>, other: &Option<Number>, side: Ordering| match (one, other) {
            (Some(one), Some(other)) => Some(if one.compare(other) == side { one } else { other }.clone()),
            (one, other) => one.as_ref().or(other.as_ref()).cloned(),
        };
        NumberRange {
            min: tighter(&self.min, &other.min, Ordering::Greater),
            max: tighter(&self.max, &other.max, Ordering::Less),
            only_integers: self.only_integers || other.only_integers,
        }
    }

    /// Returns true if the number is in the range.
    pub fn contains(&self, number: &Number) -> bool {
        !self.is_below(number) && !self.is_above(number) && (number.is_integer() || !self.only_integers)
    }

    /// Returns true if the lower bound is greater than the upper bound.
    pub fn is_empty(&self) -> bool {
        matches!((&self.min, &self.max), (Some(min), Some(max)) if min.compare(max).is_gt())
    }

    /// Returns true if the number is less than the lower bound.
    fn is_below(&self, number: &Number) -> bool {
        self.min.as_ref().is_some_and(|min| number != min && number.compare(min).is_lt())
    }

    /// Returns true if the number is greater than the upper bound.
    fn is_above(&self, number: &Number) -> bool {
        self.max.as_ref().is_some_and(|max| number != max && number.compare(max).is_gt())
    }

    /// Describes the range for a message about this number. If the number exceeds one of the bounds, both are printed.
    pub fn describe_for(&self, number: &Number) -> String {
        let exceeds_wide_bound = (self.is_below(number) && !is_obvious(self.min.as_ref()))
            || (self.is_above(number) && !is_obvious(self.max.as_ref()));
        self.describe(exceeds_wide_bound)
    }

    fn describe(&self, all_bounds: bool) -> String {
        let kind = if self.only_integers { "a whole number" } else { "a number" };
        let shown = |bound: &Option<Number>| bound.clone().filter(|it| all_bounds || is_obvious(Some(it)));
        match (shown(&self.min), shown(&self.max)) {
            (Some(min), Some(max)) => format!("{kind} between {min} and {max}"),
            (Some(min), None) => format!("{kind} of at least {min}"),
            (None, Some(max)) => format!("{kind} of at most {max}"),
            (None, None) => kind.to_owned(),
        }
    }
}

/// Returns true for a bound that is always printed.
fn is_obvious(bound: Option<&Number>) -> bool {
    let limit = Number::from(MAX_OBVIOUS_BOUND);
    bound.is_some_and(|it| it.compare(&limit).is_le() && it.compare(&limit.negate()).is_ge())
}

impl fmt::Display for NumberRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(false))
    }
}
