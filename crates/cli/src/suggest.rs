//! "Did you mean …?"

/// Longer names are cut or skipped: the distance takes the product of the lengths.
const LONGEST: usize = 64;

/// The known name that is nearest to the given one, if one letter in five differs at most.
pub(crate) fn suggest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given: String = given.chars().take(LONGEST).collect();
    let length = given.chars().count();
    let limit = (length + 2).div_ceil(5);
    known
        .into_iter()
        .filter(|it| it.len() <= 4 * LONGEST && it.chars().count().abs_diff(length) <= limit)
        .map(|it| (strsim::osa_distance(&given, it), it))
        .filter(|(distance, it)| *distance <= limit && *distance < it.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, it)| it)
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
