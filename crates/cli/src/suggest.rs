//! "Did you mean …?"

/// The known name that is nearest to what was written, if it is near.
pub(crate) fn suggest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given: Vec<char> = given.chars().take(64).collect();
    let limit = (given.len() + 2).div_ceil(5);
    known
        .into_iter()
        .filter(|it| it.len() <= 256)
        .filter_map(|it| Some((distance(&given, &it.chars().collect::<Vec<_>>(), limit)?, it)))
        .filter(|(distance, it)| *distance < it.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, it)| it)
}

/// How many letters are to be put in, taken out, replaced or swapped with a neighbour; none past the limit.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(last.len());
        row.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        // A swap reaches back two rows, so that both have to be beyond the limit.
        if row.iter().chain(&last).all(|it| *it > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|it| *it <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far() {
        let known = ["region", "instance_count", "tags"];
        assert_eq!(suggest("regoin", known), Some("region"));
        assert_eq!(suggest("tag", known), Some("tags"));
        assert_eq!(suggest("instancecount", known), Some("instance_count"));
        assert_eq!(suggest("x", ["y"]), None);
        assert_eq!(suggest("network", known), None);
    }
}
