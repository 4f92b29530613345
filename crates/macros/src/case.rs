//! The conversion of variant names into strings.

/// A naming convention.
#[derive(Clone, Copy)]
pub(crate) enum Case {
    Snake,
    Kebab,
    ScreamingSnake,
    ScreamingKebab,
    Camel,
    Pascal,
    Lower,
    Upper,
}

impl Case {
    /// The conventions by name.
    pub(crate) const RULES: [(&str, Case); 8] = [
        ("snake_case", Case::Snake),
        ("kebab-case", Case::Kebab),
        ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
        ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
        ("camelCase", Case::Camel),
        ("PascalCase", Case::Pascal),
        ("lowercase", Case::Lower),
        ("UPPERCASE", Case::Upper),
    ];

    pub(crate) fn of_rule(name: &str) -> Option<Case> {
        Case::RULES.into_iter().find(|(it, _)| *it == name).map(|(_, case)| case)
    }

    /// Converts the name of a variant, which is in Pascal case.
    pub(crate) fn of(self, variant: &str) -> String {
        let words = words(variant);
        let lower = || words.iter().map(|it| it.to_lowercase());
        match self {
            Case::Snake => lower().collect::<Vec<_>>().join("_"),
            Case::Kebab => lower().collect::<Vec<_>>().join("-"),
            Case::ScreamingSnake => Case::Snake.of(variant).to_uppercase(),
            Case::ScreamingKebab => Case::Kebab.of(variant).to_uppercase(),
            Case::Camel => lower().take(1).chain(words.iter().skip(1).cloned()).collect(),
            Case::Pascal => variant.to_owned(),
            Case::Lower => variant.to_lowercase(),
            Case::Upper => variant.to_uppercase(),
        }
    }
}

/// Splits a name into words. A word begins at an uppercase letter after a lowercase letter or before one: `Http`, `V2`;
/// `HTTP`, `Server`.
fn words(variant: &str) -> Vec<String> {
    let letters: Vec<char> = variant.chars().collect();
    let mut words: Vec<String> = Vec::new();
    for (i, c) in letters.iter().enumerate() {
        let after_small = i > 0 && !letters[i - 1].is_uppercase();
        let before_small = letters.get(i + 1).is_some_and(|it| it.is_lowercase());
        match words.last_mut() {
            Some(word) if !(c.is_uppercase() && (after_small || before_small)) => word.push(*c),
            _ => words.push(c.to_string()),
        }
    }
    words
}
