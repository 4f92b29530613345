//! The scanner, which splits source text into tokens.

use unicode_ident::{is_xid_continue, is_xid_start};

/// A token with its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Name,
    Number,
    Sign(Sign),
    /// The quote that opens a string.
    Quote,
    /// `<<NAME` or `<<-NAME`, up to the end of the line.
    Heredoc,
    Newline,
    End,
    /// An invalid character.
    Bad,
}

/// Operators and punctuation.
macro_rules! signs {
    ($($name:ident $text:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum Sign {
            $($name,)*
        }

        impl Sign {
            #[inline]
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Sign::$name => $text,)*
                }
            }
        }
    };
}

signs! {
    Ellipsis "...",
    And "&&",
    Or "||",
    Equal "==",
    NotEqual "!=",
    LessOrEqual "<=",
    GreaterOrEqual ">=",
    Arrow "=>",
    Colons "::",
    OpenParen "(",
    CloseParen ")",
    OpenBracket "[",
    CloseBracket "]",
    OpenBrace "{",
    CloseBrace "}",
    Comma ",",
    Assign "=",
    Dot ".",
    Colon ":",
    Plus "+",
    Minus "-",
    Star "*",
    Slash "/",
    Percent "%",
    Question "?",
    Less "<",
    Greater ">",
    Not "!",
    Tilde "~",
}

/// Returns the longest operator or punctuation at the start. A slash can start a comment and is handled by [`comment`].
const fn sign(text: &[u8]) -> Option<Sign> {
    Some(match text {
        [b'.', b'.', b'.', ..] => Sign::Ellipsis,
        [b'&', b'&', ..] => Sign::And,
        [b'|', b'|', ..] => Sign::Or,
        [b'=', b'=', ..] => Sign::Equal,
        [b'!', b'=', ..] => Sign::NotEqual,
        [b'<', b'=', ..] => Sign::LessOrEqual,
        [b'>', b'=', ..] => Sign::GreaterOrEqual,
        [b'=', b'>', ..] => Sign::Arrow,
        [b':', b':', ..] => Sign::Colons,
        [b'(', ..] => Sign::OpenParen,
        [b')', ..] => Sign::CloseParen,
        [b'[', ..] => Sign::OpenBracket,
        [b']', ..] => Sign::CloseBracket,
        [b'{', ..] => Sign::OpenBrace,
        [b'}', ..] => Sign::CloseBrace,
        [b',', ..] => Sign::Comma,
        [b'=', ..] => Sign::Assign,
        [b'.', ..] => Sign::Dot,
        [b':', ..] => Sign::Colon,
        [b'+', ..] => Sign::Plus,
        [b'-', ..] => Sign::Minus,
        [b'*', ..] => Sign::Star,
        [b'%', ..] => Sign::Percent,
        [b'?', ..] => Sign::Question,
        [b'<', ..] => Sign::Less,
        [b'>', ..] => Sign::Greater,
        [b'!', ..] => Sign::Not,
        [b'~', ..] => Sign::Tilde,
        _ => return None,
    })
}

pub(crate) struct Scanner<'a> {
    pub(crate) text: &'a str,
    /// The start of the next token or of the white space before it.
    pub(crate) at: usize,
    /// True if a line break is a token, for example between the attributes of an object.
    newlines: bool,
    /// The next token, once it is scanned, and its position. Separate fields are faster than a `Token`, which would
    /// be copied at each step.
    ahead: Option<Kind>,
    ahead_start: usize,
    ahead_end: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str, newlines: bool) -> Scanner<'a> {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Scanner { text, at, newlines, ahead: None, ahead_start: at, ahead_end: at }
    }

    /// Sets whether newlines are tokens from here on, and returns the previous setting.
    pub(crate) fn newlines(&mut self, newlines: bool) -> bool {
        if self.newlines != newlines {
            self.ahead = None;
        }
        std::mem::replace(&mut self.newlines, newlines)
    }

    /// Continues at another position.
    #[inline]
    pub(crate) fn jump(&mut self, at: usize) {
        self.at = at;
        self.ahead = None;
    }

    /// Returns the next token, which is scanned only once.
    #[inline]
    pub(crate) fn peek(&mut self) -> Token {
        let kind = self.kind();
        Token { kind, start: self.ahead_start, end: self.ahead_end }
    }

    /// Returns the kind of the next token.
    #[inline]
    pub(crate) fn kind(&mut self) -> Kind {
        match self.ahead {
            Some(it) => it,
            None => self.scan(),
        }
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Token {
        let it = self.peek();
        self.jump(it.end);
        it
    }

    /// Returns the text of a token.
    pub(crate) fn word(&self, it: Token) -> &'a str {
        &self.text[it.start..it.end]
    }

    #[inline]
    pub(crate) fn accept(&mut self, sign: Sign) -> Option<Token> {
        (self.kind() == Kind::Sign(sign)).then(|| self.next())
    }

    /// Returns true if the next token is this keyword.
    #[inline]
    pub(crate) fn is_at_word(&mut self, word: &str) -> bool {
        let it = self.peek();
        it.kind == Kind::Name && self.word(it) == word
    }

    /// Scans a token whose first byte determines its kind, which is the most frequent case.
    #[inline(never)]
    fn scan(&mut self) -> Kind {
        let bytes = self.text.as_bytes();
        let mut start = self.at;
        while let Some(b' ' | b'\t') = bytes.get(start) {
            start += 1;
        }
        match bytes.get(start).map(|&it| FIRST[usize::from(it)]) {
            Some(First::Name) => self.found(Kind::Name, start, name(&self.text[start..])),
            Some(First::Sign(it)) => self.found(Kind::Sign(it), start, 1),
            _ => self.scan_other(start),
        }
    }

    #[inline(never)]
    fn scan_other(&mut self, mut start: usize) -> Kind {
        let newline = self.newlines.then_some(Kind::Newline);
        loop {
            match token(&self.text[start..], newline) {
                (Some(kind), length) => return self.found(kind, start, length),
                (None, length) => start += length,
            }
        }
    }

    #[inline]
    fn found(&mut self, kind: Kind, start: usize, length: usize) -> Kind {
        self.ahead = Some(kind);
        self.ahead_start = start;
        self.ahead_end = start + length;
        kind
    }
}

/// The class of a token, by its first byte.
#[derive(Clone, Copy)]
enum First {
    Name,
    /// A token of one character.
    Sign(Sign),
    /// The first byte does not determine the token.
    Other,
}

/// The class for each byte.
const FIRST: [First; 256] = {
    let mut table = [First::Other; 256];
    let mut i = 0;
    while i < table.len() {
        table[i] = match i as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => First::Name,
            b'.' | b'&' | b'|' | b'=' | b'!' | b'<' | b'>' | b':' => First::Other,
            byte => match sign(&[byte]) {
                Some(it) => First::Sign(it),
                None => First::Other,
            },
        };
        i += 1;
    }
    table
};

/// Returns the kind of the token at the start, or `None` for white space and comments, and its length.
fn token(text: &str, newline: Option<Kind>) -> (Option<Kind>, usize) {
    match text.as_bytes() {
        [] => (Some(Kind::End), 0),
        [b' ' | b'\t', ..] => (None, 1),
        [b'\n', ..] => (newline, 1),
        [b'\r', b'\n', ..] => (newline, 2),
        [b'"', ..] => (Some(Kind::Quote), 1),
        [b'0'..=b'9', ..] => (Some(Kind::Number), number(text.as_bytes())),
        [b'<', b'<', ..] => match heredoc(text) {
            0 => (Some(Kind::Bad), 2),
            length => (Some(Kind::Heredoc), length),
        },
        [b'#' | b'/', ..] => comment(text.as_bytes(), newline),
        bytes => match sign(bytes) {
            Some(it) => (Some(Kind::Sign(it)), it.text().len()),
            None if is_name_start(text) => (Some(Kind::Name), name(text)),
            None => (Some(Kind::Bad), text.chars().next().map_or(0, char::len_utf8)),
        },
    }
}

/// Scans a comment, whose line break can be a token, or a slash that does not start a comment.
fn comment(rest: &[u8], newline: Option<Kind>) -> (Option<Kind>, usize) {
    match rest {
        [b'#', ..] | [b'/', b'/', ..] => match rest.iter().position(|&it| it == b'\n') {
            Some(at) => (newline, at + 1),
            None => (None, rest.len()),
        },
        [b'/', b'*', ..] => match rest.windows(2).skip(2).position(|it| it == b"*/") {
            Some(at) => (None, at + 4),
            None => (Some(Kind::Sign(Sign::Slash)), 1),
        },
        _ => (Some(Kind::Sign(Sign::Slash)), 1),
    }
}

/// The ASCII characters of an identifier.
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = matches!(byte as u8, b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-');
        byte += 1;
    }
    table
};

/// Returns the length of the identifier at the start.
#[inline]
fn name(text: &str) -> usize {
    let bytes = text.as_bytes();
    let length = bytes.iter().position(|&it| !IN_NAME[usize::from(it)]).unwrap_or(bytes.len());
    match bytes.get(length) {
        Some(it) if !it.is_ascii() => length + name_beyond_ascii(&text[length..]),
        _ => length,
    }
}

#[cold]
fn name_beyond_ascii(text: &str) -> usize {
    text.find(|it| it != '-' && !is_xid_continue(it)).unwrap_or(text.len())
}

fn is_name_start(text: &str) -> bool {
    text.starts_with(|it| it == '_' || is_xid_start(it))
}

/// Returns true if the text is an identifier.
pub fn is_identifier(text: &str) -> bool {
    is_name_start(text) && name(text) == text.len()
}

/// Returns the length of the number at the start: digits, and points and exponents that are followed by digits.
fn number(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|it| it.is_ascii_digit()).count();
    let mut length = digits(0);
    loop {
        let rest = &text[length..];
        let points = rest.iter().take_while(|&&it| it == b'.').count();
        let exponent = match &rest[points..] {
            [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..] => 2,
            [b'e' | b'E', b'0'..=b'9', ..] => 1,
            _ => 0,
        };
        let more = digits(length + points + exponent);
        if more == 0 || points + exponent == 0 {
            return length;
        }
        length += points + exponent + more;
    }
}

/// Returns the length of the opening line of a heredoc, including its line break; zero if there is none.
fn heredoc(text: &str) -> usize {
    let flush = usize::from(text[2..].starts_with('-'));
    let rest = &text[2 + flush..];
    let length = if is_name_start(rest) { name(rest) } else { 0 };
    let end = match &rest.as_bytes()[length..] {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    };
    if length == 0 || end == 0 { 0 } else { 2 + flush + length + end }
}
