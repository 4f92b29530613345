//! JSON whose parts know where they stand.

use std::ops::Range;
use std::sync::Arc;

use ferroform_value::json::{Lexer, SyntaxError, SyntaxErrorReason, Token};
use ferroform_value::{Number, NumberError, Path, Step, Type, Typed, Value, normalized};

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
    let mut lexer = Lexer::new(text.as_bytes());
    let node = value(&mut lexer).and_then(|it| lexer.end().map(|()| it).map_err(Unread::Syntax));
    node.map_err(|it| match it {
        Unread::Number(at, why) => (at, format!("This number cannot be read: {why}.")),
        Unread::Syntax(it) => {
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

/// Why a value cannot be read.
enum Unread {
    Syntax(SyntaxError),
    Number(Range<usize>, NumberError),
}

impl From<SyntaxError> for Unread {
    fn from(it: SyntaxError) -> Unread {
        Unread::Syntax(it)
    }
}

fn value(lexer: &mut Lexer<'_>) -> Result<Node, Unread> {
    let token = lexer.token()?;
    let at = lexer.last();
    let kind = match token {
        Token::Null => Kind::Null,
        Token::Bool(it) => Kind::Bool(it),
        Token::Number(it) => Kind::Number(Number::parse(it).map_err(|e| Unread::Number(at.clone(), e))?),
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
                            format!("There is a value for {:?} already.", it.name),
                        ));
                    }
                }
                Typed::object(found)
            }
        })
    }
}
