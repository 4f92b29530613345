//! What is known of an unknown value: enough, sometimes, to refuse it before it is known.

use std::cmp::Ordering;

use ferroform_value::{Number, Refinements, Value};

/// How two numbers compare to who reads them: a tenth as it is written and the float nearest to it print the same.
pub fn order(one: &Number, other: &Number) -> Ordering {
    if one == other { Ordering::Equal } else { one.compare(other) }
}

/// True unless the unknown value can be no number of this range. Bounds of the range are part of it.
pub fn may_be_within(known: &Refinements, min: Option<&Number>, max: Option<&Number>) -> bool {
    let beyond = |end: &Option<(Number, bool)>, bound: Option<&Number>, out: Ordering| {
        let (Some((end, included)), Some(bound)) = (end, bound) else { return false };
        let order = order(end, bound);
        order == out || order == Ordering::Equal && !included
    };
    !beyond(&known.max, min, Ordering::Less) && !beyond(&known.min, max, Ordering::Greater)
}

/// True unless the unknown collection can have no number of elements of this range.
pub fn may_have(known: &Refinements, min: usize, max: usize) -> bool {
    let at_least = |bound: usize| known.len_max.is_none_or(|it| it >= bound as u64);
    let at_most = |bound: usize| known.len_min.is_none_or(|it| it <= bound as u64);
    at_least(min) && at_most(max)
}

/// True unless the unknown value can not be this one.
pub fn may_be(known: &Refinements, value: &Value) -> bool {
    match value.bare() {
        Value::String(it) => known.prefix.as_ref().is_none_or(|prefix| it.starts_with(prefix.as_str())),
        Value::Number(it) => may_be_within(known, Some(it), Some(it)),
        Value::Null => !known.not_null,
        other => super::size::size(other).is_none_or(|len| may_have(known, len, len)),
    }
}

/// What is known of the value, as the end of a sentence; none where that is nothing.
pub fn described(known: &Refinements) -> Option<String> {
    if let Some(prefix) = &known.prefix {
        return Some(format!("begins with {prefix:?}"));
    }
    let bound = |end: &Option<(Number, bool)>, at: &str, beyond: &str| {
        end.as_ref().map(|(it, included)| format!("{} {it}", if *included { at } else { beyond }))
    };
    let ends = [bound(&known.min, "at least", "more than"), bound(&known.max, "at most", "less than")];
    let elements = [
        known.len_min.filter(|it| *it > 0).map(|it| format!("at least {it}")),
        known.len_max.map(|it| format!("at most {it}")),
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
        let end = |it: Option<(i64, bool)>| it.map(|(it, included)| (Number::from(it), included));
        Refinements { min: end(min), max: end(max), ..Refinements::default() }
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
        let known = Refinements { max: Some((tenth, true)), ..Refinements::default() };
        assert!(may_be_within(&known, Number::from_f64(0.1).as_ref(), None));
    }

    #[test]
    fn what_is_known_reads_as_a_sentence() {
        let said = |it: Refinements| described(&it).unwrap_or_default();
        assert_eq!(said(number(Some((1, true)), Some((5, false)))), "will be at least 1 and less than 5");
        assert_eq!(
            said(Refinements { len_min: Some(2), len_max: Some(3), ..Refinements::default() }),
            "will have at least 2 and at most 3 elements"
        );
        assert_eq!(
            said(Refinements { prefix: Some("a".into()), ..Refinements::default() }),
            r#"begins with "a""#
        );
        assert_eq!(said(Refinements { not_null: true, ..Refinements::default() }), "");
    }
}
