//! JSON values with their positions.

use std::ops::Range;
use std::sync::Arc;

use ferroform_value::json::{Lexer, SyntaxError, SyntaxErrorReason, Token};
use ferroform_value::{NfcString, Number, NumberError, Path, Step, Type, Typed, Value};

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

/// The range of an error in the source, and its message.
pub(super) type JsonError = (Range<usize>, String);

/// Parses a JSON document, which consists of one value.
pub(super) fn parse(text: &str) -> Result<Node, JsonError> {
    let mut lexer = Lexer::new(text.as_bytes());
    let node = value(&mut lexer).and_then(|it| lexer.end().map(|()| it).map_err(ReadError::Syntax));
    node.map_err(|it| match it {
        ReadError::Number(at, error) => (at, format!("Invalid JSON number: {error}.")),
        ReadError::Syntax(it) => {
            let length = text.get(it.at..).unwrap_or_default().chars().next().map_or(0, char::len_utf8);
            (it.at..it.at + length, sentence(it.reason))
        }
    })
}

fn sentence(reason: SyntaxErrorReason) -> String {
    let reason = reason.to_string();
    let (first, rest) = reason.split_at(reason.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}.", first.to_uppercase())
}

/// The error of reading a value.
enum ReadError {
    Syntax(SyntaxError),
    Number(Range<usize>, NumberError),
}

impl From<SyntaxError> for ReadError {
    fn from(it: SyntaxError) -> ReadError {
        ReadError::Syntax(it)
    }
}

fn value(lexer: &mut Lexer<'_>) -> Result<Node, ReadError> {
    let token = lexer.token()?;
    let at = lexer.last();
    let kind = match token {
        Token::Null => Kind::Null,
        Token::Bool(it) => Kind::Bool(it),
        Token::Number(it) => Kind::Number(Number::parse(it).map_err(|e| ReadError::Number(at.clone(), e))?),
        Token::String(it) => Kind::String(it.into_owned()),
        Token::Array => {
            let mut elements = Vec::new();
            while lexer.element(elements.is_empty())? {
                elements.push(value(lexer)?);
            }
            Kind::Array(elements)
        }
        Token::Object => {
            let mut members = Vec::new();
            while let Some(name) = lexer.key(members.is_empty())? {
                let (name, name_at) = (name.into_owned(), lexer.last());
                members.push(Member { name, name_at, value: value(lexer)? });
            }
            Kind::Object(members)
        }
    };
    Ok(Node { at: at.start..lexer.position(), kind })
}

/// Returns the value of the member with this name.
fn member<'n>(members: &'n [Member], name: &str) -> Option<&'n Node> {
    members.iter().find(|it| NfcString::new(&it.name) == *name).map(|it| &it.value)
}

impl Node {
    /// Returns the kind of value with an article.
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

    /// Returns the range of the nested value at an attribute path.
    pub(super) fn part(&self, path: &Path) -> Range<usize> {
        let mut it = self;
        for step in path.steps() {
            let found = match (&it.kind, step) {
                (Kind::Array(it), Step::Index(i)) => it.get(*i),
                (Kind::Object(members), Step::Attribute(name)) => member(members, name),
                (Kind::Object(members), Step::Key(key)) => member(members, key),
                _ => None,
            };
            match found {
                Some(inner) => it = inner,
                None => break,
            }
        }
        it.at.clone()
    }

    /// Returns the value. Strings are not templates.
    pub(super) fn value(&self) -> Result<Typed, JsonError> {
        Ok(match &self.kind {
            Kind::Null => Typed::new(Type::Dynamic, Value::Null),
            Kind::Bool(it) => Typed::new(Type::Bool, Value::Bool(*it)),
            Kind::Number(it) => Typed::new(Type::Number, Value::Number(it.clone())),
            Kind::String(it) => Typed::new(Type::String, Value::string(it)),
            Kind::Array(it) => Typed::tuple(it.iter().map(Node::value).collect::<Result<Vec<_>, _>>()?),
            Kind::Object(it) => {
                let mut found = std::collections::BTreeMap::<Arc<str>, Typed>::new();
                for it in it {
                    if found.insert(NfcString::new(&it.name).into(), it.value.value()?).is_some() {
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
