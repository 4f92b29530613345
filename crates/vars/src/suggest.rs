//! Suggestions for misspelled names in help texts.

/// Returns a question that suggests the most similar of the known names.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a (impl AsRef<str> + ?Sized + 'a)>,
) -> Option<String> {
    let suggestion = ferroform_value::suggest(name, known.into_iter().map(AsRef::as_ref))?;
    Some(format!("did you mean {suggestion:?}?"))
}
