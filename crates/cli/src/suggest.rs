//! Suggestions for misspelled names.

/// The maximum length of a name, because the edit distance takes quadratic time.
const MAX_LENGTH: usize = 64;

/// Returns the most similar known name, if at most one letter in five differs.
fn suggest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: String = name.chars().take(MAX_LENGTH).collect();
    let length = name.chars().count();
    let limit = (length + 2).div_ceil(5);
    known
        .into_iter()
        .filter(|it| it.len() <= 4 * MAX_LENGTH && it.chars().count().abs_diff(length) <= limit)
        .map(|it| (strsim::osa_distance(&name, it), it))
        .filter(|(distance, it)| *distance <= limit && *distance < it.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, it)| it)
}

/// Returns a question that suggests the most similar of the known names.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a (impl AsRef<str> + ?Sized + 'a)>,
) -> Option<String> {
    let it = suggest(name, known.into_iter().map(AsRef::as_ref))?;
    Some(format!("did you mean {it:?}?"))
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
    }
}
