//! A streaming JSON lexer.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::bytes::bytes;
use crate::element_budget::ElementBudget;
use crate::error::Error;
use crate::limits::MAX_DEPTH;

/// The first token of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, with its digits as in the source.
    Number(&'a str),
    /// A string without quotes and escape sequences.
    String(Cow<'a, str>),
    /// The opening bracket of an array; continue with [`Lexer::element`].
    Array,
    /// The opening brace of an object; continue with [`Lexer::key`].
    Object,
}

impl Token<'_> {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Token::Null => "null",
            Token::Bool(_) => "bool",
            Token::Number(_) => "number",
            Token::String(_) => "string",
            Token::Array => "array",
            Token::Object => "object",
        }
    }
}

/// The error of invalid JSON.
///
/// ```
/// use ferroform_value::json::Lexer;
///
/// let error = Lexer::new(b"no").token().unwrap_err();
/// assert_eq!((error.at, error.reason.to_string().as_str()), (0, "expected a value"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The position in bytes of the first invalid byte; the length of the input if it ends too early.
    pub at: usize,
    /// The reason.
    pub reason: SyntaxErrorReason,
    line: usize,
    column: usize,
}

/// The reason of a [`SyntaxError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxErrorReason {
    /// Another token is expected, such as `a value`.
    Expected(&'static str),
    /// The input ends before the value.
    EndOfInput,
    /// The input ends within a string.
    EndInString,
    /// The nesting exceeds the limit of this crate.
    NestedTooDeeply,
}

impl fmt::Display for SyntaxErrorReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyntaxErrorReason::Expected(token) => write!(f, "expected {token}"),
            SyntaxErrorReason::EndOfInput => f.write_str("unexpected end of input"),
            SyntaxErrorReason::EndInString => f.write_str("unexpected end of input in a string"),
            SyntaxErrorReason::NestedTooDeeply => f.write_str("the value is nested too deeply"),
        }
    }
}

impl From<SyntaxError> for Error {
    fn from(error: SyntaxError) -> Error {
        let SyntaxError { reason, line, column, .. } = error;
        match reason {
            SyntaxErrorReason::Expected(_) => {
                Error::malformed(format!("invalid JSON: {reason} at line {line}, column {column}"))
            }
            SyntaxErrorReason::NestedTooDeeply => Error::nested_too_deeply(),
            _ => Error::malformed(format!("invalid JSON: {reason}")),
        }
    }
}

/// The bytes that end a string or need special treatment in one.
const SPECIAL: [bool; 256] = bytes!(b'"' | b'\\' | 0..0x20);

/// Reads JSON token by token.
///
/// ```
/// use ferroform_value::json::{Lexer, Token};
///
/// let mut lexer = Lexer::new(br#"[true, {"a": "b"}]"#);
/// assert_eq!(lexer.token()?, Token::Array);
/// assert!(lexer.element(true)?);
/// assert_eq!(lexer.token()?, Token::Bool(true));
/// assert!(lexer.element(false)?);
/// assert_eq!(lexer.token()?, Token::Object);
/// assert_eq!(lexer.key(true)?.as_deref(), Some("a"));
/// assert_eq!((lexer.token()?, lexer.last()), (Token::String("b".into()), 13..16));
/// assert_eq!(lexer.key(false)?, None);
/// assert!(!lexer.element(false)?);
/// lexer.end()?;
/// # Ok::<(), ferroform_value::json::SyntaxError>(())
/// ```
pub struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The start of the last token or key.
    start: usize,
    /// The end of the last key. The colon after it has been read.
    key_end: Option<usize>,
    /// The number of brackets that can be nested within the current one.
    remaining_depth: u32,
    /// The number of elements that the decoders of values and types can still read. The lexer itself has no limit.
    pub(super) budget: ElementBudget,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer at the start of the input.
    pub fn new(bytes: &'a [u8]) -> Lexer<'a> {
        Lexer::with_depth(bytes, MAX_DEPTH)
    }

    pub(super) fn with_depth(bytes: &'a [u8], depth: u32) -> Lexer<'a> {
        Lexer { bytes, at: 0, start: 0, key_end: None, remaining_depth: depth, budget: ElementBudget::new() }
    }

    /// Creates a lexer for a skipped value of the input, with the same remaining depth and number of elements.
    pub(super) fn inside(&self, part: &'a [u8]) -> Lexer<'a> {
        Lexer { budget: self.budget, ..Lexer::with_depth(part, self.remaining_depth) }
    }

    /// Returns the position of the next byte, which is the number of consumed bytes.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns the position of the last token or key. For an array or an object, it is that of the opening bracket.
    pub fn last(&self) -> Range<usize> {
        self.start..self.key_end.unwrap_or(self.at)
    }

    /// Reads a scalar value, or the opening bracket of an array or object.
    ///
    /// # Errors
    ///
    /// Returns an error if no value starts at this position.
    pub fn token(&mut self) -> Result<Token<'a>, SyntaxError> {
        let next = self.peek()?;
        (self.start, self.key_end) = (self.at, None);
        Ok(match next {
            b'[' => {
                self.open()?;
                Token::Array
            }
            b'{' => {
                self.open()?;
                Token::Object
            }
            b'"' => Token::String(self.string()?),
            b'-' | b'0'..=b'9' => Token::Number(self.number()?),
            b'n' => self.word("null", Token::Null)?,
            b't' => self.word("true", Token::Bool(true))?,
            b'f' => self.word("false", Token::Bool(false))?,
            _ => return Err(self.unexpected("a value")),
        })
    }

    /// Advances to the next element of an array, and returns false at the end of the array. `first` is true before
    /// the first element.
    ///
    /// # Errors
    ///
    /// Returns an error if neither a comma nor the closing bracket follows.
    pub fn element(&mut self, first: bool) -> Result<bool, SyntaxError> {
        let next = self.peek()?;
        if next == b']' {
            self.close();
            return Ok(false);
        }
        self.comma(first, next)?;
        Ok(true)
    }

    /// Advances to the next value of an object and returns its key, or `None` at the end of the object. `first` is
    /// true before the first key.
    ///
    /// # Errors
    ///
    /// Returns an error if neither a key with a colon nor the closing brace follows.
    pub fn key(&mut self, first: bool) -> Result<Option<Cow<'a, str>>, SyntaxError> {
        let next = self.peek()?;
        if next == b'}' {
            self.close();
            return Ok(None);
        }
        self.comma(first, next)?;
        if self.peek()? != b'"' {
            return Err(self.unexpected("a quoted object key"));
        }
        self.start = self.at;
        let key = self.string()?;
        self.key_end = Some(self.at);
        if self.peek()? != b':' {
            return Err(self.unexpected("a colon"));
        }
        self.at += 1;
        Ok(Some(key))
    }

    /// Skips one value and returns its JSON.
    pub(super) fn raw(&mut self) -> Result<&'a [u8], SyntaxError> {
        self.peek()?;
        let start = self.at;
        // The open brackets: true for each object, false for each array.
        let mut open = Vec::new();
        loop {
            let token = self.token()?;
            let mut first = matches!(token, Token::Array | Token::Object);
            if first {
                open.push(matches!(token, Token::Object));
            }
            loop {
                let more = match open.last() {
                    None => return Ok(&self.bytes[start..self.at]),
                    Some(true) => self.key(first)?.is_some(),
                    Some(false) => self.element(first)?,
                };
                if more {
                    break;
                }
                open.pop();
                first = false;
            }
        }
    }

    /// Checks that only white space follows.
    ///
    /// # Errors
    ///
    /// Returns an error if anything else follows.
    pub fn end(&mut self) -> Result<(), SyntaxError> {
        match self.peek() {
            Ok(_) => Err(self.unexpected("end of input")),
            Err(_) => Ok(()),
        }
    }

    fn open(&mut self) -> Result<(), SyntaxError> {
        self.remaining_depth = self
            .remaining_depth
            .checked_sub(1)
            .ok_or_else(|| self.error(SyntaxErrorReason::NestedTooDeeply))?;
        self.at += 1;
        Ok(())
    }

    fn close(&mut self) {
        self.remaining_depth += 1;
        self.at += 1;
    }

    fn comma(&mut self, first: bool, next: u8) -> Result<(), SyntaxError> {
        if first {
            return Ok(());
        }
        if next != b',' {
            return Err(self.unexpected("a comma or a closing bracket"));
        }
        self.at += 1;
        Ok(())
    }

    /// Returns the next byte that is not white space.
    fn peek(&mut self) -> Result<u8, SyntaxError> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                return Ok(byte);
            }
            self.at += 1;
        }
        Err(self.error(SyntaxErrorReason::EndOfInput))
    }

    fn unexpected(&self, expected: &'static str) -> SyntaxError {
        self.error(SyntaxErrorReason::Expected(expected))
    }

    fn error(&self, reason: SyntaxErrorReason) -> SyntaxError {
        let before = &self.bytes[..self.at.min(self.bytes.len())];
        let line = before.iter().filter(|&&it| it == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&it| it != b'\n').count() + 1;
        SyntaxError { at: before.len(), reason, line, column }
    }

    fn word(&mut self, word: &str, token: Token<'a>) -> Result<Token<'a>, SyntaxError> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.unexpected("a value"));
        }
        self.at += word.len();
        Ok(token)
    }

    fn number(&mut self) -> Result<&'a str, SyntaxError> {
        let start = self.at;
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        if self.bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default())
    }

    fn digits(&mut self) -> Result<(), SyntaxError> {
        let count = self.bytes[self.at..].iter().take_while(|it| it.is_ascii_digit()).count();
        if count == 0 {
            return Err(self.unexpected("a digit"));
        }
        self.at += count;
        Ok(())
    }

    /// Reads a string, which is borrowed if it has no escape sequences. Invalid UTF-8 and surrogates become U+FFFD.
    fn string(&mut self) -> Result<Cow<'a, str>, SyntaxError> {
        self.at += 1;
        let mut text: Cow<'a, str> = Cow::Borrowed("");
        loop {
            let rest = &self.bytes[self.at..];
            let plain = rest.iter().position(|&it| SPECIAL[usize::from(it)]);
            let plain = plain.ok_or_else(|| self.error(SyntaxErrorReason::EndInString))?;
            // `from_utf8_lossy` is slower than `from_utf8`, even for valid UTF-8.
            let piece = match std::str::from_utf8(&rest[..plain]) {
                Ok(it) => Cow::Borrowed(it),
                Err(_) => String::from_utf8_lossy(&rest[..plain]),
            };
            if text.is_empty() {
                text = piece;
            } else {
                text.to_mut().push_str(&piece);
            }
            self.at += plain + 1;
            match rest[plain] {
                b'"' => return Ok(text),
                b'\\' => text.to_mut().push(self.escape()?),
                _ => {
                    self.at -= 1;
                    return Err(self.unexpected("an escape sequence instead of a control character"));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        Ok(match byte {
            Some(it @ (b'"' | b'\\' | b'/')) => it.into(),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let high = self.hex()?;
                self.unicode_escape(high).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => {
                self.at -= 1;
                return Err(self.unexpected("an escape sequence"));
            }
        })
    }

    /// Returns the character of a `\u` escape sequence, or of two that form a unicode_escape pair. Returns `None` for a
    /// single unicode_escape.
    fn unicode_escape(&mut self, first: u32) -> Option<char> {
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        let start = self.at;
        if self.bytes[self.at..].starts_with(b"\\u") {
            self.at += 2;
            if let Ok(second @ 0xdc00..0xe000) = self.hex() {
                return char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00));
            }
            // The second escape sequence is not a low unicode_escape, so it is a character on its own.
            self.at = start;
        }
        None
    }

    fn hex(&mut self) -> Result<u32, SyntaxError> {
        let digits = self.bytes.get(self.at..self.at + 4).filter(|it| it.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.and_then(|it| std::str::from_utf8(it).ok());
        let code = digits.and_then(|it| u32::from_str_radix(it, 16).ok());
        let code = code.ok_or_else(|| self.unexpected("four hexadecimal digits"))?;
        self.at += 4;
        Ok(code)
    }
}
