//! JSON whose parts know where they stand.

use std::ops::Range;
use std::sync::Arc;

use ferroform_value::{Number, Path, Step, Type, Typed, Value, normalized};

/// How deep arrays and objects may be nested.
const MAX_DEPTH: u32 = 100;

#[derive(Debug)]
pub(super) struct Node {
    pub(super) at: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Node>),
    Object(Vec<Member>),
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) name_at: Range<usize>,
    pub(super) value: Node,
}

/// What is wrong, and where.
pub(super) type Wrong = (Range<usize>, String);

/// Reads a text that is one value.
pub(super) fn parse(text: &str) -> Result<Node, Wrong> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let it = reader.value()?;
    reader.space();
    if reader.at < text.len() { Err(reader.wrong("Unexpected content after the value.")) } else { Ok(it) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Here stands something wrong.
    fn wrong(&self, why: &str) -> Wrong {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        (self.at..self.at + length, why.to_owned())
    }

    fn value(&mut self) -> Result<Node, Wrong> {
        self.space();
        let start = self.at;
        let kind = match self.peek() {
            None => return Err(self.wrong("Expected a value.")),
            Some(b'{') => self.nested(Reader::object)?,
            Some(b'[') => self.nested(Reader::array)?,
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(_) => self.word()?,
        };
        Ok(Node { at: start..self.at, kind })
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Kind, Wrong>) -> Result<Kind, Wrong> {
        if self.depth == MAX_DEPTH {
            return Err(self.wrong("The value is nested too deeply."));
        }
        self.depth += 1;
        self.at += 1;
        let it = read(self);
        self.depth -= 1;
        it
    }

    /// A comma, or the closing bracket, which is true.
    fn closes(&mut self, bracket: u8) -> Result<bool, Wrong> {
        self.space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            Some(it) if it == bracket => {
                self.at += 1;
                Ok(true)
            }
            _ => Err(self.wrong(&format!("Expected a comma or \"{}\".", char::from(bracket)))),
        }
    }

    fn empty(&mut self, bracket: u8) -> bool {
        self.space();
        let it = self.peek() == Some(bracket);
        self.at += usize::from(it);
        it
    }

    fn array(&mut self) -> Result<Kind, Wrong> {
        let mut elements = Vec::new();
        if self.empty(b']') {
            return Ok(Kind::Array(elements));
        }
        loop {
            elements.push(self.value()?);
            if self.closes(b']')? {
                return Ok(Kind::Array(elements));
            }
        }
    }

    fn object(&mut self) -> Result<Kind, Wrong> {
        let mut members = Vec::new();
        if self.empty(b'}') {
            return Ok(Kind::Object(members));
        }
        loop {
            self.space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.wrong("Expected a quoted object key."));
            }
            let name = self.string()?;
            let name_at = start..self.at;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.wrong("Expected a colon and a value."));
            }
            self.at += 1;
            members.push(Member { name, name_at, value: self.value()? });
            if self.closes(b'}')? {
                return Ok(Kind::Object(members));
            }
        }
    }

    fn word(&mut self) -> Result<Kind, Wrong> {
        let rest = &self.text[self.at..];
        let length = rest.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let kind = match &rest[..length] {
            "null" => Kind::Null,
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            "" => return Err(self.wrong("Expected a value.")),
            it => {
                let why = format!("{it:?} is not a JSON literal; strings must be quoted.");
                return Err((self.at..self.at + length, why));
            }
        };
        self.at += length;
        Ok(kind)
    }

    fn number(&mut self) -> Result<Kind, Wrong> {
        let rest = &self.text[self.at..];
        let more = |it: char| it.is_ascii_digit() || matches!(it, '+' | '-' | '.' | 'e' | 'E');
        let length = rest.find(|it| !more(it)).unwrap_or(rest.len());
        let (at, text) = (self.at..self.at + length, &rest[..length]);
        if !is_number(text.as_bytes()) {
            return Err((at, "The JSON number is invalid.".into()));
        }
        let it = Number::parse(text).map_err(|e| (at, format!("The number is invalid: {e}.")))?;
        self.at += length;
        Ok(Kind::Number(it))
    }

    /// What stands between the quote here and the next one.
    fn string(&mut self) -> Result<String, Wrong> {
        let open = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|it: char| it == '"' || it == '\\' || it < ' ');
            let Some(plain) = plain else {
                return Err((open..open + 1, "The string has no closing quote.".into()));
            };
            out.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                _ => return Err(self.wrong("Control characters in a string must be escaped.")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Wrong> {
        let rest = &self.text.as_bytes()[self.at..];
        let (it, length) = match rest.get(1) {
            Some(b'n') => ('\n', 2),
            Some(b't') => ('\t', 2),
            Some(b'r') => ('\r', 2),
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(&it @ (b'"' | b'\\' | b'/')) => (char::from(it), 2),
            Some(b'u') => match (unit(rest), unit(rest.get(6..).unwrap_or_default())) {
                (Some(high @ 0xd800..0xdc00), Some(low @ 0xdc00..0xe000)) => {
                    let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
                }
                (Some(code), _) => (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
                (None, _) => return Err(self.wrong("Expected four hexadecimal digits after the escape.")),
            },
            _ => return Err(self.wrong("The escape sequence is not valid.")),
        };
        self.at += length;
        Ok(it)
    }
}

/// The number of an escape `\u0000`.
fn unit(text: &[u8]) -> Option<u32> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn is_number(text: &[u8]) -> bool {
    fn digits(text: &[u8]) -> Option<&[u8]> {
        let count = text.iter().take_while(|it| it.is_ascii_digit()).count();
        if count == 0 { None } else { Some(&text[count..]) }
    }
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let Some(mut rest) = text.strip_prefix(b"0").or_else(|| digits(text)) else { return false };
    if let Some(it) = rest.strip_prefix(b".") {
        let Some(it) = digits(it) else { return false };
        rest = it;
    }
    if let Some(it) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let it = it.strip_prefix(b"+").or_else(|| it.strip_prefix(b"-")).unwrap_or(it);
        let Some(it) = digits(it) else { return false };
        rest = it;
    }
    rest.is_empty()
}

impl Node {
    /// What kind of value it is, with an article.
    pub(super) fn article(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a bool",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a string",
            Kind::Array(_) => "an array",
            Kind::Object(_) => "an object",
        }
    }

    /// Where the part of it stands that its value has at this place.
    pub(super) fn part(&self, path: &Path) -> Range<usize> {
        let mut it = self;
        for step in path.steps() {
            let found = match (&it.kind, step) {
                (Kind::Array(it), Step::Index(i)) => it.get(*i),
                (Kind::Object(it), Step::Attribute(name) | Step::Key(name)) => {
                    it.iter().find(|it| normalized(&it.name) == *name).map(|it| &it.value)
                }
                _ => None,
            };
            match found {
                Some(inner) => it = inner,
                None => break,
            }
        }
        it.at.clone()
    }

    /// The value; texts stand for themselves.
    pub(super) fn value(&self) -> Result<Typed, Wrong> {
        Ok(match &self.kind {
            Kind::Null => Typed::new(Type::Dynamic, Value::Null),
            Kind::Bool(it) => Typed::new(Type::Bool, Value::Bool(*it)),
            Kind::Number(it) => Typed::new(Type::Number, Value::Number(it.clone())),
            Kind::String(it) => Typed::new(Type::String, Value::string(it)),
            Kind::Array(it) => Typed::tuple(it.iter().map(Node::value).collect::<Result<Vec<_>, _>>()?),
            Kind::Object(it) => {
                let mut found = std::collections::BTreeMap::<Arc<str>, Typed>::new();
                for it in it {
                    if found.insert(normalized(&it.name), it.value.value()?).is_some() {
                        return Err((
                            it.name_at.clone(),
                            format!("The key {:?} is set more than once.", it.name),
                        ));
                    }
                }
                Typed::object(found)
            }
        })
    }
}
