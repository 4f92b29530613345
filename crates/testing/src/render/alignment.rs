//! Matches the prior and planned elements of lists and sets.

use crate::workspace::Json;

/// The index of an element before and after the change; `None` for an element that is added or removed.
pub(super) type ElementMatch = (Option<usize>, Option<usize>);

/// Matches the elements of two lists as Terraform does:
///
/// - If the lists have the same length, and an element disappears, elements with the same index match.
/// - Otherwise, the elements of the longest common subsequence match. Between them, objects match objects in their order; all
///   other elements are removed and added.
pub(super) fn match_by_order(before: &[Json], after: &[Json]) -> Vec<ElementMatch> {
    if before.len() == after.len() && !before.iter().all(|it| after.contains(it)) {
        return (0..before.len()).map(|i| (Some(i), Some(i))).collect();
    }
    let mut matches = Vec::new();
    let (mut old, mut new) = (0, 0);
    let common = common_subsequence(before, after);
    for (next_old, next_new) in
        common.into_iter().map(Some).chain([None]).map(|it| it.unwrap_or((before.len(), after.len())))
    {
        while old < next_old {
            if before[old].is_object() && new < next_new && after[new].is_object() {
                matches.push((Some(old), Some(new)));
                new += 1;
            } else {
                matches.push((Some(old), None));
            }
            old += 1;
        }
        matches.extend((new..next_new).map(|it| (None, Some(it))));
        if next_old < before.len() && next_new < after.len() {
            matches.push((Some(next_old), Some(next_new)));
        }
        (old, new) = (next_old + 1, next_new + 1);
    }
    matches
}

/// Matches equal elements of two sets: first the prior elements, then those that are added.
pub(super) fn match_by_equality(
    before: usize,
    after: usize,
    is_equal: impl Fn(usize, usize) -> bool,
) -> Vec<ElementMatch> {
    let mut added: Vec<usize> = (0..after).collect();
    let mut matches: Vec<ElementMatch> = Vec::new();
    for old in 0..before {
        let found = added.iter().position(|new| is_equal(old, *new));
        matches.push((Some(old), found.map(|it| added.remove(it))));
    }
    matches.extend(added.into_iter().map(|it| (None, Some(it))));
    matches
}

/// The indexes of the elements of the longest common subsequence.
fn common_subsequence(before: &[Json], after: &[Json]) -> Vec<(usize, usize)> {
    // The length of the longest common subsequence of the first elements.
    let mut lengths = vec![vec![0_usize; after.len() + 1]; before.len() + 1];
    for (i, old) in before.iter().enumerate() {
        for (j, new) in after.iter().enumerate() {
            lengths[i + 1][j + 1] =
                if old == new { lengths[i][j] + 1 } else { lengths[i][j + 1].max(lengths[i + 1][j]) };
        }
    }
    let (mut i, mut j) = (before.len(), after.len());
    let mut common = Vec::new();
    while i > 0 && j > 0 {
        if before[i - 1] == after[j - 1] {
            (i, j) = (i - 1, j - 1);
            common.push((i, j));
        } else if lengths[i - 1][j] >= lengths[i][j - 1] {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    common.reverse();
    common
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The matches of two JSON arrays: `a=a`, `b>c` for a changed element, `-d`, `+e`.
    fn printed_matches(before: Json, after: Json) -> String {
        let (before, after) = (before.as_array().unwrap(), after.as_array().unwrap());
        let print = |it: ElementMatch| match it {
            (Some(old), Some(new)) if before[old] == after[new] => format!("={}", before[old]),
            (Some(old), Some(new)) => format!("{}>{}", before[old], after[new]),
            (Some(old), None) => format!("-{}", before[old]),
            (None, Some(new)) => format!("+{}", after[new]),
            (None, None) => unreachable!("a match has an element"),
        };
        match_by_order(before, after).into_iter().map(print).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn list_elements_match_as_in_terraform() {
        for (before, after, expected) in [
            (json!([1, 2]), json!([1, 2, 3]), "=1 =2 +3"),
            (json!([1, 2, 3]), json!([9, 2, 8]), "1>9 =2 3>8"),
            (json!([1, 2, 3, 4]), json!([2, 3, 4, 1]), "-1 =2 =3 =4 +1"),
            (json!([1, 2, 3, 4]), json!([2, 9, 3, 4]), "1>2 2>9 =3 =4"),
            (json!([1, 2]), json!([1, 3, 4]), "=1 -2 +3 +4"),
            (
                json!([{ "a": 1 }, "x", { "a": 2 }, { "a": 3 }]),
                json!([{ "a": 5 }, { "a": 6 }, "x"]),
                r#"{"a":1}>{"a":5} +{"a":6} ="x" -{"a":2} -{"a":3}"#,
            ),
            (json!([]), json!([1]), "+1"),
            (json!([1]), json!([]), "-1"),
        ] {
            assert_eq!(printed_matches(before.clone(), after.clone()), expected, "{before} {after}");
        }
    }

    #[test]
    fn equal_set_elements_match() {
        let (before, after) = (["a", "b", "b"], ["b", "c", "b"]);
        let matches = match_by_equality(3, 3, |old, new| before[old] == after[new]);
        assert_eq!(matches, [(Some(0), None), (Some(1), Some(0)), (Some(2), Some(2)), (None, Some(1))]);
    }
}
