//! Rules for strings.

use ferroform_value::Value;
use regex_lite::Regex;

use super::{Rule, invalid};
use crate::Attr;

fn length<T: Attr>(
    text: String,
    of: &'static str,
    min: usize,
    max: usize,
    count: fn(&str) -> usize,
) -> Rule<T> {
    let wanted = text.clone();
    Rule::new(text, move |value| {
        let Some(it) = value.as_str() else { return Ok(()) };
        let got = count(it);
        if (min..=max).contains(&got) {
            return Ok(());
        }
        let detail = format!("{wanted} is required, but this has {got} {of}");
        Err(invalid("Invalid Attribute Value Length", detail))
    })
}

fn bytes<T: Attr>(text: String, min: usize, max: usize) -> Rule<T> {
    length(text, "bytes", min, max, str::len)
}

fn characters<T: Attr>(text: String, min: usize, max: usize) -> Rule<T> {
    length(text, "characters", min, max, |it| it.chars().count())
}

/// At least so many bytes.
pub fn length_at_least<T: Attr>(min: usize) -> Rule<T> {
    bytes(format!("a text of at least {min} bytes"), min, usize::MAX)
}

/// At most so many bytes.
pub fn length_at_most<T: Attr>(max: usize) -> Rule<T> {
    bytes(format!("a text of at most {max} bytes"), 0, max)
}

/// From `min` to `max` bytes.
pub fn length_between<T: Attr>(min: usize, max: usize) -> Rule<T> {
    bytes(format!("a text of {min} to {max} bytes"), min, max)
}

/// At least so many Unicode characters.
pub fn utf8_length_at_least<T: Attr>(min: usize) -> Rule<T> {
    characters(format!("a text of at least {min} characters"), min, usize::MAX)
}

/// At most so many Unicode characters.
pub fn utf8_length_at_most<T: Attr>(max: usize) -> Rule<T> {
    characters(format!("a text of at most {max} characters"), 0, max)
}

/// From `min` to `max` Unicode characters.
pub fn utf8_length_between<T: Attr>(min: usize, max: usize) -> Rule<T> {
    characters(format!("a text of {min} to {max} characters"), min, max)
}

/// A match of the regular expression, somewhere in the text. The message says what is required.
///
/// The expression is that of the `regex-lite` crate: as in the `regex` crate, without Unicode classes. A broken
/// one refuses every value, and says so.
pub fn matches<T: Attr>(pattern: &str, message: impl Into<String>) -> Rule<T> {
    let regex = Regex::new(pattern);
    let message = message.into();
    Rule::new(message.clone(), move |value| {
        let Some(it) = value.as_str() else { return Ok(()) };
        match &regex {
            Ok(regex) if regex.is_match(it) => Ok(()),
            Ok(_) => Err(invalid("Invalid Attribute Value Match", &message)),
            Err(error) => {
                Err(invalid("Invalid Validator Usage", format!("{error}. This is a bug in the provider")))
            }
        }
    })
}

fn folded<T: Attr>(summary: String, values: impl IntoIterator<Item: Into<String>>, wanted: bool) -> Rule<T> {
    let values: Vec<String> = values.into_iter().map(Into::into).collect();
    let folded: Vec<String> = values.iter().map(|it| it.to_lowercase()).collect();
    let text =
        format!("{summary} {}", values.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>().join(", "));
    Rule::new(text.clone(), move |value| {
        let Value::String(it) = value else { return Ok(()) };
        if folded.contains(&it.to_lowercase()) == wanted {
            return Ok(());
        }
        Err(invalid("Invalid Attribute Value Match", format!("{text} is required, but this is {it:?}")))
    })
}

/// One of these, in any case of letters.
pub fn one_of_case_insensitive<T: Attr>(values: impl IntoIterator<Item: Into<String>>) -> Rule<T> {
    folded("one of, in any case of letters,".into(), values, true)
}

/// None of these, in any case of letters.
pub fn none_of_case_insensitive<T: Attr>(values: impl IntoIterator<Item: Into<String>>) -> Rule<T> {
    folded("none of, in any case of letters,".into(), values, false)
}
