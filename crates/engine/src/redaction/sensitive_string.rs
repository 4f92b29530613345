//! A sensitive value, and the search for it in a message.
//!
//! The value is searched as it is, escaped in a quoted string, and as base64. The [decoded forms](DecodedForms) of the message
//! cover percent-encoding.
//!
//! ```text
//! value    my token+1
//! message  got "my token+1", /my%20token+1, /my%20token%2B1, /%6D%79%20..., Basic dXNlcjpteSB0b2tlbisx
//! ```

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::decoded_forms::{
    DecodedForm, DecodedForms, MessageByte, fold_space, percent_decoded_string, string_of_bytes,
};

/// Shorter strings often occur inside other words, so they are masked only within quotation marks.
const MIN_UNQUOTED_LENGTH: usize = 4;
/// The number of base64 characters that are a match even if the characters next to them are missing. Fewer characters could
/// occur by chance.
const MIN_CUT_BASE64_LENGTH: usize = 6;

/// A sensitive value, prepared for the search in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SensitiveString {
    /// The strings to search in the text of a message.
    texts: Vec<String>,
    /// The number of characters at both ends of `texts` that are not part of the value.
    quotation_marks: usize,
    base64: Vec<InnerBase64>,
}

impl SensitiveString {
    pub(super) fn new(value: &str) -> SensitiveString {
        let quoted = format!("{value:?}");
        let folded = |bytes: &[u8]| string_of_bytes(bytes.iter().copied().map(fold_space));
        if value.len() < MIN_UNQUOTED_LENGTH {
            let texts = vec![folded(quoted.as_bytes())];
            return SensitiveString { texts, quotation_marks: 1, base64: Vec::new() };
        }
        let escaped = quoted.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(&quoted);
        let mut texts = vec![folded(value.as_bytes()), folded(escaped.as_bytes())];
        // The percent sign of a value can be left as it is while its other characters are encoded. The forms of the message
        // have it decoded, too.
        let decoded = percent_decoded_string(value).filter(|it| it.len() >= MIN_UNQUOTED_LENGTH);
        texts.extend(decoded.map(|it| folded(&it)));
        texts.dedup();
        let base64 = (0..3).filter_map(|offset| InnerBase64::new(value, offset)).collect();
        SensitiveString { texts, quotation_marks: 0, base64 }
    }

    /// Whether a message may contain the value.
    pub(super) fn may_occur(&self, message: &DecodedForms<u8>) -> bool {
        let in_text = |it: &String| message.text.iter().any(|form| form.string.contains(it));
        let in_base64 =
            |it: &InnerBase64| message.base64.iter().any(|form| form.string.contains(&it.characters));
        self.texts.iter().any(in_text) || self.base64.iter().any(in_base64)
    }

    /// Adds the parts of the message that contain the value.
    pub(super) fn find(&self, message: &DecodedForms<MessageByte>, found: &mut Vec<Range<usize>>) {
        for form in &message.text {
            for (start, text) in self.texts.iter().flat_map(|it| form.string.match_indices(it.as_str())) {
                let range = start + self.quotation_marks..start + text.len() - self.quotation_marks;
                found.extend(form.origin(&range));
            }
        }
        for form in &message.base64 {
            found.extend(self.base64.iter().flat_map(|it| it.find(form)));
        }
    }
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

    /// The parts of the message that contain the value. Shared characters and the padding belong to them.
    fn find(&self, form: &DecodedForm<MessageByte>) -> impl Iterator<Item = Range<usize>> {
        let matches = form.string.match_indices(&self.characters);
        matches.filter_map(|(start, _)| form.origin(&self.extend(form.string.as_bytes(), start)?))
    }

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
