//! JSON values with their positions.

use std::ops::Range;
use std::sync::Arc;

use ferroform_value::json::{Lexer, SyntaxError, SyntaxErrorReason, Token};
use ferroform_value::{NfcString, Number, NumberError, Path, Step, Type, Typed, Value};

use crate::values::{AssignedValue, MAX_ELEMENTS};

#[derive(Debug)]
pub struct Node {
    pub at: Range<usize>,
    pub kind: Kind,
}

#[derive(Debug)]
pub enum Kind {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Node>),
    Object(Vec<Member>),
}

#[derive(Debug)]
pub struct Member {
    pub name: String,
    pub name_at: Range<usize>,
    pub value: Node,
}

/// The range of an error in the source, and its message.
pub type JsonError = (Range<usize>, String);

/// A `.tfvars.json` file.
#[derive(Debug)]
pub enum JsonVariablesFile {
    /// The names of the variables and the positions of their values.
    Object(Vec<JsonAssignment>),
    /// A value that is not an object.
    Other(Node),
}

/// A value and the name of its variable.
#[derive(Debug)]
pub struct JsonAssignment {
    pub name: String,
    pub name_at: Range<usize>,
    pub value_at: Range<usize>,
}

/// Parses a JSON document, which consists of one value.
pub fn parse(text: &str) -> Result<Node, JsonError> {
    let mut reader = Reader::new(text);
    let node = reader.value().and_then(|it| reader.end(it));
    node.map_err(|e| json_error(text, e))
}

/// Parses a `.tfvars.json` file. The values are not kept in memory.
pub fn parse_variables_file(text: &str) -> Result<JsonVariablesFile, JsonError> {
    let mut reader = Reader::new(text);
    if !matches!(reader.lexer.token(), Ok(Token::Object)) {
        return parse(text).map(JsonVariablesFile::Other);
    }
    let file = reader.assignments().and_then(|it| reader.end(it));
    file.map(JsonVariablesFile::Object).map_err(|e| json_error(text, e))
}

/// Returns the value in a range of a valid JSON document.
pub fn value_at(it: &AssignedValue<'_>) -> Result<Typed, JsonError> {
    if let Some(value) = it.read() {
        return Ok(value);
    }
    let start = it.at().start;
    let value = parse(it.source()).and_then(|it| it.value());
    value.map_err(|(at, detail)| (start + at.start..start + at.end, detail))
}

/// Returns the range of the nested value at an attribute path, in a range of a valid JSON document.
pub fn range_at(it: &AssignedValue<'_>, path: &Path) -> Range<usize> {
    let start = it.at().start;
    let range = parse(it.source()).map(|it| it.nested_range(path));
    range.map_or_else(|_| it.at(), |range| start + range.start..start + range.end)
}

fn json_error(text: &str, error: ReadError) -> JsonError {
    match error {
        ReadError::Number(at, error) => (at, format!("Invalid JSON number: {error}.")),
        ReadError::TooManyElements(at) => {
            (at, format!("A file can contain at most {MAX_ELEMENTS} elements and attributes."))
        }
        ReadError::Syntax(it) => {
            let length = text.get(it.at..).unwrap_or_default().chars().next().map_or(0, char::len_utf8);
            (it.at..it.at + length, sentence(it.reason))
        }
    }
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
    TooManyElements(Range<usize>),
}

impl From<SyntaxError> for ReadError {
    fn from(it: SyntaxError) -> ReadError {
        ReadError::Syntax(it)
    }
}

/// Reads JSON and counts its elements and attributes.
struct Reader<'a> {
    lexer: Lexer<'a>,
    elements: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { lexer: Lexer::new(text.as_bytes()), elements: 0 }
    }

    /// Checks that the document ends, and returns its content.
    fn end<T>(&mut self, content: T) -> Result<T, ReadError> {
        self.lexer.end()?;
        Ok(content)
    }

    fn count(&mut self) -> Result<(), ReadError> {
        self.elements += 1;
        if self.elements > MAX_ELEMENTS {
            return Err(ReadError::TooManyElements(self.lexer.last()));
        }
        Ok(())
    }

    fn value(&mut self) -> Result<Node, ReadError> {
        let token = self.lexer.token()?;
        let at = self.lexer.last();
        let kind = match token {
            Token::Null => Kind::Null,
            Token::Bool(it) => Kind::Bool(it),
            Token::Number(it) => Kind::Number(number(it, &at)?),
            Token::String(it) => Kind::String(it.into_owned()),
            Token::Array => {
                let mut elements = Vec::new();
                while self.lexer.element(elements.is_empty())? {
                    self.count()?;
                    elements.push(self.value()?);
                }
                Kind::Array(elements)
            }
            Token::Object => {
                let mut members = Vec::new();
                while let Some(name) = self.lexer.key(members.is_empty())? {
                    let (name, name_at) = (name.into_owned(), self.lexer.last());
                    self.count()?;
                    members.push(Member { name, name_at, value: self.value()? });
                }
                Kind::Object(members)
            }
        };
        Ok(Node { at: at.start..self.lexer.position(), kind })
    }

    /// Checks a value without keeping it, and returns its range.
    fn skip(&mut self) -> Result<Range<usize>, ReadError> {
        let token = self.lexer.token()?;
        let at = self.lexer.last();
        let mut is_first = true;
        match token {
            Token::Null | Token::Bool(_) | Token::String(_) => {}
            Token::Number(it) => drop(number(it, &at)?),
            Token::Array => {
                while self.lexer.element(std::mem::take(&mut is_first))? {
                    self.count()?;
                    self.skip()?;
                }
            }
            Token::Object => {
                while self.lexer.key(std::mem::take(&mut is_first))?.is_some() {
                    self.count()?;
                    self.skip()?;
                }
            }
        }
        Ok(at.start..self.lexer.position())
    }

    /// Reads the members of the root object after its opening brace.
    fn assignments(&mut self) -> Result<Vec<JsonAssignment>, ReadError> {
        let mut assignments = Vec::new();
        while let Some(name) = self.lexer.key(assignments.is_empty())? {
            let (name, name_at) = (name.into_owned(), self.lexer.last());
            assignments.push(JsonAssignment { name, name_at, value_at: self.skip()? });
        }
        Ok(assignments)
    }
}

fn number(digits: &str, at: &Range<usize>) -> Result<Number, ReadError> {
    Number::parse(digits).map_err(|e| ReadError::Number(at.clone(), e))
}

/// Returns the members of an object or of each object in an array; none for any other value.
pub fn members(node: &Node) -> impl Iterator<Item = &Member> {
    let objects = if let Kind::Array(elements) = &node.kind { elements } else { std::slice::from_ref(node) };
    objects.iter().flat_map(|it| if let Kind::Object(members) = &it.kind { &**members } else { &[] })
}

/// Returns the value of the member with this name.
fn member<'n>(members: &'n [Member], name: &str) -> Option<&'n Node> {
    members.iter().find(|it| NfcString::new(&it.name) == *name).map(|it| &it.value)
}

impl Node {
    /// Returns the JSON type with its article, such as `a number`.
    pub fn type_with_article(&self) -> &'static str {
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
    pub fn nested_range(&self, path: &Path) -> Range<usize> {
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
    pub fn value(&self) -> Result<Typed, JsonError> {
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
