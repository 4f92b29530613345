//! Suggestions for misspelled names and values.

/// The maximum length of a name, because the edit distance takes quadratic time.
const MAX_LENGTH: usize = 64;

/// Returns the most similar known name, if it differs from the name in about one letter in five at most. The case of
/// letters does not count, unless two known names differ only in it.
///
/// ```
/// use ferroform_value::suggest;
///
/// assert_eq!(suggest("regoin", ["region", "zone"]), Some("region"));
/// assert_eq!(suggest("REGION", ["region", "zone"]), Some("region"));
/// assert_eq!(suggest("network", ["region", "zone"]), None);
/// ```
pub fn suggest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: String = name.chars().take(MAX_LENGTH).collect();
    let lowercase = name.to_lowercase();
    let length = name.chars().count();
    let limit = (length + 2).div_ceil(5);
    known
        .into_iter()
        .filter(|it| it.len() <= 4 * MAX_LENGTH && it.chars().count().abs_diff(length) <= limit)
        .map(|it| (strsim::osa_distance(&lowercase, &it.to_lowercase()), it))
        .filter(|(distance, it)| *distance <= limit && *distance < it.chars().count())
        .min_by_key(|(distance, it)| {
            let is_prefix = it.to_lowercase().starts_with(&lowercase);
            (*distance, !is_prefix, strsim::osa_distance(&name, it))
        })
        .map(|(_, it)| it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_similar_name_is_suggested() {
        let known = ["region", "instance_count", "tags"];
        assert_eq!(suggest("regoin", known), Some("region"));
        assert_eq!(suggest("tag", known), Some("tags"));
        assert_eq!(suggest("instancecount", known), Some("instance_count"));
        assert_eq!(suggest("x", ["y"]), None);
        assert_eq!(suggest("network", known), None);
        assert_eq!(suggest("of", ["On", "Off"]), Some("Off"));
        assert_eq!(suggest("TAGS", known), Some("tags"));
        assert_eq!(suggest("Tags", ["TAGS", "tags"]), Some("tags"));
    }
}
