//! Strings that match a regular expression.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// The number of repetitions without an upper bound, in addition to the minimum.
const EXTRA: u32 = 2;

/// Returns short strings that probably match the expression, the simplest first; none if it cannot be parsed. An expression can match
/// anywhere in a string, so the strings consist of the match alone.
pub(super) fn matching(pattern: &str) -> Vec<String> {
    // As in `regex-lite`, classes such as `\d` are those of ASCII.
    let mut parser = ParserBuilder::new().unicode(false).utf8(false).build();
    let Ok(expression) = parser.parse(pattern) else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for variant in 0..8 {
        let mut string = String::new();
        append(&expression, variant, &mut string);
        if !found.contains(&string) {
            found.push(string);
        }
    }
    found
}

/// Appends a match of the expression. The variants differ in the characters, the numbers of repetitions, and the alternatives.
fn append(expression: &Hir, variant: u32, out: &mut String) {
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(it) => out.push_str(&String::from_utf8_lossy(&it.0)),
        HirKind::Class(it) => out.extend(character(it, variant)),
        HirKind::Repetition(it) => {
            let most = it.max.unwrap_or(it.min + EXTRA).min(it.min + EXTRA);
            let count = (it.min + variant % (most - it.min + 1)).max(u32::from(most > 0));
            (0..count).for_each(|i| append(&it.sub, variant + i, out));
        }
        HirKind::Capture(it) => append(&it.sub, variant, out),
        HirKind::Concat(all) => all.iter().for_each(|it| append(it, variant, out)),
        HirKind::Alternation(all) => append(&all[variant as usize % all.len()], variant, out),
    }
}

/// A character of the class: a letter or a digit if it contains one.
fn character(class: &Class, variant: u32) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(it) => it.iter().map(|it| (it.start(), it.end())).collect(),
        Class::Bytes(it) => it.iter().map(|it| (char::from(it.start()), char::from(it.end()))).collect(),
    };
    let contains = |it: char| ranges.iter().any(|(start, end)| (*start..=*end).contains(&it));
    let plain: Vec<char> = ('a'..='z').chain('0'..='9').chain('A'..='Z').filter(|it| contains(*it)).collect();
    let at = variant as usize % plain.len().max(1);
    plain.get(at).copied().or_else(|| ranges.first().map(|(start, _)| *start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_match_the_expression() {
        for pattern in [
            "^[a-z]+$",
            "^[a-z][a-z0-9-]{2,30}[a-z0-9]$",
            "^(eu|us)-(north|south)-[1-3]$",
            r"^\d{4}-\d{2}$",
            "^arn:aws:[^:]+:.*$",
            "[A-Z]{3}",
            "^x?$",
        ] {
            let regex = regex_lite(pattern);
            let found = matching(pattern);
            assert!(!found.is_empty());
            for it in found {
                assert!(regex.validate(&it.as_str().into()).is_ok(), "{pattern}: {it}");
            }
        }
        assert_eq!(matching("("), Vec::<String>::new());
    }

    /// The validator that uses the expression.
    fn regex_lite(pattern: &str) -> ferroform::validators::Validator<String> {
        ferroform::validators::matches(pattern, "a match is required")
    }
}
