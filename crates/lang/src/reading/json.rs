//! Values in JSON.

use ferroform_value::json::{Lexer, Token};
use ferroform_value::{NfcString, Number, Type, Typed, Value};

use super::{Source, Start};

/// Reads a value in JSON. Strings are not templates.
pub(crate) struct JsonSource<'a> {
    lexer: Lexer<'a>,
}

impl<'a> JsonSource<'a> {
    /// Creates a source from a string that contains one value.
    pub(crate) fn new(text: &'a str) -> JsonSource<'a> {
        JsonSource { lexer: Lexer::new(text.as_bytes()) }
    }
}

impl Source for JsonSource<'_> {
    const ALLOWS_DUPLICATES: bool = false;

    fn start(&mut self) -> Option<Start> {
        Some(Start::Value(match self.lexer.token().ok()? {
            Token::Array => return Some(Start::Sequence),
            Token::Object => return Some(Start::Mapping),
            Token::Null => Typed::new(Type::Dynamic, Value::Null),
            Token::Bool(it) => Typed::new(Type::Bool, Value::Bool(it)),
            Token::Number(it) => Typed::new(Type::Number, Value::Number(Number::parse(it).ok()?)),
            Token::String(it) => Typed::new(Type::String, Value::string(it)),
        }))
    }

    fn element(&mut self, is_first: bool) -> Option<bool> {
        self.lexer.element(is_first).ok()
    }

    fn key(&mut self, is_first: bool) -> Option<Option<NfcString>> {
        Some(self.lexer.key(is_first).ok()?.map(NfcString::from))
    }
}
