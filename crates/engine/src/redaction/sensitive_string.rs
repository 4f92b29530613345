//! Sensitive values, and the search for them in a message.
//!
//! A value is searched as it is, escaped in a quoted string, and as base64. The [decoded forms](DecodedForms) of the message
//! cover the escape sequences of URLs, JSON and HTML.
//!
//! ```text
//! value    my token+1
//! message  got "my token+1", /my%20token+1, /my%20token%2B1, /%6D%79%20..., Basic dXNlcjpteSB0b2tlbisx
//! ```

use std::collections::BTreeSet;
use std::ops::Range;

use aho_corasick::automaton::Automaton as _;
use aho_corasick::nfa::contiguous::NFA;
use aho_corasick::{Anchored, Input};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::diagnostic::capitalized;

use super::decoded_forms::{
    DecodedForm, DecodedForms, MessageByte, decoded_string, fold_space, string_of_bytes,
};

/// Shorter strings often occur inside other words, so they are masked only within quotation marks.
const MIN_UNQUOTED_LENGTH: usize = 4;
/// The number of base64 characters that are a match even if the characters next to them are missing. Fewer characters could
/// occur by chance.
const MIN_CUT_BASE64_LENGTH: usize = 6;

/// Sensitive values, prepared for the search in messages. One pass over a message finds all of them.
#[derive(Clone, Debug)]
pub(super) struct SensitiveStrings {
    /// Searches the values as they are, escaped or quoted. `None` if they are too long in total.
    texts: Option<NFA>,
    /// The number of characters at both ends of each text that are not part of the value.
    quotation_marks: Vec<usize>,
    /// Searches the values in base64.
    base64: Option<NFA>,
    inner_base64: Vec<InnerBase64>,
}

impl SensitiveStrings {
    pub(super) fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> SensitiveStrings {
        let (mut texts, mut quotation_marks, mut inner_base64) = (Vec::new(), Vec::new(), Vec::new());
        // The objects of a request contain the same values.
        let values: BTreeSet<&str> = values.into_iter().collect();
        for value in values {
            if value.len() < MIN_UNQUOTED_LENGTH {
                texts.push(folded(format!("{value:?}").as_bytes()));
                quotation_marks.push(1);
                continue;
            }
            let found = unquoted_texts(value);
            quotation_marks.extend(found.iter().map(|_| 0));
            texts.extend(found);
            inner_base64.extend((0..3).filter_map(|offset| InnerBase64::new(value, offset)));
        }
        let base64 = NFA::new(inner_base64.iter().map(|it| &it.characters)).ok();
        SensitiveStrings { texts: NFA::new(&texts).ok(), quotation_marks, base64, inner_base64 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.quotation_marks.is_empty()
    }

    /// True if a message may contain one of the values.
    pub(super) fn may_occur(&self, message: &DecodedForms<u8>) -> bool {
        let occurs = |search: &Option<NFA>, forms: &[DecodedForm<u8>]| {
            search.as_ref().is_some_and(|it| {
                forms.iter().any(|form| matches!(it.try_find(&Input::new(&form.string)), Ok(Some(_))))
            })
        };
        occurs(&self.texts, &message.text) || occurs(&self.base64, &message.base64)
    }

    /// Adds the parts of the message that contain one of the values.
    pub(super) fn find(&self, message: &DecodedForms<MessageByte>, found: &mut Vec<Range<usize>>) {
        for (search, form) in self.texts.iter().flat_map(|it| message.text.iter().map(move |form| (it, form)))
        {
            find_longest(search, form, found, |pattern, range| {
                let marks = self.quotation_marks.get(pattern).copied().unwrap_or_default();
                Some(range.start + marks..range.end - marks)
            });
        }
        for (search, form) in
            self.base64.iter().flat_map(|it| message.base64.iter().map(move |form| (it, form)))
        {
            find_longest(search, form, found, |pattern, range| {
                self.inner_base64.get(pattern)?.extend(form.string.as_bytes(), range.start)
            });
        }
    }
}

/// Adds the part of the message for each position at which patterns end: that of the longest pattern for which `part` returns
/// one. The shorter ones are inside it. If patterns are prefixes of each other, the number of all matches is quadratic.
fn find_longest(
    search: &NFA,
    form: &DecodedForm<MessageByte>,
    found: &mut Vec<Range<usize>>,
    part: impl Fn(usize, Range<usize>) -> Option<Range<usize>>,
) {
    let Ok(mut state) = search.start_state(Anchored::No) else { return };
    for (at, byte) in form.string.bytes().enumerate() {
        state = search.next_state(Anchored::No, state, byte);
        if !search.is_match(state) {
            continue;
        }
        // The longest pattern is the first one.
        let mut parts = (0..search.match_len(state)).filter_map(|index| {
            let pattern = search.match_pattern(state, index);
            part(pattern.as_usize(), at + 1 - search.pattern_len(pattern)..at + 1)
        });
        found.extend(parts.next().and_then(|it| form.origin(&it)));
    }
}

/// The strings in which a value occurs in a message without quotation marks.
fn unquoted_texts(value: &str) -> Vec<String> {
    let quoted = format!("{value:?}");
    let escaped = quoted.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(&quoted);
    // The framework capitalizes the error of a client, which can begin with the value.
    let mut texts =
        vec![folded(value.as_bytes()), folded(escaped.as_bytes()), folded(capitalized(value).as_bytes())];
    // An escape sequence in a value can be left as it is while other characters are encoded. The forms of the message have
    // it decoded, too.
    let decoded = decoded_string(value).filter(|it| it.len() >= MIN_UNQUOTED_LENGTH);
    texts.extend(decoded.map(|it| folded(&it)));
    texts.sort_unstable();
    texts.dedup();
    texts
}

fn folded(bytes: &[u8]) -> String {
    string_of_bytes(bytes.iter().copied().map(fold_space))
}

/// The base64 characters of a value that follows other data, such as a token in the header of HTTP basic authentication, which
/// encodes `user:token`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InnerBase64 {
    /// The characters that depend on the value only.
    characters: String,
    /// The character before, if it also depends on the data before the value.
    before: Option<SharedCharacter>,
    /// The character after, if it also depends on the data after the value.
    after: Option<SharedCharacter>,
    /// The number of `=` after the value if no data follows.
    padding: usize,
}

/// A base64 character that encodes bits of the value and other bits.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SharedCharacter {
    mask: u8,
    bits: u8,
}

impl SharedCharacter {
    fn new(character: u8, mask: u8) -> Option<SharedCharacter> {
        Some(SharedCharacter { mask, bits: base64_bits(character)? })
    }

    /// Whether the character can be this one. `if_missing` applies if the base64 data is cut off here.
    fn matches(&self, character: Option<u8>, if_missing: bool) -> bool {
        character.and_then(base64_bits).map_or(if_missing, |it| it & self.mask == self.bits)
    }
}

impl InnerBase64 {
    /// The characters of a value that follows `offset` bytes modulo 3 of other data.
    fn new(value: &str, offset: usize) -> Option<InnerBase64> {
        let mut data = vec![0; offset];
        data.extend_from_slice(value.as_bytes());
        let encoded = STANDARD.encode(&data);
        // Each character encodes six bits.
        let first = (offset * 8).div_ceil(6);
        let end = data.len() * 8 / 6;
        let character = |at: usize| encoded.as_bytes().get(at).copied();
        let before = match offset {
            0 => None,
            1 => SharedCharacter::new(character(first - 1)?, 0b00_1111),
            _ => SharedCharacter::new(character(first - 1)?, 0b00_0011),
        };
        let after = match data.len() % 3 {
            0 => None,
            1 => SharedCharacter::new(character(end)?, 0b11_0000),
            _ => SharedCharacter::new(character(end)?, 0b11_1100),
        };
        let characters = encoded.get(first..end)?.to_owned();
        Some(InnerBase64 { characters, before, after, padding: (3 - data.len() % 3) % 3 })
    }

    /// The part of a form that contains the value, if its characters start here. Shared characters and the padding belong to
    /// it.
    fn extend(&self, form: &[u8], mut start: usize) -> Option<Range<usize>> {
        let is_long = self.characters.len() >= MIN_CUT_BASE64_LENGTH;
        let mut end = start + self.characters.len();
        let is_base64 = |at: usize| form.get(at).is_some_and(|it| base64_bits(*it).is_some());
        if let Some(before) = &self.before {
            let at = start.checked_sub(1);
            if !before.matches(at.and_then(|it| form.get(it)).copied(), is_long) {
                return None;
            }
            start = at.filter(|it| is_base64(*it)).unwrap_or(start);
        }
        if let Some(after) = &self.after {
            if !after.matches(form.get(end).copied(), is_long) {
                return None;
            }
            end += usize::from(is_base64(end));
            let padding = form.iter().skip(end).take(self.padding).take_while(|it| **it == b'=');
            end += padding.count();
        }
        Some(start..end)
    }
}

/// The six bits that a character of the standard alphabet encodes.
fn base64_bits(character: u8) -> Option<u8> {
    match character {
        b'A'..=b'Z' => Some(character - b'A'),
        b'a'..=b'z' => Some(character - b'a' + 26),
        b'0'..=b'9' => Some(character - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_prefixes_of_each_other_are_found_once_per_position() {
        let values: Vec<String> = (4..200).map(|length| "a".repeat(length)).collect();
        let message = "a".repeat(199) + " " + &STANDARD.encode("a".repeat(198));
        let mut found = Vec::new();
        SensitiveStrings::new(values.iter().map(String::as_str))
            .find(&DecodedForms::with_ranges(&message), &mut found);
        assert!(found.contains(&(0..199)) && found.contains(&(200..message.len())), "{found:?}");
        assert!(found.len() <= 2 * message.len(), "{} parts", found.len());
    }
}
