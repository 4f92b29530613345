//! The forms of a message in which sensitive values are searched: clients of APIs quote values in URLs, headers and request
//! bodies.
//!
//! ```text
//! message          GET /items?filter=my%20token%252B1
//! decoded once     GET /items?filter=my token%2B1
//! decoded twice    GET /items?filter=my token+1
//!
//! message          {"password": "a\u003cb"}, <b>a&lt;b</b>
//! decoded once     {"password": "a<b"}, <b>a<b</b>
//! ```
//!
//! If a value occurs in a form, each byte gets its range in the message, so that the encoded characters can be masked.
//!
//! A message does not show which characters its encoder leaves as they are, and the encoders differ. For this reason the
//! message is decoded, and the value is not encoded.

use std::iter;
use std::ops::Range;

/// How often escape sequences are decoded: a URL can be a parameter of another URL, and a JSON string can contain JSON
/// that contains JSON.
const MAX_DECODINGS: usize = 3;
/// The maximum length of the name or number of an HTML entity, with the semicolon.
const MAX_ENTITY_LENGTH: usize = 17;
/// The longest sequence of backslashes before the `n` of an escaped line break: a quoted JSON string has two.
const MAX_BACKSLASHES: usize = 3;

/// A byte of a message, possibly decoded.
pub(super) trait FormByte: Copy {
    fn byte(self) -> u8;

    fn with_byte(self, byte: u8) -> Self;

    /// The byte that is decoded from several bytes, of which these are the first and the last.
    fn decoded(first: Self, last: Self, byte: u8) -> Self;
}

impl FormByte for u8 {
    fn byte(self) -> u8 {
        self
    }

    fn with_byte(self, byte: u8) -> u8 {
        byte
    }

    fn decoded(_: u8, _: u8, byte: u8) -> u8 {
        byte
    }
}

/// A byte with its range in the message.
#[derive(Clone, Copy)]
pub(super) struct MessageByte {
    byte: u8,
    start: usize,
    end: usize,
}

impl FormByte for MessageByte {
    fn byte(self) -> u8 {
        self.byte
    }

    fn with_byte(self, byte: u8) -> MessageByte {
        MessageByte { byte, ..self }
    }

    fn decoded(first: MessageByte, last: MessageByte, byte: u8) -> MessageByte {
        MessageByte { byte, start: first.start, end: last.end }
    }
}

/// A form of a message. The bytes are those of `string`, so that there are two for some characters.
pub(super) struct DecodedForm<B> {
    /// One character for each byte of the form, see [`string_of_bytes`].
    pub(super) string: String,
    bytes: Vec<B>,
}

impl<B: FormByte> DecodedForm<B> {
    fn new(bytes: impl Iterator<Item = B>) -> DecodedForm<B> {
        let (mut string, mut repeated) = (String::new(), Vec::new());
        for it in bytes {
            let character = char::from(it.byte());
            string.push(character);
            repeated.extend(iter::repeat_n(it, character.len_utf8()));
        }
        DecodedForm { string, bytes: repeated }
    }
}

impl DecodedForm<MessageByte> {
    /// The part of the message that a range of `string` comes from.
    pub(super) fn origin(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let bytes = self.bytes.get(range.clone())?;
        Some(bytes.first()?.start..bytes.last()?.end)
    }
}

/// The forms of one message. In `text` and `base64` are the message as it is, and decoded.
pub(super) struct DecodedForms<B> {
    /// For values as they are. Every `+` is a space, see [`fold_space`].
    pub(super) text: Vec<DecodedForm<B>>,
    /// For values encoded as base64. There are no line breaks, and the characters are those of the standard alphabet.
    pub(super) base64: Vec<DecodedForm<B>>,
}

impl DecodedForms<u8> {
    /// The forms of a message without the ranges. They need much less time and memory, and most messages contain no value.
    pub(super) fn without_ranges(message: &str) -> DecodedForms<u8> {
        DecodedForms::new(message.as_bytes().to_vec())
    }
}

impl DecodedForms<MessageByte> {
    pub(super) fn with_ranges(message: &str) -> DecodedForms<MessageByte> {
        // The range of each byte is that of its character, so that no character is masked in part.
        let bytes = message.char_indices().flat_map(|(start, character)| {
            let end = start + character.len_utf8();
            let bytes = message.as_bytes().get(start..end).unwrap_or_default();
            bytes.iter().map(move |byte| MessageByte { byte: *byte, start, end })
        });
        DecodedForms::new(bytes.collect())
    }
}

impl<B: FormByte> DecodedForms<B> {
    fn new(message: Vec<B>) -> DecodedForms<B> {
        let mut forms = DecodedForms { text: Vec::new(), base64: Vec::new() };
        let mut decoded = Some(message);
        for _ in 0..=MAX_DECODINGS {
            let Some(bytes) = decoded else { break };
            forms.text.push(DecodedForm::new(bytes.iter().map(|it| it.with_byte(fold_space(it.byte())))));
            forms.base64.push(DecodedForm::new(base64_characters(&bytes).into_iter()));
            decoded = self::decoded(&bytes);
        }
        forms
    }
}

/// A string with one character for each byte. Decoded bytes are not always valid UTF-8.
pub(super) fn string_of_bytes(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(char::from).collect()
}

/// A space for `+`, because forms encode a space as `+`, and other bytes as they are.
pub(super) fn fold_space(byte: u8) -> u8 {
    if byte == b'+' { b' ' } else { byte }
}

/// A string with its escape sequences decoded once; `None` if it contains none.
pub(super) fn decoded_string(string: &str) -> Option<Vec<u8>> {
    decoded(string.as_bytes())
}

/// The bytes with the escape sequences of URLs, JSON and HTML decoded once; `None` if there are none.
fn decoded<B: FormByte>(bytes: &[B]) -> Option<Vec<B>> {
    if !bytes.iter().any(|it| matches!(it.byte(), b'%' | b'\\' | b'&')) {
        return None;
    }
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after_first @ ..] = rest {
        let sequence = match first.byte() {
            b'%' => percent_sequence(after_first),
            b'\\' => json_sequence(after_first),
            b'&' => html_sequence(after_first),
            _ => None,
        };
        match sequence.and_then(|it| Some((it.decoded, after_first.split_at_checked(it.length)?))) {
            Some((bytes, (sequence, after))) => {
                let last = sequence.last().unwrap_or(first);
                decoded.extend(bytes.into_iter().map(|byte| B::decoded(*first, *last, byte)));
                rest = after;
            }
            None => {
                decoded.push(*first);
                rest = after_first;
            }
        }
    }
    Some(decoded).filter(|it| it.len() < bytes.len())
}

/// An escape sequence.
struct Sequence {
    /// The number of bytes after the first one.
    length: usize,
    decoded: Vec<u8>,
}

impl Sequence {
    fn of(character: char, length: usize) -> Sequence {
        Sequence { length, decoded: character.to_string().into_bytes() }
    }
}

/// `%41`, without the percent sign.
fn percent_sequence<B: FormByte>(bytes: &[B]) -> Option<Sequence> {
    let byte = u8::try_from(hexadecimal(bytes.get(..2)?)?).ok()?;
    Some(Sequence { length: 2, decoded: vec![byte] })
}

/// `\n`, `\/` or `\u003c`, without the first backslash. A character beyond `\uffff` consists of two sequences.
fn json_sequence<B: FormByte>(bytes: &[B]) -> Option<Sequence> {
    let simple = |character| Some(Sequence::of(character, 1));
    match bytes.first()?.byte() {
        it @ (b'"' | b'\'' | b'\\' | b'/') => simple(char::from(it)),
        b'n' => simple('\n'),
        b'r' => simple('\r'),
        b't' => simple('\t'),
        b'b' => simple('\u{8}'),
        b'f' => simple('\u{c}'),
        b'u' | b'U' => {
            let high = hexadecimal(bytes.get(1..5)?)?;
            if let Some(character) = char::from_u32(high) {
                return Some(Sequence::of(character, 5));
            }
            let [backslash, u, digits @ ..] = bytes.get(5..11)? else { return None };
            let low = hexadecimal(digits)
                .filter(|_| backslash.byte() == b'\\' && u.byte().eq_ignore_ascii_case(&b'u'))?;
            let units = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
            let character = char::decode_utf16(units).next()?.ok()?;
            Some(Sequence::of(character, 11))
        }
        _ => None,
    }
}

/// `&lt;`, `&#60;` or `&#x3c;`, without the ampersand. The names are those of ASCII characters, and `nbsp`.
fn html_sequence<B: FormByte>(bytes: &[B]) -> Option<Sequence> {
    let end = bytes.iter().take(MAX_ENTITY_LENGTH).position(|it| it.byte() == b';')?;
    let name: Vec<u8> = bytes.iter().take(end).map(|it| it.byte().to_ascii_lowercase()).collect();
    let character = match name.as_slice() {
        b"tab" => '\t',
        b"newline" => '\n',
        b"nbsp" | b"nonbreakingspace" => '\u{a0}',
        b"excl" => '!',
        b"quot" => '"',
        b"num" => '#',
        b"dollar" => '$',
        b"percnt" => '%',
        b"amp" => '&',
        b"apos" => '\'',
        b"lpar" => '(',
        b"rpar" => ')',
        b"ast" | b"midast" => '*',
        b"plus" => '+',
        b"comma" => ',',
        b"period" => '.',
        b"sol" => '/',
        b"colon" => ':',
        b"semi" => ';',
        b"lt" => '<',
        b"equals" => '=',
        b"gt" => '>',
        b"quest" => '?',
        b"commat" => '@',
        b"lsqb" | b"lbrack" => '[',
        b"bsol" => '\\',
        b"rsqb" | b"rbrack" => ']',
        b"hat" => '^',
        b"lowbar" | b"underbar" => '_',
        b"grave" | b"diacriticalgrave" => '`',
        b"lcub" | b"lbrace" => '{',
        b"verbar" | b"vert" | b"verticalline" => '|',
        b"rcub" | b"rbrace" => '}',
        [b'#', b'x', digits @ ..] => char::from_u32(hexadecimal(digits)?)?,
        [b'#', digits @ ..] => char::from_u32(std::str::from_utf8(digits).ok()?.parse().ok()?)?,
        _ => return None,
    };
    Some(Sequence::of(character, end + 1))
}

fn hexadecimal<B: FormByte>(digits: &[B]) -> Option<u32> {
    let add =
        |number: u32, digit: &B| number.checked_mul(16)?.checked_add(char::from(digit.byte()).to_digit(16)?);
    if digits.is_empty() { None } else { digits.iter().try_fold(0, add) }
}

/// The bytes without line breaks, the indentation after them, and differences between the alphabets.
fn base64_characters<B: FormByte>(bytes: &[B]) -> Vec<B> {
    let mut characters = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after_first @ ..] = rest {
        let line_break = line_break_length(rest);
        if line_break > 0 {
            rest = rest.get(line_break..).unwrap_or_default();
            continue;
        }
        characters.push(match first.byte() {
            b'-' => first.with_byte(b'+'),
            b'_' => first.with_byte(b'/'),
            _ => *first,
        });
        rest = after_first;
    }
    characters
}

/// The length of the line break at the start of the bytes, with the indentation after it; 0 if there is no line break.
fn line_break_length<B: FormByte>(bytes: &[B]) -> usize {
    let byte = |at: usize| bytes.get(at).map(|it| it.byte());
    let length = match byte(0) {
        Some(b'\n' | b'\r') => 1,
        Some(b'\\') => {
            let backslashes = (0..MAX_BACKSLASHES).take_while(|at| byte(*at) == Some(b'\\')).count();
            match byte(backslashes) {
                Some(b'n' | b'r') => backslashes + 1,
                _ => return 0,
            }
        }
        _ => return 0,
    };
    let indentation = bytes.iter().skip(length).take_while(|it| matches!(it.byte(), b' ' | b'\t'));
    length + indentation.count()
}
