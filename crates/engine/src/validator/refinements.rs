//! Validation of unknown values by their refinements.
//!
//! Example: the unknown value of `aws_instance.a.arn` is refined to begin with `arn:`. A validator that requires the
//! prefix `https:` rejects it in the first plan, before the value is known.

use std::cmp::Ordering;
use std::ops::Bound;

use ferroform_value::{Number, Refinements, Value};

/// Compares two numbers. Numbers with the same decimal representation are equal, such as the decimal 0.1 and the float
/// nearest to it.
pub fn compare_numbers(one: &Number, other: &Number) -> Ordering {
    if one == other { Ordering::Equal } else { one.compare(other) }
}

/// True if the unknown value can turn out to be a number in this range, which includes its bounds.
pub fn can_be_in_range(refinements: &Refinements, min: Option<&Number>, max: Option<&Number>) -> bool {
    let is_beyond = |end: Bound<&Number>, bound: Option<&Number>, direction: Ordering| match (end, bound) {
        (Bound::Included(end), Some(bound)) => compare_numbers(end, bound) == direction,
        (Bound::Excluded(end), Some(bound)) => compare_numbers(end, bound) != direction.reverse(),
        _ => false,
    };
    let (lower, upper) = refinements.range();
    !is_beyond(upper, min, Ordering::Less) && !is_beyond(lower, max, Ordering::Greater)
}

/// True if the unknown collection can turn out to have a number of elements in this range.
pub fn can_have_length(refinements: &Refinements, min: usize, max: usize) -> bool {
    let at_least = |bound: usize| refinements.max_length().is_none_or(|it| it >= bound as u64);
    let at_most = |bound: usize| refinements.min_length() <= bound as u64;
    at_least(min) && at_most(max)
}

/// True if the unknown value can turn out to be this one.
pub fn can_equal(refinements: &Refinements, value: &Value) -> bool {
    match value.without_type() {
        Value::String(it) => refinements.prefix().is_none_or(|prefix| it.starts_with(prefix)),
        Value::Number(it) => can_be_in_range(refinements, Some(it), Some(it)),
        Value::Null => !refinements.is_not_null(),
        other => super::length::length(other).is_none_or(|len| can_have_length(refinements, len, len)),
    }
}

/// Describes the refinements as the end of a sentence, such as `begins with "arn:"`; `None` if there are none.
pub fn describe_refinements(refinements: &Refinements) -> Option<String> {
    if let Some(prefix) = refinements.prefix() {
        return Some(format!("begins with {prefix:?}"));
    }
    let bound = |end: Bound<&Number>, at: &str, beyond: &str| match end {
        Bound::Included(it) => Some(format!("{at} {it}")),
        Bound::Excluded(it) => Some(format!("{beyond} {it}")),
        Bound::Unbounded => None,
    };
    let (min, max) = refinements.range();
    let ends = [bound(min, "at least", "more than"), bound(max, "at most", "less than")];
    let elements = [
        Some(refinements.min_length()).filter(|it| *it > 0).map(|it| format!("at least {it}")),
        refinements.max_length().map(|it| format!("at most {it}")),
    ];
    let joined = |parts: [Option<String>; 2]| parts.into_iter().flatten().collect::<Vec<_>>().join(" and ");
    match (joined(ends), joined(elements)) {
        (ends, _) if !ends.is_empty() => Some(format!("will be {ends}")),
        (_, elements) if !elements.is_empty() => Some(format!("will have {elements} elements")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(min: Option<(i64, bool)>, max: Option<(i64, bool)>) -> Refinements {
        let end = |it: Option<(i64, bool)>| match it {
            Some((it, true)) => Bound::Included(Number::from(it)),
            Some((it, false)) => Bound::Excluded(Number::from(it)),
            None => Bound::Unbounded,
        };
        Refinements::new().with_range((end(min), end(max)))
    }

    #[test]
    fn ranges_that_touch_overlap_if_both_include_the_bound() {
        let five = Number::from(5);
        assert!(can_be_in_range(&number(None, Some((5, true))), Some(&five), None));
        assert!(!can_be_in_range(&number(None, Some((5, false))), Some(&five), None));
        assert!(can_be_in_range(&number(Some((5, true)), None), None, Some(&five)));
        assert!(!can_be_in_range(&number(Some((5, false)), None), None, Some(&five)));
        assert!(can_be_in_range(&number(Some((9, true)), None), Some(&five), None));
        assert!(can_be_in_range(&number(None, None), Some(&five), Some(&five)));
        let tenth = Number::parse("0.1").unwrap();
        let known = Refinements::new().with_range(..=tenth);
        assert!(can_be_in_range(&known, Number::from_f64(0.1).as_ref(), None));
    }

    #[test]
    fn refinements_are_described_as_the_end_of_a_sentence() {
        let description = |it: Refinements| describe_refinements(&it).unwrap_or_default();
        assert_eq!(
            description(number(Some((1, true)), Some((5, false)))),
            "will be at least 1 and less than 5"
        );
        assert_eq!(
            description(Refinements::new().with_length(2..=3)),
            "will have at least 2 and at most 3 elements"
        );
        assert_eq!(description(Refinements::new().with_prefix("a")), r#"begins with "a""#);
        assert_eq!(description(Refinements::new().not_null()), "");
    }
}
