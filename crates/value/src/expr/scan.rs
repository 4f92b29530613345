//! The words and signs of the expression language.

use unicode_ident::{is_xid_continue, is_xid_start};

/// A word or sign, with where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Name,
    Number,
    Sign(Sign),
    /// The quote that opens a string.
    Quote,
    /// `<<NAME` or `<<-NAME`, up to the end of the line.
    Heredoc,
    Newline,
    End,
    /// A character that begins nothing.
    Bad,
}

/// Signs and their names.
macro_rules! signs {
    ($($name:ident $text:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(super) enum Sign {
            $($name,)*
        }

        impl Sign {
            pub(super) fn text(self) -> &'static str {
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

/// The sign at the beginning, the longest that there is.
fn sign(text: &[u8]) -> Option<Sign> {
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
        [b'/', ..] => Sign::Slash,
        [b'%', ..] => Sign::Percent,
        [b'?', ..] => Sign::Question,
        [b'<', ..] => Sign::Less,
        [b'>', ..] => Sign::Greater,
        [b'!', ..] => Sign::Not,
        [b'~', ..] => Sign::Tilde,
        _ => return None,
    })
}

pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    /// Where the next token, or the space before it, begins.
    pub(super) at: usize,
    /// Whether the end of a line is a token: it is between the attributes of an object.
    newlines: bool,
    ahead: Option<Token>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, newlines: bool) -> Scanner<'a> {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Scanner { text, at, newlines, ahead: None }
    }

    /// Says whether the end of a line is a token from here on, and answers whether it was one.
    pub(super) fn newlines(&mut self, newlines: bool) -> bool {
        if self.newlines != newlines {
            self.ahead = None;
        }
        std::mem::replace(&mut self.newlines, newlines)
    }

    /// Goes on from another place.
    #[inline]
    pub(super) fn jump(&mut self, at: usize) {
        self.at = at;
        self.ahead = None;
    }

    /// The next token. It is scanned once, however often one asks.
    #[inline]
    pub(super) fn peek(&mut self) -> Token {
        match self.ahead {
            Some(it) => it,
            None => *self.ahead.insert(self.scan()),
        }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Token {
        let it = self.peek();
        self.jump(it.end);
        it
    }

    /// The text of a token.
    pub(super) fn word(&self, it: Token) -> &'a str {
        &self.text[it.start..it.end]
    }

    #[inline]
    pub(super) fn accept(&mut self, sign: Sign) -> Option<Token> {
        let it = self.peek();
        (it.kind == Kind::Sign(sign)).then(|| self.next())
    }

    /// True where the next token is this word.
    #[inline]
    pub(super) fn at_word(&mut self, word: &str) -> bool {
        let it = self.peek();
        it.kind == Kind::Name && self.word(it) == word
    }

    fn scan(&self) -> Token {
        let (start, newline) = self.skip();
        if let Some(end) = newline {
            return Token { kind: Kind::Newline, start, end };
        }
        let bytes = &self.text.as_bytes()[start..];
        let (kind, length) = match bytes {
            [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => (Kind::Name, name(&self.text[start..])),
            [] => (Kind::End, 0),
            [b'"', ..] => (Kind::Quote, 1),
            [b'0'..=b'9', ..] => (Kind::Number, number(bytes)),
            [b'<', b'<', ..] => match heredoc(&self.text[start..]) {
                0 => (Kind::Bad, 2),
                length => (Kind::Heredoc, length),
            },
            _ => match sign(bytes) {
                Some(it) => (Kind::Sign(it), it.text().len()),
                None => other(&self.text[start..]),
            },
        };
        Token { kind, start, end: start + length }
    }

    /// Where the next token begins; and where it ends, if it is the end of a line.
    #[inline]
    fn skip(&self) -> (usize, Option<usize>) {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while let Some(b' ' | b'\t') = bytes.get(at) {
            at += 1;
        }
        match bytes.get(at) {
            Some(b'\n' | b'\r' | b'/' | b'#') => self.skip_lines(at),
            _ => (at, None),
        }
    }

    /// The same from a place that may be the end of a line or the beginning of a comment.
    fn skip_lines(&self, mut at: usize) -> (usize, Option<usize>) {
        let bytes = self.text.as_bytes();
        loop {
            let rest = &bytes[at..];
            let line = |rest: &[u8]| rest.iter().position(|&it| it == b'\n').map(|it| it + 1);
            let (length, newline) = match rest {
                [b' ' | b'\t', ..] => (1, false),
                [b'\n', ..] => (1, true),
                [b'\r', b'\n', ..] => (2, true),
                [b'/', b'*', ..] => match rest.windows(2).skip(2).position(|it| it == b"*/") {
                    Some(it) => (it + 4, false),
                    None => return (at, None),
                },
                // A comment goes to the end of its line, and takes that with it.
                [b'#', ..] | [b'/', b'/', ..] => line(rest).map_or((rest.len(), false), |it| (it, true)),
                _ => return (at, None),
            };
            if newline && self.newlines {
                return (at, Some(at + length));
            }
            at += length;
        }
    }
}

/// What begins with neither a letter, digit or sign of ASCII nor space: a name in another script, or nothing.
#[cold]
fn other(text: &str) -> (Kind, usize) {
    if text.starts_with(is_xid_start) {
        (Kind::Name, name(text))
    } else {
        (Kind::Bad, text.chars().next().map_or(0, char::len_utf8))
    }
}

/// For each byte, whether it is one of ASCII that a name may have in it.
const IN_NAME: [bool; 256] = {
    let mut of = [false; 256];
    let mut i = 0;
    while i < of.len() {
        of[i] = (i as u8).is_ascii_alphanumeric() || matches!(i as u8, b'_' | b'-');
        i += 1;
    }
    of
};

/// How long the name at the beginning is.
pub(super) fn name(text: &str) -> usize {
    let bytes = text.as_bytes();
    let length = bytes.iter().position(|&it| !IN_NAME[usize::from(it)]).unwrap_or(bytes.len());
    match bytes.get(length) {
        Some(it) if !it.is_ascii() => {
            let more = |it: char| it == '-' || is_xid_continue(it);
            let rest = &text[length..];
            length + rest.find(|it| !more(it)).unwrap_or(rest.len())
        }
        _ => length,
    }
}

/// True for what can stand as a name of its own.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|it| it == '_' || is_xid_start(it)) && name(text) == text.len()
}

/// How long the number at the beginning is: digits, and points and exponents that digits follow.
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

/// How long the beginning of a heredoc is, its line's end included; zero where it is none.
fn heredoc(text: &str) -> usize {
    let flush = usize::from(text[2..].starts_with('-'));
    let rest = &text[2 + flush..];
    let length = if rest.starts_with(|it| it == '_' || is_xid_start(it)) { name(rest) } else { 0 };
    let end = match &rest.as_bytes()[length..] {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    };
    if length == 0 || end == 0 { 0 } else { 2 + flush + length + end }
}
