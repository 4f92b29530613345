//! What is known of an unknown value: enough, sometimes, to refuse it before it is known.

use std::cmp::Ordering;
use std::ops::Bound;

use ferroform_value::{Number, Refinements, Value};

/// How two numbers compare to who reads them: a tenth as it is written and the float nearest to it print the same.
pub fn order(one: &Number, other: &Number) -> Ordering {
    if one == other { Ordering::Equal } else { one.compare(other) }
}

/// True unless the unknown value can be no number of this range. Bounds of the range are part of it.
pub fn may_be_within(known: &Refinements, min: Option<&Number>, max: Option<&Number>) -> bool {
    let beyond = |end: Bound<&Number>, bound: Option<&Number>, out: Ordering| match (end, bound) {
        (Bound::Included(end), Some(bound)) => order(end, bound) == out,
        (Bound::Excluded(end), Some(bound)) => order(end, bound) != out.reverse(),
        _ => false,
    };
    let (lower, upper) = known.range();
    !beyond(upper, min, Ordering::Less) && !beyond(lower, max, Ordering::Greater)
}

/// True unless the unknown collection can have no number of elements of this range.
pub fn may_have(known: &Refinements, min: usize, max: usize) -> bool {
    let at_least = |bound: usize| known.max_length().is_none_or(|it| it >= bound as u64);
    let at_most = |bound: usize| known.min_length() <= bound as u64;
    at_least(min) && at_most(max)
}

/// True unless the unknown value can not be this one.
pub fn may_be(known: &Refinements, value: &Value) -> bool {
    match value.without_type() {
        Value::String(it) => known.prefix().is_none_or(|prefix| it.starts_with(prefix)),
        Value::Number(it) => may_be_within(known, Some(it), Some(it)),
        Value::Null => !known.is_not_null(),
        other => super::size::size(other).is_none_or(|len| may_have(known, len, len)),
    }
}

/// What is known of the value, as the end of a sentence; none where that is nothing.
pub fn described(known: &Refinements) -> Option<String> {
    if let Some(prefix) = known.prefix() {
        return Some(format!("begins with {prefix:?}"));
    }
    let bound = |end: Bound<&Number>, at: &str, beyond: &str| match end {
        Bound::Included(it) => Some(format!("{at} {it}")),
        Bound::Excluded(it) => Some(format!("{beyond} {it}")),
        Bound::Unbounded => None,
    };
    let (min, max) = known.range();
    let ends = [bound(min, "at least", "more than"), bound(max, "at most", "less than")];
    let elements = [
        Some(known.min_length()).filter(|it| *it > 0).map(|it| format!("at least {it}")),
        known.max_length().map(|it| format!("at most {it}")),
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
    fn a_range_that_only_touches_counts_where_both_ends_do() {
        let five = Number::from(5);
        assert!(may_be_within(&number(None, Some((5, true))), Some(&five), None));
        assert!(!may_be_within(&number(None, Some((5, false))), Some(&five), None));
        assert!(may_be_within(&number(Some((5, true)), None), None, Some(&five)));
        assert!(!may_be_within(&number(Some((5, false)), None), None, Some(&five)));
        assert!(may_be_within(&number(Some((9, true)), None), Some(&five), None));
        assert!(may_be_within(&number(None, None), Some(&five), Some(&five)));
        let tenth = Number::parse("0.1").unwrap();
        let known = Refinements::new().with_range(..=tenth);
        assert!(may_be_within(&known, Number::from_f64(0.1).as_ref(), None));
    }

    #[test]
    fn what_is_known_reads_as_a_sentence() {
        let said = |it: Refinements| described(&it).unwrap_or_default();
        assert_eq!(said(number(Some((1, true)), Some((5, false)))), "will be at least 1 and less than 5");
        assert_eq!(
            said(Refinements::new().with_length(2..=3)),
            "will have at least 2 and at most 3 elements"
        );
        assert_eq!(said(Refinements::new().with_prefix("a")), r#"begins with "a""#);
        assert_eq!(said(Refinements::new().not_null()), "");
    }
}
