//! Rules for strings.

use ferroform_value::{Type, Value, json as document};
use regex_lite::Regex;

use super::attr_kinds::StringAttr;
use crate::Diagnostics;
use ferroform_engine::validator::{
    Validator, describe_refinements, invalid, kind_mismatch, unsupported_type,
};

const LENGTH: &str = "Invalid Attribute Value Length";
const MATCH: &str = "Invalid Attribute Value Match";
const JSON: &str = "Invalid JSON String Value";

/// A rule for text alone.
fn of_text<T: StringAttr>(rule: Validator<T>) -> Validator<T> {
    rule.check_type(|ty| unsupported_type(*ty == Type::String, "text", ty))
}

/// The text that the rule is for.
fn text_of(value: &Value) -> Result<&str, Diagnostics> {
    value.without_type().as_str().ok_or_else(|| kind_mismatch("a text", value))
}

/// What a length is counted in.
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
    let text = match (min, max) {
        (_, usize::MAX) => format!("a text of at least {}", unit.of(min)),
        (0, _) => format!("a text of at most {}", unit.of(max)),
        _ => format!("a text of {min} to {}", unit.of(max)),
    };
    let (wanted, wanted_early) = (text.clone(), text.clone());
    Validator::new(text, move |value| {
        let it = text_of(value)?;
        let got = (unit.count)(it);
        if (min..=max).contains(&got) {
            return Ok(());
        }
        Err(invalid(LENGTH, format!("{wanted} is required, but this has {}", unit.of(got))))
    })
    .check_refinements(move |known| match (known.prefix(), describe_refinements(known)) {
        (Some(prefix), Some(what)) if (unit.count)(prefix) > max => {
            Err(invalid(LENGTH, format!("{wanted_early} is required, but this {what}")))
        }
        _ => Ok(()),
    })
    .check_type(move |ty| {
        let none = (min > max).then(|| "there is no length from its first bound to its last".to_owned());
        none.or_else(|| unsupported_type(*ty == Type::String, "text", ty))
    })
}

/// At least so many bytes.
pub fn length_at_least<T: StringAttr>(min: usize) -> Validator<T> {
    length(&BYTES, min, usize::MAX)
}

/// At most so many bytes.
pub fn length_at_most<T: StringAttr>(max: usize) -> Validator<T> {
    length(&BYTES, 0, max)
}

/// From `min` to `max` bytes.
pub fn length_between<T: StringAttr>(min: usize, max: usize) -> Validator<T> {
    length(&BYTES, min, max)
}

/// At least so many Unicode characters.
pub fn utf8_length_at_least<T: StringAttr>(min: usize) -> Validator<T> {
    length(&CHARACTERS, min, usize::MAX)
}

/// At most so many Unicode characters.
pub fn utf8_length_at_most<T: StringAttr>(max: usize) -> Validator<T> {
    length(&CHARACTERS, 0, max)
}

/// From `min` to `max` Unicode characters.
pub fn utf8_length_between<T: StringAttr>(min: usize, max: usize) -> Validator<T> {
    length(&CHARACTERS, min, max)
}

/// A match of the regular expression, somewhere in the text. The message says what is required.
///
/// The expression is that of the `regex-lite` crate: as in the `regex` crate, without Unicode classes. A broken
/// one is found when the schema is checked, and refuses every value.
pub fn matches<T: StringAttr>(pattern: &str, message: impl Into<String>) -> Validator<T> {
    let regex = Regex::new(pattern);
    let broken = regex.as_ref().err().map(|it| format!("the regular expression {pattern:?} is broken: {it}"));
    let message = message.into();
    let (start, wanted) = (literal_start(pattern), message.clone());
    let rule = Validator::new(message.clone(), move |value| {
        let it = text_of(value)?;
        match &regex {
            Ok(regex) if regex.is_match(it) => Ok(()),
            Ok(_) => Err(invalid(MATCH, &message)),
            Err(error) => {
                Err(invalid("Invalid Validator Usage", format!("{error}. This is a bug in the provider")))
            }
        }
    });
    let rule = rule.check_refinements(move |known| match (known.prefix(), describe_refinements(known)) {
        (Some(prefix), Some(what)) if !start.starts_with(prefix) && !prefix.starts_with(&start) => {
            Err(invalid(MATCH, format!("{wanted}, but this {what}")))
        }
        _ => Ok(()),
    });
    rule.check_type(move |ty| broken.clone().or_else(|| unsupported_type(*ty == Type::String, "text", ty)))
}

/// How every match of the expression begins, where it can only match at the beginning of a text; empty where that
/// cannot be told at a glance.
fn literal_start(pattern: &str) -> String {
    let Some(rest) = pattern.strip_prefix('^').filter(|_| !may_have_alternatives(pattern)) else {
        return String::new();
    };
    let mut start = String::new();
    let mut rest = rest.chars();
    while let Some(c) = rest.next() {
        let literal = match c {
            // Before letters and digits it has a meaning of its own.
            '\\' => rest.next().filter(char::is_ascii_punctuation),
            c => Some(c).filter(|c| !".[]()*+?{}|^$".contains(*c)),
        };
        let (Some(literal), next) = (literal, rest.as_str()) else { break };
        // What repeats it may stand behind flags.
        if next.starts_with(['*', '?', '+', '{']) || next.starts_with("(?") {
            break;
        }
        start.push(literal);
    }
    start
}

/// True unless nothing outside of groups stands for one thing or another.
fn may_have_alternatives(pattern: &str) -> bool {
    // TypeFacts of brackets other rules hold.
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

/// A JSON document. Whoever asks for equality by content too takes the type `serde_json::Value` (feature `json`).
pub fn json<T: StringAttr>() -> Validator<T> {
    let rule = Validator::new("a JSON document", |value| {
        let it = text_of(value)?;
        match document::implied_type(it.as_bytes()) {
            Ok(_) => Ok(()),
            Err(error) => Err(invalid(JSON, format!("a JSON document is required: {error}"))),
        }
    });
    of_text(rule.check_refinements(|known| match (known.prefix(), describe_refinements(known)) {
        (Some(prefix), Some(what)) if !may_begin_document(prefix) => {
            Err(invalid(JSON, format!("a JSON document is required, but this {what}")))
        }
        _ => Ok(()),
    }))
}

/// True unless no document begins like this, as far as its first value tells.
fn may_begin_document(prefix: &str) -> bool {
    let start = prefix.trim_start_matches([' ', '\t', '\n', '\r']);
    let is_word = |word: &str| word.starts_with(start) || start.starts_with(word);
    start.starts_with(|c: char| c.is_ascii_digit() || "{[\"-".contains(c))
        || ["null", "true", "false"].into_iter().any(is_word)
}

/// The text with the case of its letters taken away, letter by letter, so that the start of a text becomes the
/// start of what the text becomes.
fn fold(text: &str) -> String {
    let one = |c: char| {
        let mut capital = c.to_uppercase();
        // What is several letters in capitals has no other form.
        if capital.len() == 1 { capital.next().unwrap_or(c) } else { c }
    };
    text.chars().flat_map(|c| one(c).to_lowercase()).collect()
}

fn folded<T: StringAttr>(
    word: &str,
    values: impl IntoIterator<Item: Into<String>>,
    wanted: bool,
) -> Validator<T> {
    let values: Vec<String> = values.into_iter().map(Into::into).collect();
    let folded: Vec<String> = values.iter().map(|it| fold(it)).collect();
    let all = folded.clone();
    let shown = values.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>().join(", ");
    let text = format!("{word}, in any case of letters, {shown}");
    let wanted_early = text.clone();
    let rule = Validator::new(text.clone(), move |value| {
        let it = text_of(value)?;
        if folded.contains(&fold(it)) == wanted {
            return Ok(());
        }
        Err(invalid(MATCH, format!("{text} is required, but got {it:?}")))
    });
    of_text(rule.check_refinements(move |known| {
        let start = fold(known.prefix().unwrap_or_default());
        match describe_refinements(known) {
            Some(what) if wanted && !all.iter().any(|it| it.starts_with(&start)) => {
                Err(invalid(MATCH, format!("{wanted_early} is required, but this {what}")))
            }
            _ => Ok(()),
        }
    }))
}

/// One of these, in any case of letters.
pub fn one_of_case_insensitive<T: StringAttr>(values: impl IntoIterator<Item: Into<String>>) -> Validator<T> {
    folded("one of", values, true)
}

/// None of these, in any case of letters.
pub fn none_of_case_insensitive<T: StringAttr>(
    values: impl IntoIterator<Item: Into<String>>,
) -> Validator<T> {
    folded("none of", values, false)
}
