//! Validators for strings.

use ferroform_value::{Type, Value, json as document, truncated};
use regex_lite::Regex;

use super::attr_kinds::StringAttr;
use super::combine::nearest;
use crate::Diagnostics;
use ferroform_engine::contract::provider_bug;
use ferroform_engine::diagnostic::sentence;
use ferroform_engine::validator::{
    Hint, INVALID_MATCH, Validator, describe_refinements, invalid, kind_mismatch, unsupported_type,
};

const LENGTH: &str = "Invalid Attribute Value Length";
const JSON: &str = "Invalid JSON String Value";

/// Limits a validator to strings.
fn for_strings<T: StringAttr>(validator: Validator<T>) -> Validator<T> {
    validator.check_type(|ty| unsupported_type(*ty == Type::String, "strings", ty))
}

/// The string to validate.
fn string_of(value: &Value) -> Result<&str, Diagnostics> {
    value.without_type().as_str().ok_or_else(|| kind_mismatch("a string", value))
}

/// The unit of a length.
struct Unit {
    one: &'static str,
    many: &'static str,
    count: fn(&str) -> usize,
}

const BYTES: Unit = Unit { one: "byte", many: "bytes", count: str::len };
const CHARACTERS: Unit = Unit { one: "character", many: "characters", count: |it| it.chars().count() };

impl Unit {
    fn of(&self, number: usize) -> String {
        format!("{number} {}", if number == 1 { self.one } else { self.many })
    }
}

fn length<T: StringAttr>(unit: &'static Unit, min: usize, max: usize) -> Validator<T> {
    let description = match (min, max) {
        (_, usize::MAX) => format!("a string of at least {}", unit.of(min)),
        (0, _) => format!("a string of at most {}", unit.of(max)),
        _ => format!("a string of {min} to {}", unit.of(max)),
    };
    let (expected, expected_for_refinements) = (description.clone(), description.clone());
    Validator::new(description, move |value| {
        let it = string_of(value)?;
        let got = (unit.count)(it);
        if (min..=max).contains(&got) {
            return Ok(());
        }
        Err(invalid(LENGTH, format!("{expected} is required, but this has {}", unit.of(got))))
    })
    .check_refinements(move |known| match (known.prefix(), describe_refinements(known)) {
        (Some(prefix), Some(what)) if (unit.count)(prefix) > max => {
            Err(invalid(LENGTH, format!("{expected_for_refinements} is required, but this {what}")))
        }
        _ => Ok(()),
    })
    .check_type(move |ty| {
        let bound_error =
            (min > max).then(|| "the minimum length is greater than the maximum length".to_owned());
        bound_error.or_else(|| unsupported_type(*ty == Type::String, "strings", ty))
    })
}

/// Requires a string of at least `min` bytes.
pub fn length_at_least<T: StringAttr>(min: usize) -> Validator<T> {
    length(&BYTES, min, usize::MAX)
}

/// Requires a string of at most `max` bytes.
pub fn length_at_most<T: StringAttr>(max: usize) -> Validator<T> {
    length(&BYTES, 0, max)
}

/// Requires a string of `min` to `max` bytes.
pub fn length_between<T: StringAttr>(min: usize, max: usize) -> Validator<T> {
    length(&BYTES, min, max)
}

/// Requires a string of at least `min` Unicode characters.
pub fn utf8_length_at_least<T: StringAttr>(min: usize) -> Validator<T> {
    length(&CHARACTERS, min, usize::MAX)
}

/// Requires a string of at most `max` Unicode characters.
pub fn utf8_length_at_most<T: StringAttr>(max: usize) -> Validator<T> {
    length(&CHARACTERS, 0, max)
}

/// Requires a string of `min` to `max` Unicode characters.
pub fn utf8_length_between<T: StringAttr>(min: usize, max: usize) -> Validator<T> {
    length(&CHARACTERS, min, max)
}

/// Requires a match of the regular expression anywhere in the string. The message describes what is required.
///
/// ```
/// use ferroform::Model;
/// use ferroform::validators::{matches};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(validate = matches("^[a-z]+$", "lowercase letters are required"))]
///     name: String,
/// }
/// ```
///
/// The syntax is that of the crate `regex-lite`: as in the crate `regex`, without Unicode classes. An invalid
/// expression is an error of the schema, and rejects all values.
///
/// If a string cannot be converted to the type of the attribute and does not match the pattern, only the error of this validator is reported, because
/// its message describes the accepted strings more precisely.
pub fn matches<T: StringAttr>(pattern: &str, message: impl Into<String>) -> Validator<T> {
    let regex = Regex::new(pattern);
    let pattern_error =
        regex.as_ref().err().map(|it| format!("the regular expression {pattern:?} is invalid: {it}"));
    let message = message.into();
    let (start, expected) = (literal_prefix(pattern), message.clone());
    let hint = Hint::Pattern(pattern.into());
    let validator = Validator::new(message.clone(), move |value| {
        let it = string_of(value)?;
        match &regex {
            Ok(regex) if regex.is_match(it) => Ok(()),
            Ok(_) => {
                let (message, found) = (message.trim_end_matches('.'), truncated(format!("{it:?}")));
                Err(invalid(INVALID_MATCH, format!("{message}, but got {found}")))
            }
            Err(error) => Err(provider_bug("Invalid Validator Usage", sentence(&error.to_string())).into()),
        }
    });
    let validator =
        validator.check_refinements(move |known| match (known.prefix(), describe_refinements(known)) {
            (Some(prefix), Some(what)) if !start.starts_with(prefix) && !prefix.starts_with(&start) => {
                Err(invalid(INVALID_MATCH, format!("{expected}, but this {what}")))
            }
            _ => Ok(()),
        });
    validator.before_conversion().with_hints([hint]).check_type(move |ty| {
        pattern_error.clone().or_else(|| unsupported_type(*ty == Type::String, "strings", ty))
    })
}

/// The literal prefix of all matches, if the expression only matches at the beginning of a string. Empty if the prefix
/// cannot be determined easily: for `^eu-(west|north)` it is `eu-`.
fn literal_prefix(pattern: &str) -> String {
    let Some(rest) = pattern.strip_prefix('^').filter(|_| !can_have_alternatives(pattern)) else {
        return String::new();
    };
    let mut start = String::new();
    let mut rest = rest.chars();
    while let Some(c) = rest.next() {
        let literal = match c {
            // Before a letter or digit, a backslash has a special meaning.
            '\\' => rest.next().filter(char::is_ascii_punctuation),
            c => Some(c).filter(|c| !".[]()*+?{}|^$".contains(*c)),
        };
        let (Some(literal), next) = (literal, rest.as_str()) else { break };
        // A repetition may follow after flags.
        if next.starts_with(['*', '?', '+', '{']) || next.starts_with("(?") {
            break;
        }
        start.push(literal);
    }
    start
}

/// Returns false if the expression has no alternatives outside of groups.
fn can_have_alternatives(pattern: &str) -> bool {
    // In a character class, these characters have another meaning.
    if pattern.contains('[') {
        return pattern.contains('|');
    }
    let mut depth = 0_usize;
    let mut all = pattern.chars();
    while let Some(c) = all.next() {
        match c {
            '\\' => drop(all.next()),
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

/// Requires a JSON document. To compare documents by content too, use the type [`Json`](crate::attr::Json) instead.
pub fn json<T: StringAttr>() -> Validator<T> {
    let validator = Validator::new("a JSON document", |value| {
        let it = string_of(value)?;
        match document::implied_type(it.as_bytes()) {
            Ok(_) => Ok(()),
            Err(error) => Err(invalid(JSON, format!("a JSON document is required: {error}"))),
        }
    });
    for_strings(validator.check_refinements(|known| match (known.prefix(), describe_refinements(known)) {
        (Some(prefix), Some(what)) if !can_begin_document(prefix) => {
            Err(invalid(JSON, format!("a JSON document is required, but this {what}")))
        }
        _ => Ok(()),
    }))
}

/// Returns false if no JSON document begins with the prefix.
fn can_begin_document(prefix: &str) -> bool {
    let start = prefix.trim_start_matches([' ', '\t', '\n', '\r']);
    let is_word = |word: &str| word.starts_with(start) || start.starts_with(word);
    start.starts_with(|c: char| c.is_ascii_digit() || "{[\"-".contains(c))
        || ["null", "true", "false"].into_iter().any(is_word)
}

/// Folds the case letter by letter, so that the folded prefix of a string is a prefix of the folded string.
fn fold(string: &str) -> String {
    let one = |c: char| {
        let mut capital = c.to_uppercase();
        // A letter with several uppercase letters stays as it is.
        if capital.len() == 1 { capital.next().unwrap_or(c) } else { c }
    };
    string.chars().flat_map(|c| one(c).to_lowercase()).collect()
}

fn folded<T: StringAttr>(
    word: &str,
    values: impl IntoIterator<Item: Into<String>>,
    expected: bool,
) -> Validator<T> {
    let values: Vec<String> = values.into_iter().map(Into::into).collect();
    let folded: Vec<String> = values.iter().map(|it| fold(it)).collect();
    let all = folded.clone();
    let shown = values.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>().join(", ");
    let hints: Vec<Hint> =
        values.iter().filter(|_| expected).map(|it| Hint::Value(it.as_str().into())).collect();
    let description = format!("{word} {shown} (case-insensitive)");
    let expected_for_refinements = description.clone();
    let validator = Validator::new(description.clone(), move |value| {
        let it = string_of(value)?;
        if folded.contains(&fold(it)) == expected {
            return Ok(());
        }
        let nearest = if expected { nearest(it, &values) } else { None }.unwrap_or_default();
        let found = truncated(format!("{it:?}"));
        Err(invalid(INVALID_MATCH, format!("{description} is required, but got {found}{nearest}")))
    });
    for_strings(validator.with_hints(hints).check_refinements(move |known| {
        let start = fold(known.prefix().unwrap_or_default());
        match describe_refinements(known) {
            Some(what) if expected && !all.iter().any(|it| it.starts_with(&start)) => Err(invalid(
                INVALID_MATCH,
                format!("{expected_for_refinements} is required, but this {what}"),
            )),
            _ => Ok(()),
        }
    }))
}

/// Accepts only these strings, in upper or lower case.
pub fn one_of_case_insensitive<T: StringAttr>(values: impl IntoIterator<Item: Into<String>>) -> Validator<T> {
    folded("one of", values, true)
}

/// Rejects these strings, in upper or lower case.
pub fn none_of_case_insensitive<T: StringAttr>(
    values: impl IntoIterator<Item: Into<String>>,
) -> Validator<T> {
    folded("a string other than", values, false)
}
